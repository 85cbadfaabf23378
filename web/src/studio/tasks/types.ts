/** The server's answers about a task file (src/dialoom/studio/tasks). */

export interface Finding {
  code: string;
  severity: "error" | "warning" | "information";
  line: number;
  column: number;
  message: string;
  /** JSON pointer of what it is about. */
  pointer: string;
}

type Section = "flow" | "slots" | "apis" | "tables";

/** The names of each section, each with its line. */
export type Names = Partial<Record<Section, Record<string, number>>>;

export interface Checked {
  findings: Finding[];
  names: Names;
  /** The task's id, and its chart as SVG; null while there are errors. */
  task: string | null;
  chart: string | null;
}

export interface Mention {
  slot: string;
  value: unknown;
  start: number;
  end: number;
  confidence: number;
}

export interface Heard {
  action: string | null;
  function: string | null;
  asks: string[];
  mentions: Mention[];
  certainty: number;
}

export interface Line {
  index: number;
  speaker: string;
  text: string;
  kind: string;
  /** The node of the flow that it came from. */
  node: string | null;
  heard?: Heard | null;
}

export interface TaskText {
  path: string;
  text: string;
}

/** Properties of every panel. */
export interface PanelProps {
  /** The last text without errors; null before there is one. */
  sound: TaskText | null;
  names: Names;
  /** Goes to a line of the text. */
  onLine: (line: number) => void;
}
