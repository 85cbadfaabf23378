/**
 * The script of pages of `dialoom collect preview`, which a browser opens from files. A page says
 * what it shows by `frames`; the built modules and the charts are in `modules` and `charts`.
 */

import { json, play } from "./played";

declare const frames: unknown[];
declare const modules: Record<string, string>;
declare const charts: Record<string, string>;

const JOINED = "dialoom:joined:preview";

try {
  localStorage.setItem(JOINED, JOINED);
} catch {
  // a frame of the studio, which has no storage
  const held = new Map([[JOINED, JOINED]]);
  const value = {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, text: string) => held.set(key, text),
    removeItem: (key: string) => held.delete(key),
  };
  Object.defineProperty(window, "localStorage", { value });
}
/** The head of a WAV file with a second of sound, of 8,000 samples of a byte. */
const WAV = "UklGRmQfAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YUAfAAA=";

const silence = (): Response => {
  const head = Uint8Array.from(atob(WAV), (each) => each.charCodeAt(0));
  const parts = [head, new Uint8Array(8000).fill(128)];
  return new Response(new Blob(parts, { type: "audio/wav" }));
};

play({
  frames,
  fetched: (path) => {
    if (path.startsWith("/api/blobs/")) return silence();
    const chart = /charts\/(\w+)\.svg$/.exec(path)?.[1];
    return chart ? new Response(charts[chart] ?? "") : json({ assignment: 1 });
  },
});

const add = (type: string, text: string): void => {
  const script = document.createElement("script");
  script.type = type;
  script.textContent = text;
  document.head.append(script);
};
add("importmap", JSON.stringify({ imports: modules }));
addEventListener("DOMContentLoaded", () => add("module", 'import "dialoom/app.js";'));
