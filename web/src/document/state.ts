// Messages of the server about work on a document.

import type { Seat } from "../seat";
import type { Sound } from "../sound";
import type { Asked } from "../state";

/** Something that a document lacks to be handed in. */
export interface Lack {
  code: string;
  part: string | null;
  /** A value of a reworded line, and the places where it occurs. */
  value?: number;
  at?: [number, number][];
}

export interface WrittenTurn {
  speaker: "user" | "assistant";
  text: string;
}

export interface WriterUnit extends Seat {
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
  /** The frame it refers to; one more than there are is a new one. */
  frame?: number;
  /** Whether that is the frame that what is said comes from. */
  reads?: boolean;
}

/** The state of a service after a line, whole. */
export interface MarkedState {
  service: string;
  intent?: string;
  requested?: string[];
  values?: Record<string, string[]>;
}

/** A relation of characters of the line to those of a line of the dialogue. */
export interface MarkedRelation {
  relation: string;
  start: number;
  end: number;
  line: number;
  to_start: number;
  to_end: number;
}

export interface Marks {
  spans: MarkedSpan[];
  acts: MarkedAct[];
  states: MarkedState[];
  relations: MarkedRelation[];
  /** The frame that is active after the line, where it does not follow from the acts. */
  active: number | null;
}

export interface MarkedLine {
  from: "user" | "system";
  text: string;
  /** The marks of each annotator, for adjudicators, and whether it is the same; or what an
   * annotator begins with. */
  marks?: Marks[];
  same?: boolean;
}

/** Service to its intents, and to its slots with the values of those that list them. */
export type Services = Record<
  string,
  { intents: string[]; slots: Record<string, (string | number | boolean)[]> }
>;

export interface FrameChange {
  frame: number;
  parent: number | null;
  values: Record<string, string[]>;
}

/** The frame that is active after a line, and those that are new or changed. */
export interface LineFrames {
  active: number;
  changed: FrameChange[];
}

export interface AnnotatorUnit extends Seat {
  role: "annotator" | "adjudicator";
  problems: Lack[];
  item: {
    lines: MarkedLine[];
    layers: ("spans" | "acts" | "states" | "frames" | "relations")[];
    labels: string[];
    acts: string[];
    slots: string[];
    /** The endings that a label may have in addition: `accept`, `reject`. */
    endings: string[];
    /** The relations between spans. */
    relations: string[];
    /** Label, slot or service to its name as words and its description, which may be empty. */
    words: Record<string, { name: string; description: string }>;
    services: Services;
    guidelines: string;
    /** The study's own questions; an answer is a part of the document. */
    asks: Asked[];
  };
  /** The frames of each line, if frames are marked. */
  frames?: LineFrames[];
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

/** `starts` has where a value begins that occurs in several places. */
export interface RewordedLine {
  text: string;
  starts?: (number | null)[];
}

export interface ParaphraserUnit extends Seat {
  role: "paraphraser";
  problems: Lack[];
  item: { lines: SourceLine[] };
}

export interface RaterUnit extends Seat {
  role: "rater";
  problems: Lack[];
  item: {
    lines: { from: "user" | "system"; text: string }[];
    outputs: string[];
    criteria: string[];
    /** The names of the grades; empty where they are numbers. */
    scale: string[];
    judge: "rate" | "rank";
    /** The best grade, or the last rank. */
    most: number;
  };
}

export interface TesterUnit extends Seat {
  role: "tester";
  /** Whether the talk goes on; it is rated afterwards. */
  talking: boolean;
  /** Whether the bot has failed: then the talk is over, and nothing of it is rated. */
  failed: boolean;
  problems: Lack[];
  item: { task: string; about: string; goal: string; asks: Asked[] };
}

export interface SpokenLine {
  from: "user" | "system";
  /** The recogniser's text of a spoken line, or nothing. */
  text: string;
  sound?: Sound;
}

/** The typed text of a turn, or its removal; `speaker` where it was put in. */
export interface TypedTurn {
  text?: string;
  deleted?: boolean;
  speaker?: "user" | "system";
}

export interface TranscriberUnit extends Seat {
  role: "transcriber";
  problems: Lack[];
  item: { task: string; lines: SpokenLine[] };
}

export type DocumentUnit =
  | WriterUnit
  | AnnotatorUnit
  | ParaphraserUnit
  | RaterUnit
  | TesterUnit
  | TranscriberUnit;
