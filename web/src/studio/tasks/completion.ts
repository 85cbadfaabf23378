/** Completion and hover of the editor: the grammar of task files, and the names of this task. */

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
} from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { t } from "../../texts";
import { about, heldAt, keysAt, type Schema, valuesAt } from "./grammar";
import { type Place, placeAt } from "./place";
import type { Names } from "./types";

/** Grammar and names of the task; the workbench keeps them up to date. */
export interface Known {
  schema: Schema | null;
  names: Names;
}

/** Section to the keys whose values are names of it. */
const REFERS: [keyof Names, string[]][] = [
  ["flow", ["then", "last", "confirms"]],
  ["slots", ["asks", "forget", "corrects", "slot", "unless", "next"]],
  ["apis", ["call", "apis"]],
  ["tables", ["table"]],
];

const TEXTS = ["user", "system", "not_understood"];

const lines = (state: EditorState): string[] => state.doc.toString().split("\n");

function here(state: EditorState, at: number): { place: Place; start: number; all: string[] } {
  const line = state.doc.lineAt(at);
  const all = lines(state);
  return { place: placeAt(all, line.number - 1, at - line.from), start: line.from, all };
}

/** The key whose value is written here, on its own line or as an item of a list below it. */
function keyed({ place }: { place: Place }): { key: string; place: Place } | null {
  const { key, path } = place;
  if (key !== null) return { key, place };
  const last = path.at(-1);
  return last && place.siblings.size === 0
    ? { key: last, place: { ...place, path: path.slice(0, -1) } }
    : null;
}

const named = (names: Names, section: keyof Names): Completion[] =>
  Object.entries(names[section] ?? {}).map(([label, line]) => ({
    label,
    detail: `${section}, line ${line}`,
    type: "variable",
  }));

function values(known: Known, found: { key: string; place: Place }, before: string): Completion[] {
  const { key, place } = found;
  if (TEXTS.includes(key)) return /\{\w*$/.test(before) ? named(known.names, "slots") : [];
  const refers = REFERS.find(([, keys]) => keys.includes(key))?.[0];
  const words = known.schema ? valuesAt(known.schema, place, key) : [];
  return [
    ...(refers ? named(known.names, refers) : []),
    ...words.map(({ label }): Completion => ({ label, type: "keyword" })),
  ];
}

function keys(known: Known, at: Place): Completion[] {
  const found = known.schema ? keysAt(known.schema, at) : [];
  // in the order of the grammar, what is required first
  return found.map(({ label, about, needed }, place) => ({
    label,
    apply: `${label}: `,
    detail: needed ? "required" : "",
    info: about,
    type: "property",
    boost: (needed ? 50 : 0) - Math.min(place, 49),
  }));
}

/** Suggestions for a place without keys in the grammar. */
function open({ schema }: Known, place: Place, item: boolean): Completion[] {
  const { name = null, item: listed = null } = schema ? heldAt(schema, place) : {};
  const word = t("studio.editor.name");
  const found: Completion[] = [];
  if (name !== null)
    found.push({
      label: word,
      apply: snippet(`\${${word}}: `),
      detail: t("studio.editor.own"),
      info: name,
    });
  if (listed !== null && !item)
    found.push({ label: "- ", detail: t("studio.editor.item"), info: listed });
  return found;
}

function offered(known: Known, place: Place, before: string, explicit: boolean): Completion[] {
  const found = keyed({ place });
  const written = found ? values(known, found, before) : [];
  if (place.key !== null) return written;
  const options = [...written, ...keys(known, place)];
  if (options.length > 0 || !explicit || place.word) return options;
  return open(known, place, /-\s*$/.test(before));
}

export const completing =
  (known: Known) =>
  (context: CompletionContext): CompletionResult | null => {
    const { place, start } = here(context.state, context.pos);
    const before = context.state.sliceDoc(start, context.pos);
    if (/(^|\s)#/.test(before) || (!place.word && !context.explicit && !before.endsWith("{"))) {
      return null;
    }
    const earlier = place.key === null ? "" : wordsBefore(before);
    const options = offered(known, place, before, context.explicit).filter(({ label }) =>
      label.startsWith(earlier),
    );
    // Enter is for the next line once a value is whole
    const whole = (typed: string) => options.some(({ label }) => label === typed);
    if (options.length === 0 || (whole(earlier + place.word) && !context.explicit)) return null;
    const validFor = (typed: string) => /^[\w. -]*$/.test(typed) && !whole(typed);
    return { from: start + place.from - earlier.length, options, validFor };
  };

/** The words of a value before the one at the cursor: "short " in `type: short te`. */
const wordsBefore = (before: string): string =>
  /:\s+([^\s,{}[\]][^,{}[\]]*\s)[\w.-]*$/.exec(before)?.[1] ?? "";

/** The description of a word: for a key from the grammar, for a name its line. */
function said(known: Known, state: EditorState, from: number, word: string): string {
  const { place, all } = here(state, from);
  const line = state.doc.lineAt(from);
  const isKey = /^\s*:/.test(line.text.slice(from - line.from + word.length));
  const inKey = isKey && known.schema;
  const described = inKey && about(known.schema as Schema, { ...place, siblings: new Map() }, word);
  if (described) return described;
  for (const [section, held] of Object.entries(known.names)) {
    const at = held[word];
    if (at !== undefined) return `${section}: line ${at}: ${(all[at - 1] ?? "").trim()}`;
  }
  return "";
}

export const hovering = (known: Known) =>
  hoverTooltip((view, at) => {
    const word = view.state.wordAt(at);
    if (!word) return null;
    const text = said(known, view.state, word.from, view.state.sliceDoc(word.from, word.to));
    if (!text) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "cm-about";
      dom.textContent = text;
      return { dom };
    };
    return { pos: word.from, end: word.to, create };
  });
