/** The questions after a dialogue. */

import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { Lines } from "./chat";
import {
  AskedField,
  forget,
  handing,
  Length,
  Problem,
  Radios,
  TextField,
  tooLong,
  upTo,
  useDraft,
} from "./fields";
import { Countdown, Heading, Leave, useWire } from "./parts";
import type { Answer, Asked, Questionnaire } from "./state";
import { reason, t } from "./texts";

const BEST = 5;

export function QuestionnairePage({ asked }: { asked: Questionnaire }) {
  const wire = useWire();
  const [answers, setAnswers] = useState<Record<string, Answer>>({});
  const [rating, setRating] = useState<number | null>(null);
  const draft = `questions-${wire.state?.assignment}`;
  const [comment, setComment] = useDraft(draft);
  const [missing, setMissing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const handed = wire.events.some(({ event }) => event.kind === "handed_over");
  const lines = wire.events.flatMap(({ event }) => (event.kind === "say" ? [event.text] : []));
  const heading = (turn: number | undefined) => (
    <h2 class="turn" dir="auto">
      {turn === undefined
        ? t("questions.whole")
        : t("questions.turn", { number: turn + 1, text: lines[turn] ?? "" })}
    </h2>
  );
  const sent = wire.outbox.some((message) => message.type === "questionnaire");
  const blank = ({ id }: Asked) => !`${answers[id] ?? ""}`.trim();
  const open = asked.questions.filter((each) => each.required !== false && blank(each));
  const complete = open.length === 0 && (!asked.rating || rating !== null);

  const submit = async () => {
    setProblem(null);
    if (!complete) {
      setMissing(true);
      const first = open[0]?.id;
      document
        .querySelector<HTMLElement>(first ? `[name="q-${first}"]` : '[name="rating"]')
        ?.focus();
      return;
    }
    if (tooLong(comment)) {
      document.querySelector<HTMLElement>("#comment")?.focus();
      return;
    }
    const answer = await wire.send("questionnaire", {
      answers: Object.fromEntries(
        asked.questions.filter((each) => !blank(each)).map(({ id }) => [id, answers[id]]),
      ),
      ...(asked.rating ? { rating } : {}),
      ...(comment.trim() ? { comment: comment.trim() } : {}),
    });
    if (answer.ok) forget(draft, comment);
    else setProblem(reason(answer.refusal));
  };

  return (
    <>
      <Heading>{t("questions.title")}</Heading>
      {handed && (
        <p class="notice" role="status">
          {t(`handed_over.${asked.role}`)}
        </p>
      )}
      <p>{t(asked.partner === "gone" ? "questions.gone" : "questions.text")}</p>
      {wire.events.some(({ event }) => event.kind === "say") && (
        <details class="card transcript">
          <summary>{t("questions.dialogue")}</summary>
          <Lines role={asked.role} onRetry={() => undefined} />
        </details>
      )}
      <form class="card" noValidate onSubmit={handing(() => sent || submit())}>
        {asked.questions.map((each, place) => (
          <Fragment key={each.id}>
            {each.turn !== asked.questions[place - 1]?.turn && heading(each.turn)}
            <AskedField
              asked={each}
              value={answers[each.id]}
              wrong={missing && open.includes(each)}
              onChange={(value) => setAnswers({ ...answers, [each.id]: value })}
            />
          </Fragment>
        ))}
        {asked.rating && (
          <fieldset class="field" aria-describedby="rating-note">
            <legend>{t("questions.rating")}</legend>
            <p class="soft small" id="rating-note">
              {t("questions.rating.note")}
            </p>
            <div class="scale">
              <Radios
                name="rating"
                options={upTo(BEST)}
                value={rating ?? undefined}
                onChange={setRating}
              />
            </div>
            {missing && rating === null && <p class="wrongly small">{t("questions.missing")}</p>}
          </fieldset>
        )}
        {asked.comment && (
          <div class="field">
            <label for="comment">{t("questions.comment")}</label>
            <TextField id="comment" rows={3} value={comment} onChange={setComment} />
            <Length text={comment} />
          </div>
        )}
        <Problem text={missing && !complete ? t("questions.incomplete") : null} />
        <Problem text={problem} />
        <div class="row">
          <button type="submit" class="main" aria-disabled={sent}>
            {t(sent ? "questions.sending" : "questions.send")}
          </button>
          {asked.until !== null && (
            <span class="soft small">
              {t("questions.until")} <Countdown until={asked.until} />
            </span>
          )}
          <Leave text={t("leave.questions")} />
        </div>
      </form>
    </>
  );
}
