/** Talking with a bot about a goal, and rating what it said. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Pending, underWay, useEnd } from "../chat";
import { forget, Length, Problem, Radios, TextField, tooLong, useDraft, yesNo } from "../fields";
import { Announce, TaskText, useFolded, useWire } from "../parts";
import { t } from "../texts";
import { type Again, Saying } from "../user";
import { asksOfDialogue, asksOfTurn, OwnQuestions, type RatingProps, type Value } from "./own";
import { Scale } from "./rate";
import { useSaving } from "./saving";
import type { TesterUnit } from "./state";
import { Submit } from "./submit";

const MOST = 5;

export function TalkPage({ unit }: { unit: TesterUnit }) {
  const wire = useWire();
  const { parts, saved, save, problem } = useSaving<Value>();
  const [open, setOpen] = useFolded("(max-width: 46rem), (max-height: 36rem)");
  const [again, setAgain] = useState<Again | null>(null);
  const given = (part: string): Value | null => parts[part]?.value ?? null;
  const said = wire.events.some(({ event }) => event.kind === "say");
  const on = said && unit.turn === unit.role && !underWay(wire.outbox);
  return (
    <main class={unit.talking ? "unit user" : "unit user annotate"}>
      <aside class="side" aria-label={t("task.title")}>
        <details
          class="card task"
          open={open}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>
            <h1 class="task-title">{t("task.title")}</h1>
          </summary>
          <TaskText text={unit.item.goal || t("talk.free")} />
        </details>
        {unit.talking ? (
          <section class="card finish">
            <button
              type="button"
              class={on ? "main" : ""}
              aria-disabled={!on}
              aria-describedby="talk-why"
              onClick={() => on && void wire.send("accomplish")}
            >
              {t("talk.end")}
            </button>
            <p class="soft small" id="talk-why">
              {t("talk.end.why")}
            </p>
          </section>
        ) : (
          <>
            {unit.failed && (
              <p class="notice bad" role="alert">
                {t("talk.failed")}
              </p>
            )}
            <Rating unit={unit} given={given} onRate={save} />
            <Submit
              unit={unit}
              saved={saved}
              ready={unit.failed ? "talk.failed.ready" : "talk.ready"}
              onShow={show}
            />
          </>
        )}
      </aside>
      <section class="card chat" aria-label={t("chat.title")}>
        <Said
          given={given}
          onRate={save}
          onRetry={(text) => setAgain({ text })}
          asked={(line, from) =>
            !unit.talking &&
            !unit.failed && (
              <OwnQuestions
                unit={unit.number}
                asks={asksOfTurn(unit.item.asks, from)}
                turn={line}
                given={given}
                onRate={save}
              />
            )
          }
        />
        {unit.talking && (
          <Saying
            number={unit.number}
            yours={unit.turn === unit.role && !underWay(wire.outbox)}
            wait="talk.wait"
            again={again}
          />
        )}
        <Problem text={problem} />
      </section>
    </main>
  );
}

/** Puts the keyboard on the first choice of a part. */
function show(part: string): void {
  document.querySelector<HTMLElement>(`[name="${part}"], [name="q-${part}"]`)?.focus();
}

interface SaidProps extends RatingProps {
  onRetry: (text: string) => void;
  /** The questions about a line. */
  asked: (line: number, from: string) => ComponentChildren;
}

/** The talk, each line of the bot with its rating. */
function Said({ given, onRate, onRetry, asked }: SaidProps) {
  const { events, outbox } = useWire();
  const lines = events.flatMap(({ event, seq }) =>
    event.kind === "say" ? [{ ...event, seq }] : [],
  );
  const pending = outbox.filter((message) => message.shown !== undefined);
  const last = lines.at(-1);
  const own = pending.length > 0 || last?.from === "user";
  const { scroller, behind, toEnd } = useEnd(lines.length + pending.length, own);
  return (
    <div class="talk">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
      <ol class="lines" {...scroller} tabIndex={0} aria-label={t("chat.lines")}>
        {lines.map(({ from, text, seq }, place) => (
          <li key={seq} class={from === "user" ? "line own" : "line"}>
            <span class="who">{t(from === "user" ? "chat.you" : "write.assistant")}</span>
            <p class="bubble" dir="auto">
              {text}
            </p>
            {from !== "user" && (
              <Verdict
                line={place + 1}
                value={given(`good.${place}`)}
                onRate={(good) => void onRate(`good.${place}`, good)}
              />
            )}
            {asked(place, from)}
          </li>
        ))}
        {pending.map((message) => (
          <Pending key={message.client_msg_id} message={message} onRetry={onRetry} />
        ))}
      </ol>
      {behind && (
        <button type="button" class="newer small" onClick={toEnd}>
          {t("chat.newer")} <span aria-hidden="true">↓</span>
        </button>
      )}
      <Announce text={last && last.from !== "user" ? last.text : ""} mark={last?.seq} />
    </div>
  );
}

interface VerdictProps {
  line: number;
  value: Value | null;
  onRate: (good: boolean | null) => void;
}

/** Whether a line was good; pressed again it is taken back. */
function Verdict({ line, value, onRate }: VerdictProps) {
  return (
    <span class="row">
      {([true, false] as const).map((good) => (
        <button
          key={String(good)}
          type="button"
          class="quiet small"
          aria-pressed={value === good}
          onClick={() => onRate(value === good ? null : good)}
        >
          {t(good ? "talk.good" : "talk.bad")}
          <span class="heard"> {line}</span>
        </button>
      ))}
    </span>
  );
}

/** How the dialogue was as a whole; only a comment if the bot has failed. */
function Rating({ unit, given, onRate }: RatingProps & { unit: TesterUnit }) {
  const rating = given("rating");
  const draft = `unit-${unit.number}-comment`;
  const before = String(given("comment") ?? "");
  const [comment, setComment] = useDraft(draft, before);
  return (
    <section class="card" aria-labelledby="talk-rating">
      <h2 id="talk-rating">{t("talk.rating.title")}</h2>
      {!unit.failed && (
        <>
          <Scale
            name="rating"
            title={t("talk.rating")}
            most={MOST}
            value={typeof rating === "number" ? rating : null}
            onChoose={(value) => void onRate("rating", value)}
          />
          <fieldset class="scale">
            <legend>{t("talk.reached")}</legend>
            <Radios<Value>
              name="reached"
              options={yesNo()}
              value={given("reached") ?? undefined}
              onChange={(reached) => void onRate("reached", reached)}
            />
          </fieldset>
          <OwnQuestions
            unit={unit.number}
            asks={asksOfDialogue(unit.item.asks)}
            given={given}
            onRate={onRate}
          />
        </>
      )}
      <label for="comment">{t("talk.comment")}</label>
      <TextField
        id="comment"
        name="comment"
        rows={2}
        value={comment}
        onChange={setComment}
        onBlur={() => {
          const said = comment.trim();
          if (said === before || tooLong(said)) return;
          void onRate("comment", said || null).then((taken) => taken && forget(draft, said));
        }}
      />
      <Length text={comment} />
    </section>
  );
}
