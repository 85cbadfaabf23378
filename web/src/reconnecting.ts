/** When a page connects again: pauses, limits of silence, and why the server closed the connection. */

/** Milliseconds: first and longest pause before the next attempt to connect. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5000;
/** Milliseconds between pings, and of silence after which the line counts as dead. */
export const PING = 10_000;
export const SILENCE = 25_000;
/** Milliseconds until a message that the server could not take is sent again. */
export const AGAIN = 2000;
/** Milliseconds until a client may come back that sent far too much. */
export const PENANCE = 60_000;
/** Close codes: another tab took over; the session is of no use; too much was sent; the seat is
 * not this page's. */
export const TAKEN = 4001;
export const UNKNOWN_SESSION = 4003;
export const TOO_MUCH = 4008;
export const UNKNOWN_SEAT = 4403;

/** Returns the pause (ms) before an attempt to connect, which grows with the failed ones. */
export function pauseBefore(failed: number): number {
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failed);
  // A server that restarts is not stormed by all its clients in the same instant.
  return pause * (0.5 + Math.random() / 2);
}
