/** A run of play: scores, failures by class, and a dialogue next to its outcome. */

import { maybe, t } from "../../texts";
import { asked, href } from "../address";
import { useAsked } from "../asked";
import { Lines } from "../corpora/lines";
import { Choice } from "../corpora/list";
import type { Line } from "../corpora/types";
import { Problem, Title } from "../entries";
import type { ViewProps } from "../views";
import { Figures } from "./table";
import type { Played, PlayedRow, Run } from "./types";
import "../corpora/corpora.css";

/** Most dialogues that are listed before one asks for all. */
const MOST = 200;

type Values = Record<string, string>;

const KEPT = ["other", "class", "task", "all"];

/** The parameters of the address that are about the list of dialogues. */
const kept = (query: URLSearchParams): Values =>
  Object.fromEntries(
    KEPT.map((name) => [name, query.get(name) ?? ""]).filter(([, value]) => value),
  );

export function PlayedRun({ path, query, folder }: ViewProps) {
  const wanted = kept(query);
  const { found, problem } = useAsked<Run>(
    `/api/runs/run?${asked({ path, other: wanted.other ?? "" })}`,
  );
  const to = (values: Values) => href("runs", path, { ...wanted, ...values });
  const others = folder.of("runs").filter((entry) => entry.kind === "run" && entry.path !== path);
  return (
    <>
      <header class="row apart">
        <Title>{path}</Title>
        {others.length > 0 && (
          <Choice
            title={t("studio.runs.compare")}
            value={wanted.other ?? ""}
            options={[
              ["", t("studio.runs.alone")],
              ...others.map(({ path: other }): [string, string] => [other, other]),
            ]}
            onChange={(other) => {
              location.hash = to({ other });
            }}
          />
        )}
      </header>
      <Problem what={problem} />
      {found && (
        <>
          <Lead run={found} />
          {found.unpaired && <p class="notice">{found.unpaired}</p>}
          <Dialogues run={found} path={path} wanted={wanted} to={to} />
          {found.tables.map((table) => (
            <Figures
              key={table.title}
              table={table}
              link={
                table.header[0] === "task" ? (task) => to({ task, class: "any" }) : () => undefined
              }
            />
          ))}
          <p>
            <a href={href("corpora", path)}>{t("studio.runs.search")}</a>
          </p>
        </>
      )}
    </>
  );
}

function Lead({ run }: { run: Run }) {
  return (
    <ul class="lead plain">
      {run.names.map((name, place) => (
        <li key={name} class="card">
          <span class="big number">{run.success[place]?.toFixed(1) ?? "–"} %</span>
          <span>
            {t("studio.runs.success")}: {t("studio.runs.with", { name, user: run.user })}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface DialoguesProps {
  run: Run;
  path: string;
  wanted: Values;
  to: (values: Values) => string;
}

function Dialogues({ run, path, wanted, to }: DialoguesProps) {
  const chosen = wanted.class ?? (run.dialogues.some(({ failure }) => failure) ? "any" : "none");
  const counts = new Map<string, number>();
  for (const { failure } of run.dialogues)
    if (failure) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  const failed = Array.from(counts.values()).reduce((sum, n) => sum + n, 0);
  const shown = run.dialogues.filter(
    (row) => fits(row, chosen) && (!wanted.task || row.task === wanted.task),
  );
  const cut = wanted.all ? shown : shown.slice(0, MOST);
  const kinds: [string, string, number][] = [
    ["any", t("studio.runs.failures"), failed],
    ...Object.keys(run.classes)
      .filter((name) => counts.has(name))
      .map((name): [string, string, number] => [name, classed(name), counts.get(name) ?? 0]),
    ["none", t("studio.runs.successes"), run.dialogues.length - failed],
    ...(run.names.length > 1
      ? ([["differs", t("studio.runs.differ"), run.dialogues.filter(differs).length]] as [
          string,
          string,
          number,
        ][])
      : []),
  ];
  return (
    <section class="dialogues" aria-label={t("studio.dialogues")}>
      <nav class="row kinds" aria-label={t("studio.runs.classes")}>
        {kinds.map(([name, title, n]) => (
          <a
            key={name}
            class="button small"
            href={to({ class: name })}
            aria-current={name === chosen || undefined}
          >
            {title} <span class="number soft">{n}</span>
          </a>
        ))}
      </nav>
      <p class="soft small">
        {run.classes[chosen]}
        {wanted.task && (
          <>
            {" "}
            {t("studio.runs.only", { task: wanted.task })}{" "}
            <a href={to({ task: "" })}>{t("studio.runs.tasks")}</a>
          </>
        )}
      </p>
      <ul class="rows plain">
        {cut.map((row) => (
          <li key={row.id}>
            <a href={href("runs", path, { ...wanted, id: row.id })}>
              <span class="row apart">
                <span class="name">{row.id}</span>
                <Verdict row={row} names={run.names} />
              </span>
              {row.what && <span class="small">{row.what}</span>}
              <span class="soft small">
                {t("studio.runs.trial", { goal: row.goal + 1, trial: row.trial + 1 })} ·{" "}
                {t("studio.turns", { count: row.turns })}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="soft">{t("studio.runs.none")}</p>}
      {cut.length < shown.length && (
        <a href={to({ all: "1" })}>{t("studio.runs.all", { count: shown.length })}</a>
      )}
    </section>
  );
}

/** A class of failures in the page's language. */
const classed = (name: string): string => maybe(`studio.failure.${name}`, name);

const differs = ({ failure, other }: PlayedRow): boolean =>
  other !== null && other === (failure !== null);

function fits(row: PlayedRow, chosen: string): boolean {
  if (chosen === "any") return row.failure !== null;
  if (chosen === "differs") return differs(row);
  return chosen === "none" ? row.failure === null : row.failure === chosen;
}

function Verdict({ row, names }: { row: PlayedRow; names: string[] }) {
  const ours = row.failure ? (
    <span class="small wrongly">{classed(row.failure)}</span>
  ) : (
    <span class="small rightly">{t("studio.runs.succeeds")}</span>
  );
  if (row.other === null) return ours;
  return (
    <span>
      {ours}{" "}
      <span class="small soft">
        ·{" "}
        {t(row.other ? "studio.runs.other.yes" : "studio.runs.other.no", { name: names[1] ?? "" })}
      </span>
    </span>
  );
}

export function PlayedDialogue({ path, query }: ViewProps) {
  const wanted = kept(query);
  const { found, problem } = useAsked<Played>(
    `/api/runs/dialogue?${asked({ path, id: query.get("id") })}`,
  );
  return (
    <>
      <p>
        <a href={href("runs", path, wanted)}>← {path}</a>
      </p>
      <Problem what={problem} />
      {found && <Opened path={path} found={found} />}
    </>
  );
}

function Opened({ path, found }: { path: string; found: Played }) {
  return (
    <>
      <header class="row apart">
        <Title>{found.id}</Title>
        <a class="small" href={href("corpora", path, { id: found.id })}>
          {t("studio.runs.open")}
        </a>
      </header>
      <div class="outcome">
        <Lines lines={found.lines} below={(line) => <TaskLine found={found} line={line} />} />
        <aside class="card" aria-label={t("studio.runs.outcome")}>
          <h2 class={found.failure ? "wrongly" : "rightly"}>
            {found.failure ? classed(found.failure) : t("studio.runs.succeeds")}
          </h2>
          <Differences all={found.differences} />
          {found.facts.map(([what, rows]) => (
            <section key={what}>
              <h3>{maybe(`studio.outcome.${what}`, what)}</h3>
              <ul class="plain small">
                {rows.map((row, place) => (
                  <li key={place}>{row}</li>
                ))}
              </ul>
            </section>
          ))}
          <h3>{t("studio.runs.task")}</h3>
          {found.tasks.length > 0 ? (
            found.tasks.map(({ path: task }) => (
              <p key={task}>
                <a href={href("tasks", task)}>{task}</a>
              </p>
            ))
          ) : (
            <p class="soft small">{t("studio.runs.taskless")}</p>
          )}
        </aside>
      </div>
    </>
  );
}

/** Differences that are listed before one asks for all. */
const FIRST = 4;

function Differences({ all }: { all: string[] }) {
  const list = (some: string[]) => (
    <ul class="plain small">
      {some.map((each, place) => (
        <li key={place}>{each}</li>
      ))}
    </ul>
  );
  return (
    <>
      {list(all.slice(0, FIRST))}
      {all.length > FIRST && (
        <details class="small">
          <summary>{t("studio.more", { count: all.length - FIRST })}</summary>
          {list(all.slice(FIRST))}
        </details>
      )}
    </>
  );
}

/** A link to the line of the task that an event comes from. */
function TaskLine({ found, line }: { found: Played; line: Line }) {
  const name = found.names[line.index];
  if (!name) return null;
  const place = found.tasks.find(({ lines }) => lines[name]);
  const number = place?.lines[name];
  if (!place || !number) return null;
  return (
    <a class="task-line small" href={href("tasks", place.path, { line: number })}>
      {t("studio.runs.line", { name, line: number })}
    </a>
  );
}
