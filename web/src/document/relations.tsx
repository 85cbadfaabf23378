/** Relations of the line's spans to other spans of the dialogue, and how they are made. */

import { useState } from "preact/hooks";
import { t } from "../texts";
import { AddingTo, Choice } from "./chips";
import { points } from "./spans";
import type { AnnotatorUnit, MarkedRelation, MarkedSpan, Marks } from "./state";
import { actName, type Labels } from "./words";
import { marksOf, type Work } from "./working";

/** The id of the choice of the other span, which a key of the line moves to. */
export const TARGET = "related";

/** Marks with other spans, without the relations of spans that are gone. */
export function withSpans(marks: Marks, spans: MarkedSpan[]): Marks {
  const stays = ({ start, end }: MarkedRelation) =>
    spans.some((span) => span.start === start && span.end === end);
  return { ...marks, spans, relations: marks.relations.filter(stays) };
}

/** "it → the hotel (refers to)" */
export function relationText(relation: MarkedRelation, lines: { text: string }[], place: number) {
  const slice = (line: number, start: number, end: number) =>
    points(lines[line]?.text ?? "")
      .slice(start, end)
      .join("");
  const { line, to_start, to_end } = relation;
  const from = slice(place, relation.start, relation.end);
  return `${from} → ${slice(line, to_start, to_end)} (${actName(relation.relation)})`;
}

interface Props {
  unit: AnnotatorUnit;
  work: Work;
}

export function Relations({ unit, work }: Props) {
  const { marks, current, span, put, field } = work;
  const { lines, relations } = unit.item;
  const [name, setName] = useState(relations[0] ?? "");
  const [target, setTarget] = useState("");
  const from = span?.labels.length ? span : null;
  const add = () => {
    const [line, to_start, to_end] = target.split(" ").map(Number);
    if (!from || line === undefined || to_start === undefined || to_end === undefined) return;
    const made = { relation: name, start: from.start, end: from.end, line, to_start, to_end };
    const others = marks.relations.filter((each) => JSON.stringify(each) !== JSON.stringify(made));
    put({ ...marks, relations: [...others, made] });
    setTarget("");
    field.current?.focus();
  };
  return (
    <AddingTo
      name="annotate.relations"
      pieces={marks.relations.map((each) => ({
        text: relationText(each, lines, current),
        remove: () => put({ ...marks, relations: marks.relations.filter((one) => one !== each) }),
      }))}
      onAdd={add}
    >
      {!from && <p class="soft small">{t("annotate.relation.none")}</p>}
      {from && (
        <div class="row">
          <b dir="auto">{from.text}</b>
          {relations.length > 1 ? (
            <Choice
              id="relation"
              name={t("annotate.relation")}
              value={name}
              options={relations.map((each) => ({ value: each, text: actName(each) }))}
              onChange={setName}
            />
          ) : (
            actName(name)
          )}
          <Choice
            id={TARGET}
            name={t("annotate.relation.target")}
            value={target}
            options={[
              { value: "", text: t("annotate.relation.choose") },
              ...targets(unit, work, from),
            ]}
            onChange={setTarget}
          />
          <button type="submit" aria-disabled={!target}>
            {t("annotate.relation.add")}
          </button>
        </div>
      )}
    </AddingTo>
  );
}

/** The labelled spans of the dialogue, the nearest earlier ones first. */
function targets(unit: AnnotatorUnit, { saving, current, labels }: Work, from: MarkedSpan) {
  const found = unit.item.lines.flatMap((_, line) =>
    marksOf(unit, saving.parts, line)
      .spans.filter(({ start }) => line !== current || start !== from.start)
      .map((span) => ({ line, span })),
  );
  const far = (line: number) => (line > current ? line : current - line);
  found.sort((one, two) => far(one.line) - far(two.line));
  return found.map(({ line, span }) => ({
    value: `${line} ${span.start} ${span.end}`,
    text: `${line + 1}: ${span.text} (${named(span, labels)})`,
  }));
}

const named = ({ labels: all }: MarkedSpan, labels: Labels): string =>
  all.map(labels.name).join(", ");
