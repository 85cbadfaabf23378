/** Work on the lines of a dialogue: the line at hand, the words chosen in it, and what keys do. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { NOTHING, withAct } from "./acts";
import { endingOf } from "./legend";
import { lineOf } from "./own";
import { TARGET, withSpans } from "./relations";
import { type Part, type Saving, useSaving } from "./saving";
import * as spans from "./spans";
import type { AnnotatorUnit, Marks } from "./state";
import { actKeys, labelsOf } from "./words";

const NONE: Marks = { spans: [], acts: [], states: [], relations: [], active: null };

type Parts = Record<string, Part<Marks>>;

/** The saved annotation of a line, or its initial one. */
export function marksOf(unit: AnnotatorUnit, parts: Parts, place: number): Marks {
  const saved = parts[String(place)]?.value;
  if (saved) return saved;
  const settles = unit.role === "adjudicator";
  const given = unit.item.lines[place]?.marks ?? [];
  const marks = settles ? common(given) : (given[0] ?? NONE);
  return marks.states.length || settles ? marks : { ...marks, states: carried(unit, parts, place) };
}

/** The marks of all annotators. */
function common(given: Marks[]): Marks {
  const [first = NONE, ...others] = given;
  const has = (marks: unknown[], one: unknown) =>
    marks.some((each) => JSON.stringify(each) === JSON.stringify(one));
  const all = (layer: "spans" | "acts" | "states" | "relations") =>
    (first[layer] as unknown[]).filter((one) => others.every((marks) => has(marks[layer], one)));
  return {
    spans: all("spans") as Marks["spans"],
    acts: all("acts") as Marks["acts"],
    states: all("states") as Marks["states"],
    relations: all("relations") as Marks["relations"],
    active: others.every(({ active }) => active === first.active) ? first.active : null,
  };
}

/** A user's state goes on from line to line. */
function carried({ item }: AnnotatorUnit, parts: Parts, place: number): Marks["states"] {
  if (item.lines[place]?.from !== "user") return [];
  for (let before = place - 1; before >= 0; before--) {
    if (item.lines[before]?.from === "user") {
      const states = parts[String(before)]?.value?.states ?? [];
      return states.map(({ requested: _, ...state }) => state);
    }
  }
  return [];
}

/** Saves marks so that they can be taken back: `undo` is there once something was saved. */
function useHistory({ parts, save }: Saving<Marks>, onUndo: (part: string) => void) {
  const [before, setBefore] = useState<{ part: string; value: Marks | null }[]>([]);
  const put = (part: string, value: Marks) => {
    setBefore([...before, { part, value: parts[part]?.value ?? null }]);
    void save(part, value);
  };
  const last = before.at(-1);
  const undo =
    last &&
    (() => {
      setBefore(before.slice(0, -1));
      void save(last.part, last.value);
      onUndo(last.part);
    });
  return { put, undo };
}

export type Work = ReturnType<typeof useWork>;

export function useWork(unit: AnnotatorUnit) {
  const { item } = unit;
  const { lines, layers, endings } = item;
  const settles = unit.role === "adjudicator";
  const labels = labelsOf(item);
  const [current, setCurrent] = useState(() => lineOf(unit.problems[0]?.part ?? "0") ?? 0);
  const [chosen, setChosen] = useState<spans.Chosen | null>(null);
  const [about, setAbout] = useState(NOTHING);
  const field = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => field.current?.focus(), [current]);

  const go = (place: number, words: spans.Chosen | null = null) => {
    setCurrent(place);
    setChosen(words);
    setAbout(NOTHING);
  };
  const saving = useSaving<Marks>((part) => go(lineOf(part) ?? current));
  const history = useHistory(saving, (part) => go(Number(part)));
  const { parts } = saving;
  const text = lines[current]?.text ?? "";
  const marks = marksOf(unit, parts, current);
  const span = chosen && spans.spanAt(text, marks.spans, chosen);
  const put = (made: Marks) => history.put(String(current), made);
  const turn = (by: 1 | -1) => {
    if (by > 0 && !settles && !parts[String(current)]) put(marks);
    const open = lines.findIndex((line, place) => place > current && !line.same);
    const next = settles && by > 0 ? open : current + by;
    if (lines[next]) go(next);
    else if (by > 0) document.querySelector<HTMLElement>("#submit")?.focus();
  };
  const relabel = (made: string[]) => {
    if (!span || !layers.includes("spans")) return;
    put(withSpans(marks, spans.withSpan(marks.spans, { ...span, labels: made })));
    setChosen(chosen && { ...chosen, used: made.length > 0 });
  };
  /** Labels the words that are chosen; without any, the next act is about the label. */
  const label = (name: string) => {
    if (span) relabel(spans.turned(span.labels, name, endings));
    else if (layers.includes("acts") && item.slots.includes(name))
      setAbout({ ...NOTHING, slot: name });
  };
  const end = (ending: string) => span && relabel(spans.withEnding(span.labels, ending, endings));
  const aboutChosen = () => {
    if (!span || !layers.includes("acts")) return;
    const bare = span.labels.map((each) => spans.ended(each, endings)[0]);
    const slot = bare.find((each) => item.slots.includes(each)) ?? about.slot;
    setAbout({ ...about, slot, value: span.text });
  };
  const act = (name: string) => {
    put(withAct(marks, name, about));
    setAbout(NOTHING);
    field.current?.focus();
  };
  return {
    ...{ saving, labels, settles, current, marks, text, chosen, span, about, field },
    ...{ go, put, turn, relabel, label, end, aboutChosen, act, setAbout, setChosen },
    undo: history.undo,
  };
}

/** The action of a key in a line; nothing for other keys. */
function meaning(unit: AnnotatorUnit, work: Work, key: string): (() => void) | undefined {
  const { labels: all, acts, layers, endings } = unit.item;
  const named = all.find((each) => work.labels.key(each) === key);
  const ending = endingOf(key, endings);
  const added = layers.includes("acts") ? actKeys(acts).get(key) : undefined;
  if (named) return () => work.label(named);
  if (ending) return () => work.end(ending);
  if (added) return () => work.act(added);
  return {
    "=": work.aboutChosen,
    ">": () => document.getElementById(TARGET)?.focus(),
    Backspace: () => work.relabel([]),
    Delete: () => work.relabel([]),
    Escape: () => work.go(work.current),
  }[key];
}

/** The actions of keys in all layers. */
function command(unit: AnnotatorUnit, work: Work, event: KeyboardEvent) {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  const target = event.target as Element;
  const offered = work.settles && shiftKey ? unit.item.lines[work.current]?.marks : undefined;
  const taken = offered?.[Number(event.code.slice(-1)) - 1];
  if (taken) return () => work.put(taken);
  if (ctrlKey && key === "z") return work.undo;
  if (key === "Enter" && (ctrlKey || target === work.field.current))
    return () => work.turn(shiftKey ? -1 : 1);
  if (target.matches("input, select, textarea")) return undefined;
  const by = ({ ArrowRight: 1, ArrowLeft: -1 } as Record<string, 1 | -1>)[key];
  if (by) return () => work.setChosen(spans.stepped(work.text, work.chosen, by, event));
  return ctrlKey || altKey || metaKey ? undefined : meaning(unit, work, key);
}

/** Handles the keys of the dialogue and of its tools. */
export const keysOf = (unit: AnnotatorUnit, work: Work) => (event: KeyboardEvent) => {
  const act = command(unit, work, event);
  if (!act) return;
  event.preventDefault();
  act();
};

const lineAround = (node: Node | null): HTMLElement | null =>
  (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>("[data-line]") ??
  null;

/** The place in a line's text of a place in the page; nothing outside of its words. */
function placeOf(node: Node, offset: number): number | null {
  const piece = (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(
    "[data-from]",
  );
  return piece ? Number(piece.dataset.from) + (node instanceof Text ? offset : 0) : null;
}

/** Words are chosen by drawing over them with the mouse, and by a click or touch on each. */
export function pointerOf(unit: AnnotatorUnit, work: Work) {
  const { current, chosen } = work;
  /** Takes what a mouse has drawn over. */
  const drawn = (): boolean => {
    const selection = getSelection();
    if (!selection || selection.isCollapsed) return false;
    const range = selection.getRangeAt(0);
    const line = lineAround(range.startContainer) ?? lineAround(range.endContainer);
    if (!line) return false;
    const place = Number(line.dataset.line);
    const all = unit.item.lines[place]?.text ?? "";
    const from = placeOf(range.startContainer, range.startOffset) ?? 0;
    const inside = lineAround(range.endContainer) === line;
    const to = (inside && placeOf(range.endContainer, range.endOffset)) || all.length;
    work.go(place, spans.trimmed(all, { from, to }));
    return true;
  };
  const touched = (target: Element, longer: boolean) => {
    const line = lineAround(target);
    const at = placeOf(target, 0);
    if (!line || at === null) return;
    const place = Number(line.dataset.line);
    const word = spans.wordAt(unit.item.lines[place]?.text ?? "", at);
    if (!word) return;
    const open = place === current && chosen && !chosen.used && longer ? chosen : null;
    const within = open && open.from <= word.from && word.to <= open.to;
    if (within) work.setChosen(null);
    else
      work.go(place, {
        from: Math.min(word.from, open?.from ?? word.from),
        to: Math.max(word.to, open?.to ?? word.to),
      });
  };
  return (event: MouseEvent) => {
    const touch = event instanceof PointerEvent && event.pointerType === "touch";
    const longer = touch || event.shiftKey;
    if (longer || !drawn()) touched(event.target as Element, longer);
    getSelection()?.removeAllRanges();
  };
}
