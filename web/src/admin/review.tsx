/** Submissions that wait for the admin, with the measures of their workers. */

import { useState } from "preact/hooks";
import { Length, Problem, tooLong } from "../fields";
import { maybe, moment, money, percent, t } from "../texts";
import { type Act, type Dashboard, judges, type Submission, type Worker } from "./types";
import { seconds } from "./workers";

const RATINGS = [1, 2, 3, 4, 5];
/** Cards of the second evaluation at a time. */
const MOST = 6;

interface Props {
  shown: Dashboard;
  act: Act;
  onRead: (room: number) => void;
}

export function Review(props: Props) {
  const { queue, ranking, handed_in } = props.shown;
  const sampled = ranking
    .flatMap(({ read }) => read)
    .flatMap((number) => handed_in.find(({ assignment }) => assignment === number) ?? []);
  return (
    <section id="review">
      <h2>{t("admin.part.review")}</h2>
      {queue.length === 0 && <p class="soft">{t("admin.review.none")}</p>}
      <Cards {...props} submissions={queue} />
      {sampled.length > 0 && (
        <>
          <h3>{t("admin.review.second", { count: sampled.length })}</h3>
          <p class="soft small">{t("admin.review.second.text")}</p>
          <Cards {...props} submissions={sampled.slice(0, MOST)} />
        </>
      )}
    </section>
  );
}

function Cards({ shown, act, onRead, submissions }: Props & { submissions: Submission[] }) {
  return (
    <div class="twin queue">
      {submissions.map((one) => (
        <Card
          key={one.assignment}
          one={one}
          worker={shown.workers.find(({ worker }) => worker === one.worker)}
          onRead={() => onRead(one.room)}
        >
          {judges(shown) && <Verdict one={one} act={act} />}
        </Card>
      ))}
    </div>
  );
}

interface CardProps {
  one: Submission;
  worker: Worker | undefined;
  onRead: () => void;
  children: preact.ComponentChildren;
}

function Card({ one, worker, onRead, children }: CardProps) {
  const title = `submission-${one.assignment}`;
  return (
    <article class="card" aria-labelledby={title}>
      <h3 id={title}>
        {t("admin.submission", { worker: one.worker, role: t(`chat.from.${one.role}`) })}
      </h3>
      <Facts one={one} worker={worker} />
      <button type="button" class="small" onClick={onRead}>
        {t("admin.read.room", { number: one.room })}
      </button>
      {children}
    </article>
  );
}

/** Rates a submission, and accepts or rejects it. */
function Verdict({ one, act }: { one: Submission; act: Act }) {
  const [instructions, setInstructions] = useState<number | null>(null);
  const [creativity, setCreativity] = useState<number | null>(null);
  const [reason, setReason] = useState("");
  const [lacking, setLacking] = useState(false);
  const [busy, setBusy] = useState(false);
  const judge = async (accepted: boolean) => {
    if (!accepted && !reason.trim()) setLacking(true);
    if (tooLong(reason) || (!accepted && !reason.trim())) return;
    setBusy(true);
    const body = { accepted, reason: reason.trim(), instructions, creativity };
    await act(`assignments/${one.assignment}/review`, body);
    setBusy(false);
  };
  const id = `reason-${one.assignment}`;
  return (
    <>
      <Rating
        label={t("admin.rate.instructions")}
        value={instructions}
        onChange={setInstructions}
      />
      {one.role === "user" && (
        <Rating label={t("admin.rate.creativity")} value={creativity} onChange={setCreativity} />
      )}
      <div class="field">
        <label for={id}>{t("admin.reason")}</label>
        <input
          id={id}
          value={reason}
          aria-invalid={lacking && !reason.trim()}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        <Length text={reason} />
        <Problem text={lacking && !reason.trim() ? t("admin.reason.lacking") : null} />
      </div>
      <div class="row">
        <button type="button" class="main" disabled={busy} onClick={() => void judge(true)}>
          {t("admin.accept")}
        </button>
        <button type="button" disabled={busy} onClick={() => void judge(false)}>
          {t("admin.reject")}
        </button>
      </div>
    </>
  );
}

function Facts({ one, worker }: { one: Submission; worker: Worker | undefined }) {
  const facts: [string, string][] = [
    [t("admin.fact.stage"), maybe(`stage.${one.stage}`, one.stage)],
    [t("admin.fact.time"), moment(one.time)],
    [t("admin.fact.pay"), money(one.cents)],
  ];
  if (one.outcome) facts.push([t("admin.fact.outcome"), one.outcome]);
  if (one.one_topic) facts.push([t("admin.fact.flag"), t("admin.one_topic")]);
  if (one.complaints.length > 0) {
    facts.push([t("admin.head.complaints"), one.complaints.join(" · ")]);
  }
  if (worker) {
    facts.push(
      [t("admin.head.custom"), percent(worker.custom_share)],
      [t("admin.head.order"), percent(worker.in_order)],
      [t("admin.head.median"), seconds(worker.median_answer)],
    );
  }
  return (
    <dl class="facts small">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

interface RatingProps {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
}

function Rating({ label, value, onChange }: RatingProps) {
  return (
    <fieldset class="field rate">
      <legend class="small">{label}</legend>
      <div class="row">
        {RATINGS.map((each) => (
          <button
            type="button"
            key={each}
            class="small"
            aria-pressed={value === each}
            onClick={() => onChange(value === each ? null : each)}
          >
            {each}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
