// What the server sends about work on a document.

import type { Seat } from "../state";

/** Something that a document lacks to be handed in. */
export interface Lack {
  code: string;
  part: string | null;
  /** Of a line in other words: the value it is about, and the places where it stands. */
  value?: number;
  at?: [number, number][];
}

export interface WrittenTurn {
  speaker: "user" | "assistant";
  text: string;
}

export interface WriterRoom extends Seat {
  role: "writer";
  /** The last event of the seat. */
  seq: number;
  problems: Lack[];
  item: {
    subject: string;
    text: string;
    wanted: Record<string, string>;
    /** Values that are asked for before and are not to be had. */
    first: Record<string, string>;
    required: string[];
    optional: string[];
    least: number;
  };
}

/** Characters `start` to `end` (code points) of a line, and their labels. */
export interface MarkedSpan {
  start: number;
  end: number;
  text: string;
  labels: string[];
}

export interface MarkedAct {
  act: string;
  slot?: string;
  value?: string;
}

export interface Marks {
  spans: MarkedSpan[];
  acts: MarkedAct[];
}

export interface MarkedLine {
  from: "user" | "system";
  text: string;
  /** What each annotator marked, for whoever settles it, and whether it is the same. */
  marks?: Marks[];
  same?: boolean;
}

export interface AnnotatorRoom extends Seat {
  role: "annotator" | "adjudicator";
  problems: Lack[];
  item: { lines: MarkedLine[]; labels: string[]; acts: string[] };
}

/** Characters of a line that are to be repeated, and the slot they are the value of. */
export interface KeptValue {
  start: number;
  end: number;
  text: string;
  label: string;
}

export interface SourceLine {
  from: "user" | "system";
  text: string;
  values: KeptValue[];
}

/** `starts` has where a value begins that stands in several places. */
export interface RewordedLine {
  text: string;
  starts?: (number | null)[];
}

export interface ParaphraserRoom extends Seat {
  role: "paraphraser";
  problems: Lack[];
  item: { lines: SourceLine[] };
}

export interface RaterRoom extends Seat {
  role: "rater";
  problems: Lack[];
  item: {
    lines: { from: "user" | "system"; text: string }[];
    outputs: string[];
    criteria: string[];
    judge: "rate" | "rank";
    /** The best grade, or the last rank. */
    most: number;
  };
}

export interface TesterRoom extends Seat {
  role: "tester";
  /** Whether the talk goes on; it is rated afterwards. */
  talking: boolean;
  problems: Lack[];
  item: { task: string; about: string; goal: string };
}

export type DocumentRoom = WriterRoom | AnnotatorRoom | ParaphraserRoom | RaterRoom | TesterRoom;
