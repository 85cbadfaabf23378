/**
 * The pages without a server: `npm run dev`, then /pages/mock/index.html?scene=user (scenes.ts has
 * the names). A scripted socket and fetch stand in for the server.
 */

import { dashboard, transcript } from "./dashboard";
import rooms from "./rooms.json";
import { scenes } from "./scenes";

const scene = new URLSearchParams(location.search).get("scene") ?? "consent";
const play = scenes[scene] ?? scenes.consent;
const charts = import.meta.glob("./*.svg", { query: "?url", import: "default", eager: true });
const real = globalThis.fetch.bind(globalThis);

const answer = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json" },
  });

globalThis.fetch = async (input, init) => {
  const path = String(input);
  const chart = /^\/charts\/(\w+)\.svg$/.exec(path)?.[1];
  if (chart) return real(charts[`./${chart}.svg`] as string);
  if (path.startsWith("/api/join/")) {
    if (scene === "join-used") return answer({ code: "used", what: "" }, 403);
    return answer({ assignment: 1 });
  }
  if (path === "/api/admin/dashboard") {
    return scene === "admin-login" ? answer({ code: "login", what: "" }, 401) : answer(dashboard);
  }
  if (path.startsWith("/api/admin/rooms/")) return answer(transcript);
  if (path === "/api/admin/bonuses") return answer([]);
  if (path.startsWith("/api/"))
    return answer({ ok: true, links: ["https://example.org/join/a.b"] });
  return real(input, init);
};

interface Message {
  type: string;
  client_msg_id: string;
  body: { text?: string; reason?: string };
}

class PlayedSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  private seq = play?.events?.length ?? 0;

  constructor() {
    setTimeout(() => this.onopen?.(), 20);
  }

  send(text: string): void {
    const frame = JSON.parse(text);
    if (frame.type === "hello") {
      this.push({ type: "welcome", now: play?.now ?? Date.now(), state: play?.state });
      for (const event of play?.events ?? []) this.push(event);
      for (const each of play?.next ?? []) this.push(each);
      if (play?.lost) setTimeout(() => this.onclose?.({ code: 1012, reason: "" }), 300);
      return;
    }
    if (frame.type === "ping") this.push({ type: "pong" });
    else if (!play?.mute) this.answer(frame);
  }

  private answer(frame: Message): void {
    if (frame.type === "pick") {
      const [place] = Object.values(rooms.single.wizard.room.flow);
      const expected = place?.expected;
      const refusal = {
        code: "off_flow",
        what: "",
        expected,
        reason_wanted: scene === "wizard-reason",
      };
      if (!frame.body.reason) {
        this.push({ type: "refused", client_msg_id: frame.client_msg_id, ...refusal });
        return;
      }
    }
    this.seq += 1;
    this.push({ type: "ack", client_msg_id: frame.client_msg_id, seq: this.seq });
    if (frame.type !== "say") return;
    const event = { kind: "say", from: play?.state.room?.role, text: frame.body.text };
    this.push({
      type: "event",
      seq: this.seq,
      time: Date.now(),
      event,
      client_msg_id: frame.client_msg_id,
    });
  }

  close(): void {}

  private push(frame: unknown): void {
    setTimeout(() => this.onmessage?.({ data: JSON.stringify(frame) }), 30);
  }
}

if (play?.lost) {
  let opened = 0;
  globalThis.WebSocket = class extends PlayedSocket {
    constructor() {
      super();
      opened += 1;
      if (opened > 1) this.send = () => {};
    }
  } as unknown as typeof WebSocket;
} else {
  globalThis.WebSocket = PlayedSocket as unknown as typeof WebSocket;
}
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
