/** The answers of the server about runs (src/dialoom/studio/runs). */

import type { Line } from "../corpora/types";

export interface Table {
  title: string;
  header: string[];
  rows: string[][];
  /** The columns of numbers. */
  numeric: boolean[];
  notes: string[];
}

export interface PlayedRow {
  id: string;
  task: string;
  goal: number;
  trial: number;
  /** The class of its failure; null where it reached its goal. */
  failure: string | null;
  what: string;
  turns: number;
  /** Whether the other run reached the goal in this trial. */
  other: boolean | null;
}

export interface Run {
  names: string[];
  user: string;
  success: (number | null)[];
  tables: Table[];
  /** Class of failures to its meaning. */
  classes: Record<string, string>;
  dialogues: PlayedRow[];
  unpaired: string;
}

export interface Played {
  id: string;
  failure: string | null;
  differences: string[];
  facts: [string, string[]][];
  lines: Line[];
  tasks: { path: string; lines: Record<string, number> }[];
  /** Event to the name of its act or call in the task. */
  names: Record<string, string>;
}

/** An agent or a user; `address` if one follows its name after a colon. */
export interface Choice {
  name: string;
  about: string;
  address: boolean;
}

export interface Choices {
  agents: Choice[];
  users: Choice[];
}

/** The run that is made, or was made last. */
export interface RunState {
  phase: "none" | "playing" | "done" | "failed" | "stopped";
  path: string;
  played: number;
  dialogues: number;
  what: string;
}

export interface Result {
  title: string;
  model: string;
  corpus: string;
  asked: number;
  notices: string[];
  tables: Table[];
  confusions: { gold: string; predicted: string; n: number }[];
  holdouts: string[];
  predictions: boolean;
}

export interface Wrong {
  total: number;
  rows: { holdout: string; dialogue: string; event: number; gold: string; predicted: string }[];
}
