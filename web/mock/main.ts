/**
 * The pages without a server: `npm run dev`, then /pages/mock/index.html?scene=user (scenes.ts has
 * the names). A scripted socket and fetch stand in for the server.
 */

import { json, type Script, play as script } from "../src/played";
import { dashboard, transcript } from "./dashboard";
import rooms from "./rooms.json";
import { scenes } from "./scenes";

const scene = new URLSearchParams(location.search).get("scene") ?? "consent";
const play = scenes[scene] ?? scenes.consent;
const charts = import.meta.glob("./*.svg", { query: "?url", import: "default", eager: true });
const real = globalThis.fetch.bind(globalThis);

function fetched(path: string): Response | Promise<Response> | undefined {
  const chart = /^\/charts\/(\w+)\.svg$/.exec(path)?.[1];
  if (chart) return real(charts[`./${chart}.svg`] as string);
  if (path.startsWith("/api/join/")) {
    if (scene === "join-used") return json({ code: "used", what: "" }, 403);
    return json({ assignment: 1 });
  }
  if (path === "/api/admin/dashboard") {
    return scene === "admin-login" ? json({ code: "login", what: "" }, 401) : json(dashboard);
  }
  if (path.startsWith("/api/admin/rooms/")) return json(transcript);
  if (path === "/api/admin/bonuses") return json([]);
  if (path.startsWith("/api/")) return json({ ok: true, links: ["https://example.org/join/a.b"] });
  return undefined;
}

let seq = play?.events?.length ?? 0;

const answer: Script["answer"] = ({ type, client_msg_id, body }, push) => {
  if (play?.mute) return;
  if (type === "pick" && !body.reason) {
    const [place] = Object.values(rooms.single.wizard.room.flow);
    const refusal = { code: "off_flow", what: "", expected: place?.expected };
    const reason_wanted = scene === "wizard-reason";
    push({ type: "refused", client_msg_id, ...refusal, reason_wanted });
    return;
  }
  seq += 1;
  push({ type: "ack", client_msg_id, seq });
  if (type !== "say") return;
  const event = { kind: "say", from: play?.state.room?.role, text: body.text };
  push({ type: "event", seq, time: Date.now(), event, client_msg_id });
};

script({
  frames: [
    { type: "welcome", now: play?.now ?? Date.now(), state: play?.state },
    ...(play?.events ?? []),
    ...(play?.next ?? []),
  ],
  fetched,
  answer,
  lost: play?.lost,
});
if (scene === "join" || scene === "join-used") localStorage.clear();
else localStorage.setItem("dialoom:joined:played", "1");
if (play?.outbox) {
  sessionStorage.setItem("dialoom:outbox:played", JSON.stringify(play.outbox));
} else sessionStorage.clear();
// The development server loads the page anew after an edit: from the address it knows.
const address = location.href;
import.meta.hot?.on("vite:beforeFullReload", () => history.replaceState(null, "", address));
history.replaceState(null, "", scene.startsWith("admin") ? "/admin" : "/join/played");
void import("../src/main");
