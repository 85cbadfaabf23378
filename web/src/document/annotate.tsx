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
import type { AnnotatorRoom } from "./state";
import { Submit, wide } from "./submit";
import { MarkedText } from "./text";
import { keysOf, marksOf, pointerOf, useWork, type Work } from "./working";

export function AnnotatePage({ room }: { room: AnnotatorRoom }) {
  const work = useWork(room);
  const { saving, settles, current, span } = work;
  const { parts, saved, problem } = saving;
  const { lines } = room.item;
  const own = useSaving<Value>();
  const given = (part: string): Value | null => own.parts[part]?.value ?? null;
  const whole = asksOfDialogue(room.item.asks);
  const show = (part: string) => {
    const line = lineOf(part);
    if (line !== null) work.go(line);
    if (isOwn(part))
      setTimeout(() => document.querySelector<HTMLElement>(`[name="q-${part}"]`)?.focus());
  };
  return (
    <main class="room user annotate">
      <aside class="side" aria-label={t("annotate.what")}>
        <Guidelines room={room} />
        {whole.length > 0 && (
          <section class="card whole" aria-label={t("annotate.dialogue")}>
            <OwnQuestions unit={room.number} asks={whole} given={given} onRate={own.save} />
          </section>
        )}
        <Submit room={room} saved={saved} ready="annotate.ready" onShow={show} />
      </aside>
      <section
        class="card chat"
        aria-label={t("chat.title")}
        onKeyDown={keysOf(room, work)}
        onClick={pointerOf(room, work)}
      >
        <PickLines
          lines={lines}
          current={current}
          onPick={(place) => work.go(place)}
          fate={(place) => {
            const lacks = room.problems.some(({ part }) => part !== null && lineOf(part) === place);
            if (parts[String(place)] && !lacks) return "annotate.done";
            return settles && !lines[place]?.same ? "annotate.open" : null;
          }}
          shown={(place) => (
            <>
              <LineText room={room} work={work} place={place} />
              {marksOf(room, parts, place).relations.map((each) => (
                <p key={relationText(each, lines, place)} class="small soft" dir="auto">
                  {relationText(each, lines, place)}
                </p>
              ))}
            </>
          )}
        />
        <Announce text={span ? span.text : ""} />
        <Marking key={current} room={room} work={work}>
          <OwnQuestions
            unit={room.number}
            asks={asksOfTurn(room.item.asks, lines[current]?.from ?? "user")}
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
function LineText({ room, work, place }: { room: AnnotatorRoom; work: Work; place: number }) {
  const { labels, chosen, field, saving } = work;
  const text = room.item.lines[place]?.text ?? "";
  const marks = marksOf(room, saving.parts, place);
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

function Guidelines({ room }: { room: AnnotatorRoom }) {
  const { guidelines, layers, asks } = room.item;
  const kind = room.role === "adjudicator" ? "settle" : layers.length ? "annotate" : "answer";
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
