/** Pasted text and absences from the page, in studies whose consent says that they are recorded. */

import type { Wire } from "./wire";

/** Absences shorter than this are no absences: a click on the frame of the browser, ms. */
const SHORTEST = 1000;

/** Reports them until the signal ends that. */
export function watch(wire: Wire, signal: AbortSignal): void {
  let since: number | null = null;
  const pasted = (event: ClipboardEvent) => {
    const many = event.clipboardData?.getData("text").length ?? 0;
    if (many > 0) void wire.send("attention", { pasted: Math.min(many, 100_000) });
  };
  const left = () => {
    since ??= Date.now();
  };
  const back = () => {
    const away = since === null ? 0 : Date.now() - since;
    since = null;
    if (away >= SHORTEST) void wire.send("attention", { away: Math.min(away / 1000, 86_400) });
  };
  document.addEventListener("paste", pasted, { signal });
  addEventListener("blur", left, { signal });
  addEventListener("focus", back, { signal });
}
