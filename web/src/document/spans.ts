/** Spans of a line: where they are drawn, what is chosen, and what a label does to it. */

import type { MarkedSpan } from "./state";

/** Characters of a text that are chosen, as places in the string; `used` once they have a label. */
export interface Chosen {
  from: number;
  to: number;
  used?: boolean;
}

/** A label on characters, in a lane below the text where it covers no other one. */
export interface Drawn {
  from: number;
  to: number;
  label: string;
  lane: number;
}

/** A piece of a text that is under the same labels; `ends` are those whose last piece it is. */
export interface Piece {
  from: number;
  text: string;
  chosen: boolean;
  under: Drawn[];
  ends: Drawn[];
}

/** Words with what is inside of them (7:30, café-latte), and single signs. */
const WORDS = /[\p{L}\p{N}\p{M}_$€£@#]+(?:[.,:'’/-][\p{L}\p{N}\p{M}]+)*%?|[^\s]/gu;

/** Characters as the server counts them: code points, not the halves of surrogate pairs. */
export const points = (text: string): string[] => Array.from(text);

/** The place in a string of a number of code points. */
const inString = (text: string, count: number): number =>
  points(text).slice(0, count).join("").length;

export const wordsOf = (text: string): Chosen[] =>
  Array.from(text.matchAll(WORDS), ({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
  }));

/** The word around a place, if there is one. */
export const wordAt = (text: string, place: number): Chosen | undefined =>
  wordsOf(text).find(({ from, to }) => from <= place && place < to);

/** A range without the blanks around it; nothing where it has only blanks. */
export function trimmed(text: string, { from, to }: Chosen): Chosen | null {
  const inside = text.slice(from, to);
  const lead = inside.length - inside.trimStart().length;
  const size = inside.trim().length;
  return size ? { from: from + lead, to: from + lead + size } : null;
}

/** A choice whose first or last character is another one. */
function nudged(text: string, { from, to }: Chosen, by: 1 | -1, atEnd: boolean): Chosen {
  const [first, last] = atEnd ? [from, to + by] : [from + by, to];
  const inside = first >= 0 && last <= text.length && first < last;
  return inside ? { from: first, to: last } : { from, to };
}

/** The choice after an arrow key: another word, or with Shift more or fewer of them. */
export function stepped(
  text: string,
  chosen: Chosen | null,
  by: 1 | -1,
  { shiftKey, ctrlKey }: { shiftKey: boolean; ctrlKey: boolean },
): Chosen | null {
  const words = wordsOf(text);
  if (!chosen) return (by > 0 ? words[0] : words.at(-1)) ?? null;
  const { from, to } = chosen;
  if (ctrlKey) return nudged(text, chosen, by, shiftKey);
  const before = words.findLast((word) => word.to <= from);
  const after = words.find((word) => word.from >= to);
  if (!shiftKey) return (by > 0 ? after : before) ?? chosen;
  if (by > 0) return { from, to: after?.to ?? to };
  const shorter = words.findLast((word) => word.from >= from && word.to < to);
  return { from: shorter ? from : (before?.from ?? from), to: shorter?.to ?? to };
}

/** The labels of spans with their lanes: longer ones farther from the text. */
export function drawn(text: string, spans: MarkedSpan[]): Drawn[] {
  const labels = spans.flatMap(({ start, end, labels }) =>
    labels.map((label) => ({ from: inString(text, start), to: inString(text, end), label })),
  );
  labels.sort((one, two) => one.to - one.from - (two.to - two.from) || one.from - two.from);
  const placed: Drawn[] = [];
  for (const each of labels) {
    const taken = placed.filter(({ from, to }) => from < each.to && each.from < to);
    let lane = 0;
    while (taken.some((other) => other.lane === lane)) lane++;
    placed.push({ ...each, lane });
  }
  return placed;
}

/** A text cut at its words, its labels and its choice. */
export function pieces(text: string, labels: Drawn[], chosen: Chosen | null): Piece[] {
  const ranges = [...wordsOf(text), ...labels, ...(chosen ? [chosen] : [])];
  const cuts = [...new Set([0, text.length, ...ranges.flatMap(({ from, to }) => [from, to])])];
  cuts.sort((one, two) => one - two);
  return cuts.slice(0, -1).map((from, place) => {
    const to = cuts[place + 1] ?? text.length;
    const under = labels.filter((each) => each.from <= from && to <= each.to);
    return {
      from,
      text: text.slice(from, to),
      chosen: chosen !== null && chosen.from <= from && to <= chosen.to,
      under,
      ends: under.filter((each) => each.to === to),
    };
  });
}

/** The span of the characters that are chosen, with its labels; without any it is new. */
export function spanAt(text: string, spans: MarkedSpan[], { from, to }: Chosen): MarkedSpan {
  const start = points(text.slice(0, from)).length;
  const inside = text.slice(from, to);
  const end = start + points(inside).length;
  const there = spans.find((span) => span.start === start && span.end === end);
  return there ?? { start, end, text: inside, labels: [] };
}

/** Spans with one of them in place of the one on the same characters; without labels it goes. */
export function withSpan(spans: MarkedSpan[], span: MarkedSpan): MarkedSpan[] {
  const others = spans.filter(({ start, end }) => start !== span.start || end !== span.end);
  const all = span.labels.length ? [...others, span] : others;
  return all.sort((one, two) => one.start - two.start || one.end - two.end);
}

/** Spans without a label on its characters. */
export function without(spans: MarkedSpan[], text: string, { label, ...place }: Drawn) {
  const span = spanAt(text, spans, place);
  return withSpan(spans, { ...span, labels: span.labels.filter((each) => each !== label) });
}

/** Labels with one more, or without it where they have it, with an ending or not. */
export function turned(labels: string[], label: string, endings: string[] = []): string[] {
  const others = labels.filter((each) => each !== label && ended(each, endings)[0] !== label);
  return others.length < labels.length ? others : [...labels, label].sort();
}

/** A label's name and its ending, if it has one of them. */
export function ended(label: string, endings: string[]): [string, string | undefined] {
  const ending = endings.find((each) => label.endsWith(`.${each}`));
  return [ending ? label.slice(0, -ending.length - 1) : label, ending];
}

/** Labels with an ending in place of any other one, or without it where all have it. */
export function withEnding(labels: string[], ending: string, endings: string[]): string[] {
  const all = labels.every((label) => ended(label, endings)[1] === ending);
  const bare = [...new Set(labels.map((label) => ended(label, endings)[0]))];
  return all ? bare : bare.map((label) => `${label}.${ending}`);
}
