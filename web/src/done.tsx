/** The end: completion code, what was booked, what was behind it, what comes next. */

import { useEffect, useState } from "preact/hooks";
import { post, Refusal } from "./api";
import { Confirm, Copy, Heading, lazy, useWire } from "./parts";
import type { Done, State } from "./state";
import { keep, kept } from "./storage";
import { maybe, money, t } from "./texts";

export interface DoneProps {
  done: Done;
  /** The link's last part of the address. */
  link: string;
  /** Begins another assignment. */
  again: () => void;
}

const LazyEnd = lazy(
  () => import("./document/document"),
  (module) => module.End,
);

export function DonePage({ done, link, again }: DoneProps) {
  const { outcome, parts } = done;
  const quiz = outcome === "completed" || outcome === "screened_out" ? done.quiz : null;
  const withdraw = <Withdraw done={done} link={link} />;
  if (useWire().state?.study.open) {
    return (
      <LazyEnd done={done} link={link} again={again}>
        {withdraw}
      </LazyEnd>
    );
  }
  return (
    <>
      <Heading>{t(`done.${outcome}`)}</Heading>
      <section class="card">
        {quiz ? (
          <p>{t(quiz.passed ? "done.passed" : "done.failed", { hints: quiz.hints })}</p>
        ) : (
          <p>{parts === null ? t(`done.${outcome}.text`) : <Work parts={parts} />}</p>
        )}
        {done.form ? <HandIn form={done.form} /> : <Code code={done.code} />}
        {done.redirect && (
          <p>
            <a class="button" href={done.redirect}>
              {t("done.redirect")}
            </a>
          </p>
        )}
        <Earlier done={done} />
      </section>
      <section class="card">
        <h2>{t("done.pay")}</h2>
        <Booked done={done} />
      </section>
      {done.debriefing && (
        <section class="card">
          <h2>{t("done.debriefing")}</h2>
          <p>{done.debriefing}</p>
        </section>
      )}
      <Next done={done} again={again} />
      {withdraw}
    </>
  );
}

/** The submission of a person who worked alone. */
function Work({ parts }: { parts: number }) {
  const { role, items } = useWire().state ?? {};
  const work = role ? t(`role.${role}`) : "";
  const several = items && items.wanted > 1;
  const [name, count] = several
    ? (["done.items", items.done] as const)
    : (["done.work", parts] as const);
  return `${t(name, { work, count })} ${t("done.work.text")}`;
}

function Code({ code }: { code: string }) {
  return (
    <>
      <h2>{t("done.code")}</h2>
      <Copy text={code} label={t("done.copy")} />
      <p class="soft small">{t("done.code.text")}</p>
    </>
  );
}

/** Posts the work to the recruiter whose page this one is shown in. */
function HandIn({ form }: { form: NonNullable<Done["form"]> }) {
  return (
    <form method="post" action={form.address}>
      <p>{t("done.hand_in.text")}</p>
      {Object.entries(form.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class="main">
        {t("done.hand_in")}
      </button>
    </form>
  );
}

/** Has everything of theirs erased, after a question. */
function Withdraw({ done, link }: { done: Done; link: string }) {
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState("");
  if (done.erased) return <p role="status">{t("withdraw.done")}</p>;
  const withdraw = async () => {
    setAsked(false);
    setProblem("");
    try {
      await post(`/api/withdraw/${encodeURIComponent(link)}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setProblem(t("withdraw.failed"));
    }
  };
  return (
    <section class="card small">
      {t("withdraw.text")} {done.contact && t("consent.contact", { contact: done.contact })}{" "}
      <button type="button" class="quiet small" onClick={() => setAsked(true)}>
        {t("withdraw")}
      </button>{" "}
      <span role="alert">{problem}</span>
      {asked && (
        <Confirm
          title={t("withdraw.title")}
          text={t("withdraw.sure")}
          yes={t("withdraw")}
          onYes={() => void withdraw()}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  );
}

interface Earned {
  assignment: number;
  code: string;
}

const MOST = 20;

/** The codes of this worker's parts in this browser, the newest last; this one is among them. */
function earned({ worker, assignment }: State, code: string): Earned[] {
  const key = `codes:${worker}`;
  const before = JSON.parse(kept("browser", key) ?? "[]") as Earned[];
  const others = before.filter((each) => each.assignment !== assignment);
  const codes = [...others, { assignment, code }].slice(-MOST);
  keep("browser", key, JSON.stringify(codes));
  return codes;
}

/** Codes of parts before this one: nobody loses one by going on too soon. */
function Earlier({ done }: { done: Done }) {
  const { state } = useWire();
  const [codes, setCodes] = useState<Earned[]>([]);
  useEffect(() => {
    if (state) setCodes(earned(state, done.code));
  }, [done.code]);
  const earlier = codes.filter(({ code }) => code !== done.code);
  if (earlier.length === 0) return null;
  return (
    <details>
      <summary>{t("done.earlier", { count: earlier.length })}</summary>
      <ul class="plain">
        {earlier.map(({ assignment, code }) => (
          <li key={assignment}>
            <code translate={false}>{code}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Booked({ done }: { done: Done }) {
  return (
    <>
      {done.booked.length > 0 ? (
        <table>
          <tbody>
            {done.booked.map(({ kind, cents, reason }) => (
              <tr key={`${kind} ${reason}`}>
                <th scope="row">{maybe(`paid.${reason}`, reason)}</th>
                <td class="number">{money(cents)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">
                <strong>{t("done.sum")}</strong>
              </th>
              <td class="number">
                <strong>{money(done.cents)}</strong>
              </td>
            </tr>
          </tbody>
        </table>
      ) : (
        <p>{t(done.review ? "done.nothing.yet" : "done.nothing")}</p>
      )}
      {done.review && <p>{t("done.review", { amount: money(done.pending) })}</p>}
    </>
  );
}

function Next({ done, again }: { done: Done; again: () => void }) {
  if (done.next) {
    return (
      <section class="card">
        <h2>{t("next.title")}</h2>
        <p>
          {t("next.text", { stage: maybe(`stage.${done.next}`, done.next) })} {t("next.code")}
        </p>
        <button type="button" class="main" onClick={again}>
          {t("next.go")}
        </button>
      </section>
    );
  }
  if (!done.next_reason) return <p class="soft">{t("done.close")}</p>;
  return (
    <section class="card">
      <h2>{t("next.title")}</h2>
      <p>{t(`next.${done.next_reason}`)}</p>
    </section>
  );
}
