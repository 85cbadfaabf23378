/** What an open study shows in its own way: the front page, and the database's word at the end. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DoneProps } from "../done";
import { handing } from "../fields";
import { Heading } from "../parts";
import type { Offer, Verdict } from "../state";
import { t } from "../texts";

export interface FrontProps {
  busy: boolean;
  onChoose: (task: string) => void;
  onStart: () => void;
  /** Why nobody could be let in. */
  children?: ComponentChildren;
}

/** The form of the front page: what to talk about. */
export function Front({ busy, onChoose, onStart, children }: FrontProps) {
  const [tasks] = useState<Offer[]>(() =>
    JSON.parse(document.documentElement.dataset.tasks ?? "[]"),
  );
  useEffect(() => onChoose(tasks[0]?.task ?? ""), []);
  return (
    <main class="leaf">
      <Heading>{t("front.title")}</Heading>
      {children}
      <form class="card" onSubmit={handing(() => busy || onStart())}>
        <p>{t("front.text")}</p>
        {tasks.length > 1 && (
          <div class="field">
            <label for="task">{t("front.task")}</label>
            <select id="task" onChange={(event) => onChoose(event.currentTarget.value)}>
              {tasks.map(({ task, about }) => (
                <option key={task} value={task}>
                  {about}
                </option>
              ))}
            </select>
          </div>
        )}
        <button type="submit" class="main" aria-disabled={busy}>
          {t("front.start")}
        </button>
      </form>
    </main>
  );
}

/** The rows that a conversation changed in the database, and whether these are the right ones. */
function VerdictCard({ verdict }: { verdict: Verdict }) {
  const { reached, unreported, changes, wanted } = verdict;
  const right = reached === true && unreported.length === 0;
  return (
    <section class="card" aria-labelledby="verdict">
      <h2 id="verdict">{t("verdict.title")}</h2>
      <p class={reached === null ? "notice" : `notice ${right ? "good" : "bad"}`}>
        {t(reached === null ? "verdict.none" : reached ? "verdict.reached" : "verdict.missed")}
        {unreported.length > 0 && ` ${t("verdict.unreported", { names: unreported.join(", ") })}`}
      </p>
      <dl>
        <Rows title={t("verdict.changed")} rows={changes} />
        {reached === false && <Rows title={t("verdict.wanted")} rows={wanted} />}
      </dl>
    </section>
  );
}

function Rows({ title, rows }: { title: string; rows: string[] }) {
  return (
    <>
      <dt>{title}</dt>
      {(rows.length > 0 ? rows : [t("verdict.nothing")]).map((row) => (
        <dd key={row}>{row}</dd>
      ))}
    </>
  );
}

/** The end of work in an open study: without pay and codes. */
export function End({ done, again, children }: DoneProps & { children: ComponentChildren }) {
  const whole = done.outcome === "completed";
  return (
    <>
      <Heading>{t(`done.${done.outcome}`)}</Heading>
      <p>{t(whole ? "done.open" : `done.${done.outcome}.text`)}</p>
      {done.verdict && <VerdictCard verdict={done.verdict} />}
      {done.next && (
        <p class="row after">
          <button type="button" class="main" onClick={again}>
            {t("next.open")}
          </button>
        </p>
      )}
      {children}
    </>
  );
}
