/** Answers of the admin's interface (docs/reference/wire-protocol.md, 9). */

import type { Role, SeatName } from "../seat";
import type { Outcome, Stage } from "../state";

export interface Sitting {
  assignment: number;
  worker: string;
  here: boolean;
  /** Until when the seat is kept of somebody who is away. */
  until: number | null;
}

export interface LiveUnit {
  room: number;
  batch: string;
  scenario: string;
  kind: string;
  tasks: string[];
  step: string;
  turn: Role | null;
  opened: number;
  last: number;
  records: number;
  seats: Partial<Record<SeatName, Sitting>>;
}

export interface Waiter {
  assignment: number;
  worker: string;
  stage: Stage;
  language: string;
  roles: Role[];
  since: number | null;
  first: boolean;
  here: boolean;
  reason: string;
}

export interface Before {
  assignment: number;
  worker: string;
  stage: Stage;
  language: string;
  step: string;
  since: number | null;
  here: boolean;
}

export interface Submission {
  assignment: number;
  worker: string;
  stage: Stage;
  role: Role;
  /** The units of the assignment, in order. */
  rooms: number[];
  outcome: string | null;
  time: number;
  first: boolean;
  cents: number;
  accepted: boolean | null;
  one_topic: boolean;
  complaints: string[];
  /** In the queue: the rules of acceptance that it does not meet. */
  lacks?: string[];
}

/** A stage's sampled review of work that was accepted by rules. */
export interface Sample {
  stage: Stage;
  accepted: number;
  seen: number;
  wrong: number;
  /** With this confidence, at most this share of the rest is wrong. */
  bound: number;
  error: number;
  confidence: number;
  /** How many more have to be looked at, and which come first. */
  more: number;
  next: number[];
}

export interface Worker {
  worker: string;
  dialogues: Record<Role, number>;
  custom_share: number | null;
  in_order: number | null;
  /** Seconds. */
  median_answer: number | null;
  complaints: string[];
  one_topic: number;
  instructions: number | null;
  creativity: number | null;
  accepted: number;
  rejected: number;
  /** Answers to items whose answers are known. */
  gold: { right: number; of: number };
  waiting: number;
}

/** A worker of the second evaluation; `read` are the assignments to be reviewed for it. */
export interface Ranked {
  worker: string;
  stage: Stage;
  score: number;
  read: number[];
}

export interface Bonus {
  key: string;
  worker: string;
  stage: Stage;
  assignment: number;
  cents: number;
  score: number;
}

export interface Booked {
  time: number;
  key: string;
  worker: string;
  kind: string;
  cents: number;
  reason: string;
  assignment: number | null;
}

interface Total {
  rows: number;
  cents: number;
}

export interface Funnel {
  stage: Stage;
  entered: number;
  attempted: number;
  passed: number;
  went_on: number;
  passed_share: number | null;
}

export interface Order {
  happy: number | null;
  all: number | null;
  happy_dialogues: number;
  dialogues: number;
  checked: string[];
  published: { happy: number | null; all: number | null; checked: number } | null;
}

/** How far a stage is: units wanted, complete and under way. */
export interface Progress {
  stage: Stage;
  kind: string;
  wanted: number;
  complete: number;
  live: number;
}

export interface Dashboard {
  study: string;
  /** The codes of the languages that people choose from. */
  languages: string[];
  /** The code of what money is counted in (ISO 4217). */
  currency: string;
  batch: string;
  pilot: boolean;
  paused: boolean;
  /** Dialogues wanted of each scenario. */
  target: number;
  now: number;
  records: number;
  /** Cents that may be booked; null without a limit. */
  budget: number | null;
  stages: Progress[];
  quota: { wanted: number; complete: number; live: number; scenarios: number; exhausted: number };
  rooms: LiveUnit[];
  waiting: Waiter[];
  before: Before[];
  samples: Sample[];
  queue: Submission[];
  handed_in: Submission[];
  workers: Worker[];
  ranking: Ranked[];
  proposed: Bonus[];
  ledger: {
    totals: { payment: Total; bonus: Total; rejection: Total; cents: number };
    rows: Booked[];
  };
  funnel: Funnel[];
  /** Null until a dialogue is complete. */
  order: {
    tasks: Record<string, Order>;
    mean: { happy: number | null; all: number | null };
  } | null;
  /** The server's own records have the role `server`: records of the unit that it could not read. */
  comments: { room: number; role: string; text: string; time: number }[];
  /** Whether annotators start from pre-labels. */
  prelabels: boolean;
  unchecked: { what: string; wanted: unknown }[];
  links: Record<string, string>;
  /** The rights of the token. */
  role: "viewer" | "reviewer" | "owner";
  connections: number;
  failure: string | null;
}

export interface Candidate {
  id: string;
  text?: string | null;
}

/** A record of a unit's log; of the bodies only what is shown is named. */
/** The sound of a spoken turn. */
export interface SaidSound {
  Digest: string;
  Media: string;
  Seconds: number;
}

export interface UnitRecord {
  seq: number;
  time: number;
  author: string;
  body: {
    type: string;
    text?: string | null;
    agent?: string;
    api?: string;
    constraints?: { slot: string; operator?: string; values?: unknown[] }[];
    items?: Record<string, unknown>[];
    total?: number | null;
    candidates?: Candidate[];
    kind?: string;
    task?: string | null;
    action?: string;
    reason?: string | null;
    place?: string;
    to?: string | null;
    answers?: Record<string, boolean>;
    rating?: number | null;
    comment?: string | null;
    cause?: string;
    outcome?: string;
    part?: string;
    value?: unknown;
    layers?: { parts?: { acts?: { name: string }[] }[] }[];
    extra?: { Sound?: SaidSound };
  };
}

export interface UnitLog {
  number: number;
  closed: boolean;
  /** The task of each of its people. */
  texts: Record<string, string>;
  records: UnitRecord[];
}

/** True if the person may end, write and review; viewers may not. */
export const judges = ({ role }: Dashboard): boolean => role !== "viewer";

/** Does something on the server and reads the dashboard anew; a refusal is shown. */
export type Act = (path: string, body: unknown) => Promise<boolean>;

/** The result of an assignment: a row of `accounts.csv`. */
export interface Account {
  assignment: number;
  worker: string;
  outcome: Outcome;
  code: string;
  total: number;
}
