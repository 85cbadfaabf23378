/** Messages of the server (docs/reference/wire-protocol.md), as types. */

import type { DocumentUnit } from "./document/state";
import type { Presence, Role, Seat, SeatName } from "./seat";
import type { Sound } from "./sound";

/** A stage by its name: one of STAR's, or one of the study's own. */
export type Stage = string;
export type Step = "consent" | "tutorial" | "quiz" | "waiting" | "room" | "questionnaire" | "done";
export type Outcome =
  | "completed"
  | "waited"
  | "partner_lost"
  | "screened_out"
  | "left"
  | "idle"
  | "lost"
  | "ended";

/** The state of an assignment: everything its page shows. Times are ms, money is cents. */
export interface State {
  assignment: number;
  step: Step;
  stage: Stage;
  mode: "direct" | "star" | "list";
  language: string;
  /** Whether anybody may take part, without pay and codes. */
  study: { name: string; pilot: boolean; open: boolean };
  worker: string;
  role: SeatName | null;
  /** The finished items of the assignment, and how many it has at most. */
  items: { done: number; wanted: number };
  /** Whether too many answers were not as expected. */
  warned: boolean;
  can_leave: boolean;
  /** The code of what money is counted in (ISO 4217). */
  currency: string;
  /** Cents for each minute of a dialogue, to who leaves it before its end. */
  part_per_minute: number;
  /** Whether pasted text and absences from the page are recorded. */
  attention?: boolean;
  /** For how long the seat of a lost connection is kept, seconds. */
  grace?: number;
  consent?: Consent;
  tutorial?: Tutorial;
  quiz?: Quiz;
  waiting?: Waiting;
  room?: Unit;
  questionnaire?: Questionnaire;
  done?: Done;
}

export interface Consent {
  purpose: string;
  /** The study's own text in paragraphs, whom to ask, and the text's version; "" where none is. */
  text: string;
  contact: string;
  version: string;
  /** Days after which people are erased. */
  retention: number | null;
  /** `role` of the only person in it; `minutes` and pay are of all its `items`. */
  earnings: {
    stage: Stage;
    kind: string;
    /** The condition that opens the stage: "none", "quiz" or "review". */
    gate: string;
    role: SeatName | null;
    items: number;
    minutes: number | null;
    base: number;
    most: number;
  }[];
  waiting_per_minute: number;
  here: Stage;
  /** The kind of work of that stage. */
  kind: string;
  approval: number | null;
  approved: number | null;
  country: string | null;
  rating: boolean;
}

export interface Tutorial {
  video: string | null;
  stage: Stage;
  /** The study's own text, in paragraphs; null where the page has its own walkthrough. */
  text: string | null;
}

/** An option's letter; those of all options that are chosen, where several are right. */
export type Chosen = string | string[];

export interface Question {
  id: string;
  text: string;
  options: { id: string; text: string }[];
  /** Whether all that are right have to be ticked. */
  several: boolean;
  hint: string | null;
  tried: Chosen[];
  answered: Chosen | null;
}

export interface Quiz {
  questions: Question[];
  hints: number;
  most_to_pass: number;
  fewer_to_be_paid: number;
  few: number;
  pay: { base: number; no_hint: number; few_hints: number };
}

export interface Waiting {
  ready: boolean;
  roles: Role[];
  since: number | null;
  until: number | null;
  first: boolean;
  cents: number;
  per_minute: number;
  reason:
    | "none"
    | "partner"
    | "self"
    | "stage"
    | "language"
    | "bots"
    | "roles"
    | "pair_cap"
    | "texts"
    | "full"
    | "away";
  present_as: "person" | "automated" | null;
  /** The kind of work that begins then. */
  kind: string;
  /** Whether somebody who looks elsewhere may be called when it begins. */
  call: boolean;
}

export interface Field {
  name: string;
  readable: string;
  type:
    | "Categorical"
    | "CategoricalMultiple"
    | "ShortString"
    | "LongString"
    | "Integer"
    | "Boolean"
    | "Date"
    | "Time"
    | "RequestType";
  categories: string[];
  /** Category to what is shown for it, where that differs. */
  labels: Record<string, string>;
  minimum: number | null;
  maximum: number | null;
  step: number | null;
  unit: string | null;
  /** The first one is the default. */
  operators: string[];
  need: "required" | "conditional" | "optional";
  required_when: Record<string, unknown[]> | null;
  required_unless: string | null;
  hint: string | null;
}

export interface Form {
  api: string;
  name: string;
  fields: Field[];
}

export interface Expected {
  id: string;
  text: string | null;
}

export interface Task {
  id: string;
  name: string;
  domain: string | null;
  description: string | null;
  chart: string | null;
  forms: Form[];
}

/** The place of the dialogue in a task's flow chart, and the next steps. */
export interface Place {
  node: string | null;
  expected: Expected[];
}

/** An item of the wizard's list; `item` maps attributes to JSON values. */
export interface Listed {
  index: number;
  api: string;
  task: string | null;
  item: Record<string, unknown>;
}

export interface Candidate {
  id: string;
  text: string | null;
  permitted?: boolean;
}

export interface UserRoom extends Seat {
  role: "user";
  can_accomplish: boolean;
  accomplish_lacks: "turn" | "instructions" | "turns" | null;
  present_as?: "person" | "automated" | null;
  /** In a spoken dialogue: the longest turn, and whether what is heard is read, too. */
  speech?: { seconds: number; read: boolean };
}

export interface WizardRoom extends Seat {
  role: "wizard";
  guard: "off" | "warn" | "reason";
  task: string | null;
  tasks: Task[];
  /** By the task's id. */
  flow: Record<string, Place>;
  items: Listed[];
  primary: number | null;
  secondary: number | null;
  results: { api: string; items: number[]; total: number | null }[];
  suggestions: { text: string; candidates: Candidate[] } | null;
}

export type Unit = UserRoom | WizardRoom | DocumentUnit;

export type Answer = boolean | number | string;

/** A question after a dialogue: yes or no without options, a free text with an empty list. */
export interface Asked {
  id: string;
  text: string;
  required?: boolean;
  options?: { value: number | string; text: string }[];
  /** The speaker whose lines it is about; null if it is about the dialogue. */
  turns?: "user" | "system" | null;
  /** In a questionnaire, the number of the line that it is about. */
  turn?: number;
}

export interface Questionnaire {
  role: Role;
  questions: Asked[];
  rating: boolean;
  comment: boolean;
  until: number | null;
  partner: Presence;
}

/** A task that an open study's front page offers. */
export interface Offer {
  task: string;
  about: string;
}

/** What the database says at the end of a talk; `reached` is null without a goal. */
export interface Verdict {
  reached: boolean | null;
  unreported: string[];
  changes: string[];
  wanted: string[];
}

export interface Done {
  /** For a talk in an open study. */
  verdict: Verdict | null;
  /** Parts of a document that were handed in; null where it was a dialogue. */
  parts: number | null;
  outcome: Outcome;
  code: string;
  booked: { kind: string; cents: number; reason: string }[];
  cents: number;
  review: boolean;
  pending: number;
  debriefing: string | null;
  quiz: { hints: number; passed: boolean } | null;
  next: Stage | null;
  /** The recruiter's page after this one. */
  redirect: string | null;
  /** The form that hands the work in to the recruiter, or null. */
  form: { address: string; fields: Record<string, string> } | null;
  next_reason: "review" | "rejected" | "screened_out" | "full" | "paused" | null;
  /** Whether this worker withdrew, so that no data show any more who they were. */
  erased: boolean;
  /** Whom to ask; "" where the study does not say. */
  contact: string;
}

/** An event of a unit, as this seat may see it. */
export type Happening =
  | { kind: "say"; from: Role; text: string; action?: string | null; sound?: Sound }
  | { kind: "instruction"; text: string }
  | { kind: "turn"; task: string }
  | { kind: "ask"; api: string; text: string }
  | { kind: "result"; api: string; items: number[]; total: number | null; text: string }
  | { kind: "choose"; which: "primary" | "secondary"; item: number | null }
  | { kind: "suggest"; text: string; candidates: Candidate[] }
  | { kind: "override"; action: string | null; expected: string[]; reason: string | null }
  | { kind: "saved"; part: string; rev: number; value: unknown }
  | { kind: "notice"; text: string }
  | { kind: "departed"; role: Role }
  | { kind: "closed"; outcome: string }
  | { kind: "opened" | "accomplished" | "handed_over" | "answered" };

export interface UnitEvent {
  type: "event";
  room?: number;
  seq: number;
  time: number;
  event: Happening;
  client_msg_id?: string;
}

/** A message that was not carried out. */
export interface Refusal {
  code: string;
  what: string;
  expected?: Expected[];
  reason_wanted?: boolean;
  retry_after?: number;
  field?: string;
  fields?: string[];
  [more: string]: unknown;
}

export type Frame =
  | { type: "welcome"; now?: number; generation?: number; state: State }
  | { type: "state"; now?: number; state: State }
  | { type: "room"; now?: number; room: Partial<Unit> }
  | UnitEvent
  | { type: "ack"; client_msg_id: string; seq: number }
  | ({ type: "refused"; client_msg_id: string | null } & Refusal)
  | { type: "idle_warning"; since?: number; until?: number }
  | { type: "presence"; partner: Presence; until?: number | null }
  | { type: "taken_over" }
  | { type: "pong"; now?: number };
