/** A document that is saved part by part: what is there, with what is still on its way. */

import { useState } from "preact/hooks";
import { useWire } from "../parts";
import { reason } from "../texts";
import type { Wire } from "../wire";

export interface Part<T> {
  rev: number;
  value: T | null;
}

export interface Saving<T> {
  /** Part to its value and revision; null where it was taken away. */
  parts: Record<string, Part<T>>;
  /** Whether all is on the server's disk. */
  saved: boolean;
  /** Saves a part; resolves with whether it was taken. */
  save: (part: string, value: T | null) => Promise<boolean>;
  /** The server's reason for refusing a save. */
  problem: string | null;
}

/** `onRefused` is given the part of a save that was not taken. */
export function useSaving<T>(onRefused?: (part: string) => void): Saving<T> {
  const wire = useWire();
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (part: string, value: T | null) => {
    setProblem(null);
    // A save that was just sent counts, even if nothing was drawn since.
    const rev = partsOf<T>(wire)[part]?.rev ?? 0;
    const answer = await wire.send("save", { part, rev, value });
    if (!answer.ok) {
      setProblem(reason(answer.refusal));
      onRefused?.(part);
    }
    return answer.ok;
  };
  return {
    parts: partsOf<T>(wire),
    saved: !wire.outbox.some(({ type }) => type === "save"),
    save,
    problem,
  };
}

function partsOf<T>(wire: Wire): Record<string, Part<T>> {
  const parts: Record<string, Part<T>> = {};
  for (const { event } of wire.events) {
    if (event.kind === "saved") parts[event.part] = { rev: event.rev, value: event.value as T };
  }
  for (const { type, body, status } of wire.outbox) {
    if (type !== "save" || status === "failed") continue;
    const { part, rev, value } = body as { part: string; rev: number; value: T | null };
    parts[part] = { rev: rev + 1, value };
  }
  return parts;
}
