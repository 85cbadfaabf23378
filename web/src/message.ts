/** Messages, and the socket that carries them. */

import type { Refusal } from "./state";

export type Link = "connecting" | "open" | "lost" | "taken" | "ended";

/**
 * One message on its way. `waiting`: not on the wire; `sent`: on it; `acked`: carried out, its
 * events are yet to come; `failed`: turned down.
 */
export interface Outgoing {
  client_msg_id: string;
  base_seq: number;
  type: string;
  body: Record<string, unknown>;
  /** The unit that it is meant for, or null. */
  room: number | null;
  status: "waiting" | "sent" | "acked" | "failed";
  refusal?: Refusal;
  /** The last event of a message that was carried out. */
  seq?: number;
  /** The text in the chat while the message is on its way. */
  shown?: string;
}

/** How a message ended. */
export type Answer = { ok: true } | { ok: false; refusal: Refusal };

/** The interface of a socket; the mock is one too. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
}

export interface Options {
  /** Names the session in the storage. */
  key: string;
  open: () => Socket;
  /** Called when the server does not know the session any more. */
  rejoin?: () => void;
  storage?: Storage;
  now?: () => number;
}

/** Bytes of a frame at most; any two texts of the most characters fit. */
export const LARGEST = 65_536;

/** Random letters; `crypto.randomUUID` is missing on plain http. */
export function fresh(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Bytes of a message as it is sent. */
export function size({ client_msg_id, base_seq, type, body }: Outgoing): number {
  return new TextEncoder().encode(JSON.stringify({ client_msg_id, base_seq, type, body })).length;
}
