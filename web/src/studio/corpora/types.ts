/** The answers of the server about corpora (src/dialoom/studio/corpora). */

export interface Row {
  number: number;
  id: string;
  split: string;
  tasks: string[];
  stage: string | null;
  outcome: string | null;
  turns: number;
  /** null before lint has checked it. */
  findings: number | null;
  /** Whether no other dialogue has its id. */
  unique: boolean;
  excerpt: string;
}

export interface Found {
  format: string | null;
  errors: string[];
  total: number;
  rows: Row[];
}

/** The values of each filter with their numbers of dialogues. */
export type Values = Record<
  "task" | "finding" | "split" | "stage" | "outcome",
  Record<string, number>
>;

export interface IndexState {
  phase: "opening" | "reading" | "checking" | "done" | "failed";
  dialogues: number;
  share: number;
  what: string;
}

export interface Form {
  kind: "act" | "span" | "state";
  name: string;
  lines: string;
  asked: string;
  start: number;
  end: number;
}

export interface Note {
  text: string;
  kind: string;
  pointer: string;
  form: Form | null;
}

export interface Remark {
  code: string;
  severity: string;
  message: string;
}

export interface Line {
  index: number;
  speaker: string;
  kind: string;
  /** Pieces of the text, each with the labels of the spans that it is in. */
  pieces: [string, string][];
  notes: Note[];
  findings: Remark[];
  more: string[];
}

export interface Patch {
  pointer: string;
  who: string;
  when: string;
  note: string;
  before?: unknown;
  after?: unknown;
}

export interface Dialogue {
  id: string;
  version: string;
  facts: [string, string][];
  answers: [string, string][];
  lines: Line[];
  checked: boolean;
  findings: Remark[];
  patches: Patch[];
  stale: string;
}

export interface Opened {
  number: number;
  file: string;
  dialogue: Dialogue;
  before: number | null;
  after: number | null;
  same: number[];
  who: string;
  overlay: string;
}
