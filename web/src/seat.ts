/** State of any seat from the server, whatever the kind of work. */

export type Role = "user" | "wizard";
/** A person's role in a unit of work. */
export type SeatName =
  | Role
  | "writer"
  | "annotator"
  | "adjudicator"
  | "paraphraser"
  | "rater"
  | "tester"
  | "transcriber";

export type Presence = "here" | "away" | "done" | "gone";

export interface Seat {
  number: number;
  turn: SeatName | null;
  seat_token: string | null;
  generation: number | null;
  partner: Presence | { here: boolean; until: number | null };
  partner_until?: number | null;
  text: string;
  idle_warning_at: number | null;
  idle_at: number | null;
}
