/** The tools for the line at hand: what its words are labelled with, and a part for each layer. */

import type { ComponentChildren } from "preact";
import { t } from "../texts";
import { Acts, actText } from "./acts";
import { Frames } from "./frames";
import { Legend } from "./legend";
import { Relations, relationText } from "./relations";
import type { AnnotatorUnit, Marks } from "./state";
import { States, stateText } from "./states";
import { MarkedText } from "./text";
import type { Labels } from "./words";
import type { Work } from "./working";

interface Props {
  unit: AnnotatorUnit;
  work: Work;
}

/** `children` are questions about the line. */
export function Marking({ unit, work, children }: Props & { children: ComponentChildren }) {
  const { current, marks, labels, settles, span, put, turn, undo } = work;
  const { layers, lines, endings } = unit.item;
  const line = lines[current];
  if (!line) return null;
  return (
    <div class="marking">
      <div class="tools">
        {settles && <Made unit={unit} work={work} />}
        {layers.length > 0 && (
          <p class="soft small" role="status">
            {hint(unit, work)}
          </p>
        )}
        {layers.includes("spans") && (
          <Legend
            all={unit.item.labels}
            endings={endings}
            labels={labels}
            given={span?.labels ?? []}
            onLabel={(label) => {
              work.label(label);
              work.field.current?.focus();
            }}
            onEnding={work.end}
          />
        )}
        {layers.includes("relations") && <Relations unit={unit} work={work} />}
        {layers.includes("acts") && <Acts unit={unit} work={work} reads={line.from !== "user"} />}
        {layers.includes("states") && line.from === "user" && (
          <States
            marks={marks}
            services={unit.item.services}
            labels={labels}
            chosen={span?.text ?? ""}
            onChange={put}
          />
        )}
        {unit.frames && (
          <Frames
            lines={unit.frames}
            place={current}
            marks={marks}
            labels={labels}
            onChange={put}
          />
        )}
        {children}
      </div>
      <div class="row turns">
        <button type="button" aria-disabled={current === 0} onClick={() => turn(-1)}>
          {t("annotate.before")}
        </button>
        <button type="button" aria-disabled={!undo} onClick={undo}>
          {t("annotate.undo")}
        </button>
        <button type="button" class="main" onClick={() => turn(1)}>
          {t(current + 1 === lines.length ? "annotate.last" : "annotate.next")}
        </button>
      </div>
    </div>
  );
}

/** The effect of the next key. */
function hint({ item }: AnnotatorUnit, { span, about, labels }: Work): string {
  if (about.slot) {
    const value = about.value ? ` = ${about.value}` : "";
    return t("annotate.hint.about", { slot: `${labels.name(about.slot)}${value}` });
  }
  if (span) return t("annotate.hint.chosen", { text: span.text });
  return t(item.layers.includes("spans") ? "annotate.hint" : "annotate.hint.acts");
}

/** The marks of the annotators, drawn as they made them, to be taken over. */
function Made({ unit, work }: Props) {
  const { labels, current, put } = work;
  const { lines } = unit.item;
  const line = lines[current];
  if (!line || line.same) return <p class="soft small">{t("settle.same")}</p>;
  return (
    <ol class="plain made">
      {(line.marks ?? []).map((marks, number) => (
        <li key={number} class="row">
          <button
            type="button"
            class="small"
            aria-keyshortcuts={`Shift+${number + 1}`}
            onClick={() => put(marks)}
          >
            <kbd translate={false}>⇧{number + 1}</kbd> {t("settle.take", { number: number + 1 })}
          </button>
          <span class="marked" dir="auto">
            <MarkedText text={line.text} spans={marks.spans} labels={labels} />
          </span>
          <span class="small">
            {[
              marksText(marks, labels),
              ...marks.relations.map((each) => relationText(each, lines, current)),
            ]
              .filter(Boolean)
              .join("; ")}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** All that is not drawn in the line. */
function marksText({ acts, states, active }: Marks, labels: Labels): string {
  const frame = active ? [t("annotate.frame.one", { number: active })] : [];
  const said = [
    acts.map((act) => actText(act, labels)),
    states.map((state) => stateText(state, labels)),
    frame,
  ];
  return said.flat().join("; ");
}
