/** A result of bench: scores, labels, confusions, and from a confusion to the dialogues. */

import { t, whole } from "../../texts";
import { asked, href } from "../address";
import { useAsked } from "../asked";
import { Choice } from "../corpora/list";
import { Problem, Title } from "../entries";
import type { Entry } from "../folder";
import type { ViewProps } from "../views";
import { Figures } from "./table";
import type { Result, Wrong } from "./types";

/** Wrong answers of a page, as the server has them. */
const PAGE = 100;

type Values = Record<string, string>;

export function BenchResult({ path, query, folder }: ViewProps) {
  const wanted: Values = Object.fromEntries(query);
  const { found, problem } = useAsked<Result>(`/api/runs/result?${asked({ path })}`);
  const to = (values: Values) => href("runs", path, { ...wanted, ...values });
  return (
    <>
      <Title>{path}</Title>
      <Problem what={problem} />
      {found && (
        <>
          <p>
            {found.title}: <strong>{found.model}</strong>,{" "}
            {t("studio.result.questions", { count: whole(found.asked) })}
          </p>
          {found.notices.map((notice) => (
            <p key={notice} class="notice small">
              {notice}
            </p>
          ))}
          {found.tables.slice(0, 1).map((table) => (
            <Figures
              key={table.title}
              table={table}
              link={(holdout) => (found.holdouts.includes(holdout) ? to({ holdout }) : undefined)}
            />
          ))}
          {found.predictions ? (
            <Errors
              path={path}
              result={found}
              wanted={wanted}
              to={to}
              corpora={folder.of("corpora")}
            />
          ) : (
            <p class="notice">
              {t("studio.result.without")} <code>dialoom bench --predictions</code>
            </p>
          )}
          {found.tables.slice(1).map((table) => (
            <Figures key={table.title} table={table} />
          ))}
        </>
      )}
    </>
  );
}

interface ErrorsProps {
  path: string;
  result: Result;
  wanted: Values;
  to: (values: Values) => string;
  corpora: Entry[];
}

function Errors({ path, result, wanted, to, corpora }: ErrorsProps) {
  const { holdout = "", gold = "", predicted = "", first = "" } = wanted;
  const { found } = useAsked<Wrong>(
    `/api/runs/wrong?${asked({ path, holdout, gold, predicted, first })}`,
  );
  const named = corpora.find((entry) => entry.path.split("/").at(-1) === result.corpus);
  const corpus = wanted.corpus ?? named?.path ?? "";
  const start = Number(first) || 0;
  return (
    <section aria-label={t("studio.result.wrong")}>
      <h2>{t("studio.result.confusions")}</h2>
      <ul class="confusions plain small">
        {result.confusions.slice(0, wanted.more ? undefined : 12).map((each) => {
          const here = each.gold === gold && each.predicted === predicted;
          const chosen = here ? { gold: "", predicted: "" } : each;
          return (
            <li key={`${each.gold} ${each.predicted}`}>
              <a
                href={to({ gold: chosen.gold, predicted: chosen.predicted, first: "" })}
                aria-current={here || undefined}
              >
                <span class="number">{each.n}</span> <code>{each.gold}</code>{" "}
                {t("studio.result.taken")} <code>{each.predicted}</code>
              </a>
            </li>
          );
        })}
      </ul>
      {result.confusions.length > 12 && !wanted.more && (
        <a href={to({ more: "1" })}>
          {t("studio.result.all", { count: result.confusions.length })}
        </a>
      )}
      <h2>{t("studio.result.wrong")}</h2>
      <div class="row apart">
        <Choice
          title={t("studio.result.holdout")}
          value={holdout}
          options={[
            ["", t("studio.filter.all")],
            ...result.holdouts.map((name): [string, string] => [name, name]),
          ]}
          onChange={(name) => {
            location.hash = to({ holdout: name, first: "" });
          }}
        />
        <Choice
          title={t("studio.result.corpus")}
          value={corpus}
          options={[
            ["", t("studio.result.nowhere")],
            ...corpora.map((entry): [string, string] => [entry.path, entry.path]),
          ]}
          onChange={(name) => {
            location.hash = to({ corpus: name });
          }}
        />
      </div>
      <ul class="wrongs plain">
        {found?.rows.map((row, place) => {
          const about = t("studio.result.about", { id: row.dialogue, number: row.event });
          return (
            <li key={place}>
              {corpus ? (
                <a href={href("corpora", corpus, { id: row.dialogue, event: row.event })}>
                  {about}
                </a>
              ) : (
                about
              )}{" "}
              <span class="small">
                {t("studio.result.right")} <code>{row.gold}</code>, {t("studio.result.predicted")}{" "}
                <code>{row.predicted}</code> <span class="soft">{row.holdout}</span>
              </span>
            </li>
          );
        })}
      </ul>
      {found && found.total > PAGE && (
        <nav class="row" aria-label={t("studio.pages")}>
          {start > 0 && (
            <a href={to({ first: String(start - PAGE || "") })}>{t("studio.page.before")}</a>
          )}
          <span class="soft small number">
            {t("studio.of", {
              from: start + 1,
              to: start + found.rows.length,
              total: whole(found.total),
            })}
          </span>
          {start + PAGE < found.total && (
            <a href={to({ first: String(start + PAGE) })}>{t("studio.page.after")}</a>
          )}
        </nav>
      )}
    </section>
  );
}
