/** The marks of one utterance: its text, in which spans are chosen, and a part for each layer. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../texts";
import { Acts, actText } from "./acts";
import { Chips, Choice, LayerOf } from "./chips";
import { Frames, framesAt } from "./frames";
import { placeIn, points } from "./saving";
import type { AnnotatorRoom, MarkedLine, MarkedSpan, Marks } from "./state";
import { States, stateText } from "./states";

interface Props {
  room: AnnotatorRoom;
  line: MarkedLine;
  place: number;
  marks: Marks;
  onChange: (marks: Marks) => void;
  /** Goes on to another line: the next one, or the one before. */
  onTurn: (by: 1 | -1) => void;
}

export function Marking({ room, line, place, marks, onChange, onTurn }: Props) {
  const { labels, layers, lines } = room.item;
  const field = useRef<HTMLTextAreaElement>(null);
  const [label, setLabel] = useState(labels[0] ?? "");
  useLayoutEffect(() => {
    if (place > 0) field.current?.focus();
  }, []);

  /** Adds the label to the characters that are chosen; another label on the same ones is kept. */
  const mark = (chosen: string) => {
    const range = field.current;
    if (!range || !chosen) return;
    const [from, to] = trimmed(line.text, ...selection(range, line.text));
    if (from >= to) return;
    const start = points(line.text.slice(0, from)).length;
    const text = line.text.slice(from, to);
    const end = start + points(text).length;
    const there = marks.spans.find((span) => span.start === start && span.end === end);
    const named = there ? there.labels : [];
    const span = { start, end, text, labels: [...new Set([...named, chosen])].sort() };
    const others = marks.spans.filter((each) => each !== there);
    onChange({ ...marks, spans: [...others, span].sort(byPlace) });
  };
  const chosen = () => {
    const range = field.current;
    return range ? line.text.slice(...selection(range, line.text)).trim() : "";
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !event.ctrlKey) return;
    onTurn(event.shiftKey ? -1 : 1);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="marking" onKeyDownCapture={keys}>
      {room.role === "adjudicator" && <Made line={line} onTake={onChange} />}
      <label for="marked">{t("annotate.line", { number: place + 1 })}</label>
      <textarea
        id="marked"
        ref={field}
        // Not `readOnly`: Chromium has no caret there that Shift and the arrow keys could move.
        aria-readonly
        inputMode="none"
        onBeforeInput={(event) => event.preventDefault()}
        onInput={(event) => {
          event.currentTarget.value = line.text;
        }}
        rows={2}
        dir="auto"
        value={line.text}
        aria-keyshortcuts="1 2 3 4 5 6 7 8 9 Control+Enter Control+Shift+Enter"
        onKeyDown={(event) => {
          const digit = Number(event.key);
          if (!layers.includes("spans") || event.ctrlKey || event.altKey) return;
          if (event.key === "Enter") mark(label);
          else if (digit >= 1) mark(labels[digit - 1] ?? "");
          else return;
          event.preventDefault();
        }}
      />
      {layers.includes("spans") && (
        <LayerOf name="annotate.spans">
          <div class="row">
            <Choice
              id="label"
              name={t("annotate.label")}
              value={label}
              options={labels.map((each, number) => ({
                value: each,
                text: number < 9 ? `${number + 1} · ${each}` : each,
              }))}
              onChange={setLabel}
            />
            <button type="button" onClick={() => mark(label)}>
              {t("annotate.mark")}
            </button>
          </div>
          <Chips
            name="annotate.spans"
            pieces={marks.spans.map((span) => ({
              text: spanText(span),
              remove: () =>
                onChange({ ...marks, spans: marks.spans.filter((each) => each !== span) }),
            }))}
          />
        </LayerOf>
      )}
      {layers.includes("acts") && (
        <Acts
          marks={marks}
          slots={room.item.slots}
          acts={room.item.acts}
          frames={room.frames ? framesAt(room.frames, place).length : null}
          reads={line.from !== "user"}
          onChange={onChange}
        />
      )}
      {layers.includes("states") && line.from === "user" && (
        <States marks={marks} services={room.item.services} chosen={chosen} onChange={onChange} />
      )}
      {room.frames && (
        <Frames lines={room.frames} place={place} marks={marks} onChange={onChange} />
      )}
      <div class="row">
        {place > 0 && (
          <button type="button" onClick={() => onTurn(-1)}>
            {t("annotate.before")}
          </button>
        )}
        <button type="button" class="main" onClick={() => onTurn(1)}>
          {t(place + 1 === lines.length ? "annotate.last" : "annotate.next")}
        </button>
      </div>
    </div>
  );
}

const byPlace = (one: MarkedSpan, two: MarkedSpan) => one.start - two.start || one.end - two.end;

/** The places in a text of what is selected in the field that shows it. */
const selection = (field: HTMLTextAreaElement, text: string): [number, number] => [
  placeIn(text, field.selectionStart),
  placeIn(text, field.selectionEnd),
];

/** A selection without the blanks around it. */
function trimmed(text: string, from: number, to: number): [number, number] {
  const chosen = text.slice(from, to);
  const lead = chosen.length - chosen.trimStart().length;
  return [from + lead, from + lead + chosen.trim().length];
}

const spanText = ({ text, labels }: MarkedSpan): string => `“${text}” ${labels.join(", ")}`;

function marksText({ spans, acts, states, active }: Marks): string {
  const frame = active ? [t("annotate.frame.one", { number: active })] : [];
  const all = [spans.map(spanText), acts.map(actText), states.map(stateText), frame];
  return all.flat().join("; ") || t("annotate.none");
}

/** What the annotators marked, to be taken over. */
function Made({ line, onTake }: { line: MarkedLine; onTake: (marks: Marks) => void }) {
  if (line.same) return <p class="soft small">{t("settle.same")}</p>;
  return (
    <ul class="plain made">
      {(line.marks ?? []).map((marks, number) => (
        <li key={number} class="row">
          <button type="button" class="small" onClick={() => onTake(marks)}>
            {t("settle.take", { number: number + 1 })}
          </button>
          <span>{marksText(marks)}</span>
        </li>
      ))}
    </ul>
  );
}
