/** Submissions that wait for the admin: a list, and the one at hand with its dialogue. */

import { useEffect, useRef, useState } from "preact/hooks";
import { post } from "../api";
import { Length, Problem, tooLong } from "../fields";
import { useKeys } from "../keys";
import { type Key, moment, money, percent, t } from "../texts";
import { UnitLines } from "./reading";
import { named, said, stageName } from "./said";
import { usePages } from "./table";
import {
  type Act,
  type Dashboard,
  judges,
  type Sample,
  type Submission,
  type Worker,
} from "./types";
import { seconds } from "./workers";

const RATINGS = [1, 2, 3, 4, 5];
const LISTS = ["first", "sample", "second", "all"] as const;

interface Props {
  shown: Dashboard;
  act: Act;
}

export function Review({ shown, act }: Props) {
  const [list, setList] = useState<(typeof LISTS)[number]>("first");
  const [stage, setStage] = useState("");
  const [current, setCurrent] = useState<number | null>(null);
  const listed = (numbers: number[]) =>
    numbers.flatMap(
      (number) => shown.handed_in.find(({ assignment }) => assignment === number) ?? [],
    );
  const all = {
    first: shown.queue,
    sample: listed(shown.samples.flatMap(({ next }) => next)),
    second: listed(shown.ranking.flatMap(({ read }) => read)),
    all: shown.handed_in,
  };
  const rows = all[list].filter((row) => !stage || row.stage === stage);
  const one = rows.find(({ assignment }) => assignment === current) ?? rows[0];
  const [some, pager] = usePages(rows);
  const step = (by: 1 | -1) => {
    const next = one && rows[rows.indexOf(one) + by];
    if (next) setCurrent(next.assignment);
  };
  useKeys({
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    j: () => step(1),
    k: () => step(-1),
  });
  /** The row after the one at hand is next, whatever comes or goes meanwhile. */
  const judge: Act = async (path, body) => {
    const next = one && rows[rows.indexOf(one) + 1];
    const taken = await act(path, body);
    if (taken && next) setCurrent(next.assignment);
    return taken;
  };
  return (
    <section id="review">
      <h2>{t("admin.part.review")}</h2>
      <div class="row">
        {LISTS.filter((each) => each !== "sample" || shown.samples.length > 0).map((each) => (
          <button
            key={each}
            type="button"
            class="small"
            aria-pressed={list === each}
            onClick={() => setList(each)}
          >
            {t(`admin.review.${each}`, { count: all[each].length })}
          </button>
        ))}
        <label for="review-stage">{t("admin.head.stage")}</label>
        <select
          id="review-stage"
          class="short"
          value={stage}
          onChange={(event) => setStage(event.currentTarget.value)}
        >
          <option value="">{t("admin.review.stages")}</option>
          {shown.funnel.map((row) => (
            <option key={row.stage} value={row.stage}>
              {stageName(row.stage)}
            </option>
          ))}
        </select>
      </div>
      {list === "sample" && <Samples samples={shown.samples} />}
      {list === "second" && <p class="soft small">{t("admin.review.second.text")}</p>}
      {rows.length === 0 && <p class="soft">{t("admin.review.none")}</p>}
      {one && (
        <div class="panes">
          <div>
            {judges(shown) && <Bulk key={`${list} ${stage}`} rows={rows} act={act} />}
            {pager}
            <ul class="plain queue" aria-label={t("admin.part.review")}>
              {some.map((row) => (
                <Row
                  key={row.assignment}
                  row={row}
                  here={row === one}
                  onPick={() => setCurrent(row.assignment)}
                />
              ))}
            </ul>
          </div>
          <Card
            key={one.assignment}
            one={one}
            worker={shown.workers.find(({ worker }) => worker === one.worker)}
            open={one.accepted === null || list === "sample"}
          >
            {judges(shown) && <Verdict one={one} act={judge} />}
          </Card>
        </div>
      )}
    </section>
  );
}

/** How sure it is that little of what nobody looked at is wrong. */
function Samples({ samples }: { samples: Sample[] }) {
  return samples.map((sample) => {
    const { stage, accepted, seen, wrong, more } = sample;
    const [bound, error] = [percent(sample.bound), percent(sample.error)];
    const values = { stage: stageName(stage), accepted, seen, wrong, bound };
    return (
      <p class="soft small" key={stage}>
        {t("admin.sample", { ...values, confidence: percent(sample.confidence) })}{" "}
        {t(more ? "admin.sample.more" : "admin.sample.enough", { more, error })}
      </p>
    );
  });
}

const title = (one: Submission): string =>
  t("admin.submission", { worker: one.worker, role: named(one.role) });

const flagged = (one: Submission): boolean => one.one_topic || one.complaints.length > 0;

interface RowProps {
  row: Submission;
  here: boolean;
  onPick: () => void;
}

function Row({ row, here, onPick }: RowProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (here) button.current?.scrollIntoView({ block: "nearest" });
  }, [here]);
  return (
    <li>
      <button type="button" ref={button} class="small" aria-current={here} onClick={onPick}>
        {title(row)}
        <span class="soft">
          {" "}
          {stageName(row.stage)} · {moment(row.time)}
          {flagged(row) && <b class="wrongly"> · {t("admin.fact.flag")}</b>}
        </span>
      </button>
    </li>
  );
}

/** Accepts all of a list at once, or those that nothing speaks against. */
function Bulk({ rows, act }: { rows: Submission[]; act: Act }) {
  const [chosen, setChosen] = useState<Submission[]>([]);
  const [problem, setProblem] = useState("");
  const open = rows.filter(({ accepted }) => accepted === null);
  const sound = open.filter((row) => !flagged(row));
  const accept = async () => {
    const [last, ...others] = chosen;
    setChosen([]);
    setProblem("");
    const body = { accepted: true, reason: "" };
    try {
      for (const { assignment } of others)
        await post(`/api/admin/assignments/${assignment}/review`, body);
    } catch (error) {
      setProblem(said(error));
    }
    if (last) await act(`assignments/${last.assignment}/review`, body);
  };
  if (open.length < 2) return null;
  return (
    <div class="row">
      {chosen.length === 0 ? (
        <>
          <button type="button" class="small" onClick={() => setChosen(open)}>
            {t("admin.bulk.all", { count: open.length })}
          </button>
          {sound.length > 0 && sound.length < open.length && (
            <button type="button" class="small" onClick={() => setChosen(sound)}>
              {t("admin.bulk.sound", { count: sound.length })}
            </button>
          )}
        </>
      ) : (
        <>
          <button type="button" class="small main" onClick={() => void accept()}>
            {t("admin.bulk.accept", {
              count: chosen.length,
              amount: money(chosen.reduce((sum, { cents }) => sum + cents, 0)),
            })}
          </button>
          <button type="button" class="small" onClick={() => setChosen([])}>
            {t("back")}
          </button>
        </>
      )}
      <Problem text={problem} />
    </div>
  );
}

interface CardProps {
  one: Submission;
  worker: Worker | undefined;
  /** Whether it may be reviewed. */
  open: boolean;
  children: preact.ComponentChildren;
}

function Card({ one, worker, open, children }: CardProps) {
  return (
    <article class="card" aria-labelledby="submission">
      <h3 id="submission">{title(one)}</h3>
      <Facts one={one} worker={worker} />
      {open && children}
      {one.rooms.map((unit) => (
        <UnitLines key={unit} number={unit} writes={false} />
      ))}
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
  const field = useRef<HTMLInputElement>(null);
  const judge = async (accepted: boolean) => {
    if (!accepted && !reason.trim()) setLacking(true);
    if (busy || tooLong(reason) || (!accepted && !reason.trim())) return;
    setBusy(true);
    const body = { accepted, reason: reason.trim(), instructions, creativity };
    await act(`assignments/${one.assignment}/review`, body);
    setBusy(false);
  };
  const creative = one.role === "user";
  /** The first digit is the first rating, the next one a user's creativity. */
  const rate = (value: number) =>
    instructions !== null && creative ? setCreativity(value) : setInstructions(value);
  useKeys({
    a: () => void judge(true),
    r: () => field.current?.focus(),
    ...Object.fromEntries(RATINGS.map((each) => [String(each), () => rate(each)])),
  });
  return (
    <>
      <div class="row">
        <Rating
          label={t("admin.rate.instructions")}
          value={instructions}
          onChange={setInstructions}
        />
        {creative && (
          <Rating label={t("admin.rate.creativity")} value={creativity} onChange={setCreativity} />
        )}
      </div>
      <div class="field">
        <label for="reason">{t("admin.reason")}</label>
        <input
          id="reason"
          ref={field}
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
        <span class="soft small">{t("admin.review.keys")}</span>
      </div>
    </>
  );
}

function Facts({ one, worker }: { one: Submission; worker: Worker | undefined }) {
  const facts: [string, string][] = [
    [t("admin.fact.stage"), stageName(one.stage)],
    [t("admin.fact.time"), moment(one.time)],
    [t("admin.fact.pay"), money(one.cents)],
  ];
  if (one.outcome) facts.push([t("admin.fact.outcome"), one.outcome]);
  if (one.lacks?.length)
    facts.push([
      t("admin.fact.lacks"),
      one.lacks.map((rule) => t(`admin.lacks.${rule}` as Key)).join(" · "),
    ]);
  if (one.one_topic) facts.push([t("admin.fact.flag"), t("admin.one_topic")]);
  if (one.complaints.length > 0)
    facts.push([t("admin.head.complaints"), one.complaints.join(" · ")]);
  if (worker?.custom_share != null)
    facts.push([t("admin.head.custom"), percent(worker.custom_share)]);
  if (worker?.in_order != null) facts.push([t("admin.head.order"), percent(worker.in_order)]);
  if (worker?.median_answer != null)
    facts.push([t("admin.head.median"), seconds(worker.median_answer)]);
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
