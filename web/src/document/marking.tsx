/** The marks of one utterance: its text, in which spans are chosen, its spans, its acts. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../texts";
import { points } from "./saving";
import type { MarkedAct, MarkedLine, MarkedSpan, Marks } from "./state";

interface Props {
  line: MarkedLine;
  place: number;
  marks: Marks;
  labels: string[];
  acts: string[];
  last: boolean;
  onChange: (marks: Marks) => void;
  onNext: () => void;
}

export function Marking({ line, place, marks, labels, acts, last, onChange, onNext }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [label, setLabel] = useState(labels[0] ?? "");
  useLayoutEffect(() => {
    if (place > 0) field.current?.focus();
  }, []);

  /** Adds the label to the characters that are chosen; another label on the same ones is kept. */
  const mark = (chosen: string) => {
    const range = field.current;
    if (!range || !chosen) return;
    const [from, to] = trimmed(line.text, range.selectionStart, range.selectionEnd);
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
  return (
    <div class="marking">
      {line.marks && <Made line={line} onTake={onChange} />}
      <label for="marked">{t("annotate.line", { number: place + 1 })}</label>
      <textarea
        id="marked"
        ref={field}
        readOnly
        rows={2}
        dir="auto"
        value={line.text}
        aria-keyshortcuts="1 2 3 4 5 6 7 8 9 Control+Enter"
        onKeyDown={(event) => {
          const digit = Number(event.key);
          if (event.key === "Enter" && event.ctrlKey) onNext();
          else if (event.key === "Enter") mark(label);
          else if (digit >= 1 && !event.ctrlKey && !event.altKey) mark(labels[digit - 1] ?? "");
          else return;
          event.preventDefault();
        }}
      />
      <div class="row">
        <label class="heard" for="label">
          {t("annotate.label")}
        </label>
        <select id="label" value={label} onChange={(event) => setLabel(event.currentTarget.value)}>
          {labels.map((each, number) => (
            <option key={each} value={each}>
              {number < 9 ? `${number + 1} · ${each}` : each}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => mark(label)}>
          {t("annotate.mark")}
        </button>
      </div>
      <Spans spans={marks.spans} onChange={(spans) => onChange({ ...marks, spans })} />
      <Acts
        marks={marks}
        labels={labels}
        acts={acts}
        onChange={(made) => onChange({ ...marks, acts: made })}
      />
      <div class="row">
        <button type="button" class="main" onClick={onNext}>
          {t(last ? "annotate.last" : "annotate.next")}
        </button>
      </div>
    </div>
  );
}

const byPlace = (one: MarkedSpan, two: MarkedSpan) => one.start - two.start || one.end - two.end;

/** A selection without the blanks around it. */
function trimmed(text: string, from: number, to: number): [number, number] {
  const chosen = text.slice(from, to);
  const lead = chosen.length - chosen.trimStart().length;
  return [from + lead, from + lead + chosen.trim().length];
}

export function told({ spans, acts }: Marks): string {
  const marked = spans.map(({ text, labels }) => `“${text}” ${labels.join(", ")}`);
  return [...marked, ...acts.map(act)].join("; ") || t("annotate.none");
}

const act = ({ act: name, slot, value }: MarkedAct): string =>
  slot ? `${name}(${slot}${value ? ` = ${value}` : ""})` : name;

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
          <span>{told(marks)}</span>
        </li>
      ))}
    </ul>
  );
}

function Spans({ spans, onChange }: { spans: MarkedSpan[]; onChange: (s: MarkedSpan[]) => void }) {
  return (
    <ul class="plain chips" aria-label={t("annotate.spans")}>
      {spans.map((span) => (
        <li key={`${span.start}-${span.end}`} class="chip">
          <span>
            “{span.text}” {span.labels.join(", ")}
          </span>
          <button
            type="button"
            class="quiet small"
            onClick={() => onChange(spans.filter((each) => each !== span))}
          >
            {t("annotate.remove")}
            <span class="heard"> {span.text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ActsProps {
  marks: Marks;
  labels: string[];
  acts: string[];
  onChange: (acts: MarkedAct[]) => void;
}

function Acts({ marks, labels, acts, onChange }: ActsProps) {
  const [name, setName] = useState(acts[0] ?? "");
  const [slot, setSlot] = useState("");
  const [value, setValue] = useState("");
  const add = () => {
    const made: MarkedAct = { act: name };
    if (slot) made.slot = slot;
    if (slot && value.trim()) made.value = value.trim();
    const there = marks.acts.some((each) => act(each) === act(made));
    if (!there) onChange([...marks.acts, made]);
    setValue("");
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <div class="row">
        <label class="heard" for="act">
          {t("annotate.act")}
        </label>
        <select id="act" value={name} onChange={(event) => setName(event.currentTarget.value)}>
          {acts.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <label class="heard" for="slot">
          {t("annotate.slot")}
        </label>
        <select id="slot" value={slot} onChange={(event) => setSlot(event.currentTarget.value)}>
          <option value="">{t("annotate.slot.none")}</option>
          {labels.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <label class="heard" for="value">
          {t("annotate.value")}
        </label>
        <input
          id="value"
          value={value}
          maxLength={200}
          placeholder={t("annotate.value")}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <button type="submit">{t("annotate.add")}</button>
      </div>
      <ul class="plain chips" aria-label={t("annotate.acts")}>
        {marks.acts.map((each) => (
          <li key={act(each)} class="chip">
            <span>{act(each)}</span>
            <button
              type="button"
              class="quiet small"
              onClick={() => onChange(marks.acts.filter((one) => one !== each))}
            >
              {t("annotate.remove")}
              <span class="heard"> {act(each)}</span>
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}
