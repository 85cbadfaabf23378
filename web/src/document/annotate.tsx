/** Marking each utterance, layer by layer; settling what two annotators marked otherwise. */

import { Problem } from "../fields";
import { Announce, TaskText } from "../parts";
import { t } from "../texts";
import { PickLines } from "./lines";
import { Marking } from "./marking";
import { asksOfDialogue, asksOfTurn, isOwn, lineOf, OwnQuestions, type Value } from "./own";
import { relationText, withSpans } from "./relations";
import { useSaving } from "./saving";
import * as spans from "./spans";
import type { AnnotatorUnit } from "./state";
import { Submit, wide } from "./submit";
import { MarkedText } from "./text";
import { keysOf, marksOf, pointerOf, useWork, type Work } from "./working";

export function AnnotatePage({ unit }: { unit: AnnotatorUnit }) {
  const work = useWork(unit);
  const { saving, settles, current, span } = work;
  const { parts, saved, problem } = saving;
  const { lines } = unit.item;
  const own = useSaving<Value>();
  const given = (part: string): Value | null => own.parts[part]?.value ?? null;
  const whole = asksOfDialogue(unit.item.asks);
  const show = (part: string) => {
    const line = lineOf(part);
    if (line !== null) work.go(line);
    if (isOwn(part))
      setTimeout(() => document.querySelector<HTMLElement>(`[name="q-${part}"]`)?.focus());
  };
  return (
    <main class="unit user annotate">
      <aside class="side" aria-label={t("annotate.what")}>
        <Guidelines unit={unit} />
        {whole.length > 0 && (
          <section class="card whole" aria-label={t("annotate.dialogue")}>
            <OwnQuestions unit={unit.number} asks={whole} given={given} onRate={own.save} />
          </section>
        )}
        <Submit unit={unit} saved={saved} ready="annotate.ready" onShow={show} />
      </aside>
      <section
        class="card chat"
        aria-label={t("chat.title")}
        onKeyDown={keysOf(unit, work)}
        onClick={pointerOf(unit, work)}
      >
        <PickLines
          lines={lines}
          current={current}
          onPick={(place) => work.go(place)}
          fate={(place) => {
            const lacks = unit.problems.some(({ part }) => part !== null && lineOf(part) === place);
            if (parts[String(place)] && !lacks) return "annotate.done";
            return settles && !lines[place]?.same ? "annotate.open" : null;
          }}
          shown={(place) => (
            <>
              <LineText unit={unit} work={work} place={place} />
              {marksOf(unit, parts, place).relations.map((each) => (
                <p key={relationText(each, lines, place)} class="small soft" dir="auto">
                  {relationText(each, lines, place)}
                </p>
              ))}
            </>
          )}
        />
        <Announce text={span ? span.text : ""} />
        <Marking key={current} unit={unit} work={work}>
          <OwnQuestions
            unit={unit.number}
            asks={asksOfTurn(unit.item.asks, lines[current]?.from ?? "user")}
            turn={current}
            given={given}
            onRate={own.save}
          />
        </Marking>
        <Problem text={problem ?? own.problem} />
      </section>
    </main>
  );
}

/** The text of a line; that of the line at hand has the keyboard. */
function LineText({ unit, work, place }: { unit: AnnotatorUnit; work: Work; place: number }) {
  const { labels, chosen, field, saving } = work;
  const text = unit.item.lines[place]?.text ?? "";
  const marks = marksOf(unit, saving.parts, place);
  if (place !== work.current)
    return (
      <p class="marked" dir="auto" data-line={place}>
        <MarkedText text={text} spans={marks.spans} labels={labels} />
      </p>
    );
  return (
    <p
      id="marked"
      class="marked"
      dir="auto"
      data-line={place}
      ref={field}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its words are chosen with arrow keys
      tabIndex={0}
      role="application"
      aria-label={t("annotate.line", { number: place + 1, text })}
    >
      <MarkedText
        text={text}
        spans={marks.spans}
        labels={labels}
        chosen={chosen}
        onRemove={(each) => {
          work.put(withSpans(marks, spans.without(marks.spans, text, each)));
          field.current?.focus();
        }}
      />
    </p>
  );
}

function Guidelines({ unit }: { unit: AnnotatorUnit }) {
  const { guidelines, layers, asks } = unit.item;
  const kind = unit.role === "adjudicator" ? "settle" : layers.length ? "annotate" : "answer";
  return (
    <details class="card task" open={wide()}>
      <summary>
        <h1 class="task-title">{t(`${kind}.title`)}</h1>
      </summary>
      <p>{t(`${kind}.text`)}</p>
      {guidelines && <TaskText text={guidelines} />}
      <ul>
        {layers.map((layer) => (
          <li key={layer}>{t(`annotate.how.${layer}`)}</li>
        ))}
        {asks.length > 0 && <li>{t("annotate.how.asks")}</li>}
        <li>{t("annotate.how.next")}</li>
      </ul>
    </details>
  );
}
