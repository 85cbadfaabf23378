/** The list of a corpus's dialogues: search, filters, order, and pages. */

import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../../keys";
import { t, whole } from "../../texts";
import { asked, href } from "../address";
import { useAsked } from "../asked";
import { Problem } from "../entries";
import type { Found, IndexState, Row, Values } from "./types";

/** Dialogues of a page, as the server has them. */
const PAGE = 50;

/** Milliseconds after the last key until a search. */
const PAUSE = 180;

const FILTERS = {
  task: t("studio.fact.task"),
  finding: t("studio.fact.finding"),
  outcome: t("studio.fact.outcome"),
  stage: t("studio.fact.stage"),
  split: t("studio.fact.split"),
};

const ORDERS = {
  "": t("studio.order.files"),
  id: t("studio.fact.id"),
  "-turns": t("studio.order.longest"),
  turns: t("studio.order.shortest"),
  "-findings": t("studio.order.findings"),
  tasks: t("studio.fact.task"),
  outcome: t("studio.fact.outcome"),
};

export type Wanted = Record<string, string>;

/** The parameters of the address that are about the list. */
export const WANTED = ["text", ...Object.keys(FILTERS), "least", "most", "sort", "first"];

interface Props {
  path: string;
  wanted: Wanted;
  open: number | null;
  index: IndexState | null;
  /** Shows another list. */
  onWant: (wanted: Wanted) => void;
}

export function List({ path, wanted, open, index, onWant }: Props) {
  const { found, problem } = useAsked<Found>(
    `/api/corpora/dialogues?${asked({ ...wanted, path })}`,
    `${index?.phase} ${index?.dialogues}`,
  );
  const rows = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useKeys({
    "/": () => search.current?.focus(),
    j: () => move(rows.current, 1),
    k: () => move(rows.current, -1),
  });
  const set = (values: Wanted) => onWant({ ...wanted, first: "", ...values });
  return (
    <section class="list" aria-label={t("studio.dialogues")}>
      <search>
        <Search
          field={search}
          text={wanted.text ?? ""}
          onText={(text) => set({ text })}
          onDown={() => move(rows.current, 1)}
        />
        <Filters path={path} wanted={wanted} index={index} onSet={set} />
      </search>
      <Problem what={problem} />
      {found && <Errors errors={found.errors} />}
      {found && (
        <>
          <Pages
            found={found}
            first={Number(wanted.first) || 0}
            onFirst={(first) => set({ first })}
          />
          <ul class="rows plain" ref={rows}>
            {found.rows.map((row) => (
              <li key={row.number}>
                <Entry path={path} wanted={wanted} row={row} here={row.number === open} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Gives the focus to the next link of the list, or the one before. */
function move(list: HTMLUListElement | null, by: number): void {
  const links = Array.from(list?.querySelectorAll("a") ?? []);
  const now = links.indexOf(document.activeElement as HTMLAnchorElement);
  const here = links.findIndex((link) => link.getAttribute("aria-current"));
  const from = now >= 0 ? now : here >= 0 ? here : by > 0 ? -1 : links.length;
  links[Math.min(Math.max(from + by, 0), links.length - 1)]?.focus();
}

interface SearchProps {
  field: preact.RefObject<HTMLInputElement | null>;
  text: string;
  onText: (text: string) => void;
  onDown: () => void;
}

function Search({ field, text, onText, onDown }: SearchProps) {
  const [typed, setTyped] = useState(text);
  const latest = useRef(onText);
  latest.current = onText;
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => latest.current(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <input
      ref={field}
      type="search"
      aria-label={t("studio.list.search")}
      placeholder={t("studio.list.placeholder")}
      aria-keyshortcuts="/"
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        onDown();
      }}
    />
  );
}

interface FilterProps {
  path: string;
  wanted: Wanted;
  index: IndexState | null;
  onSet: (values: Wanted) => void;
}

function Filters({ path, wanted, index, onSet }: FilterProps) {
  const { found } = useAsked<Values>(
    `/api/corpora/values?${asked({ path })}`,
    `${index?.phase} ${index?.dialogues}`,
  );
  const set = Object.keys(FILTERS).filter((name) => wanted[name]);
  const many = set.length + Number(Boolean(wanted.least || wanted.most));
  return (
    <details class="filters" open={many > 0 || undefined}>
      <summary>
        {t("studio.filter.title")}
        {many > 0 && ` (${many})`}
      </summary>
      <div class="fields">
        {Object.entries(FILTERS).map(([name, title]) => {
          const values = Object.entries(found?.[name as keyof Values] ?? {});
          if (values.length < 2 && name !== "finding" && !wanted[name]) return null;
          const any = name === "finding" ? [["any", t("studio.filter.any")]] : [];
          const options = [...any, ...values.map(([value, n]) => [value, `${value} (${n})`])];
          return (
            <Choice
              key={name}
              title={title}
              value={wanted[name] ?? ""}
              options={[["", t("studio.filter.all")], ...options] as [string, string][]}
              onChange={(value) => onSet({ [name]: value })}
            />
          );
        })}
        <Turns
          title={t("studio.filter.least")}
          value={wanted.least}
          onChange={(least) => onSet({ least })}
        />
        <Turns
          title={t("studio.filter.most")}
          value={wanted.most}
          onChange={(most) => onSet({ most })}
        />
        <Choice
          title={t("studio.filter.sort")}
          value={wanted.sort ?? ""}
          options={Object.entries(ORDERS)}
          onChange={(sort) => onSet({ sort })}
        />
      </div>
    </details>
  );
}

interface ChoiceProps {
  title: string;
  value: string;
  options: [string, string][];
  onChange: (value: string) => void;
}

export function Choice({ title, value, options, onChange }: ChoiceProps) {
  return (
    <label class="small">
      {title}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Turns({
  title,
  value,
  onChange,
}: Omit<ChoiceProps, "options" | "value"> & { value: string | undefined }) {
  return (
    <label class="small">
      {title}
      <input
        type="number"
        min="0"
        value={value ?? ""}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

function Errors({ errors }: { errors: string[] }) {
  if (!errors.length) return null;
  return (
    <details class="notice bad small">
      <summary>{t("studio.list.errors")}</summary>
      <ul class="plain">
        {errors.map((error) => (
          <li key={error}>{error}</li>
        ))}
      </ul>
    </details>
  );
}

interface PagesProps {
  found: Found;
  first: number;
  onFirst: (first: string) => void;
}

function Pages({ found, first, onFirst }: PagesProps) {
  const { total, rows } = found;
  const shown =
    total === 0
      ? t("studio.list.none")
      : t("studio.list.shown", {
          from: whole(first + 1),
          to: whole(first + rows.length),
          total: whole(total),
        });
  return (
    <nav class="row apart pages" aria-label={t("studio.pages")}>
      <span class="small number" role="status">
        {shown}
      </span>
      {total > PAGE && (
        <span class="row">
          <button
            type="button"
            class="small"
            aria-disabled={first === 0}
            onClick={() => onFirst(String(Math.max(0, first - PAGE) || ""))}
          >
            {t("studio.page.before")}
          </button>
          <button
            type="button"
            class="small"
            aria-disabled={first + PAGE >= total}
            onClick={() => first + PAGE < total && onFirst(String(first + PAGE))}
          >
            {t("studio.page.after")}
          </button>
        </span>
      )}
    </nav>
  );
}

interface EntryProps {
  path: string;
  wanted: Wanted;
  row: Row;
  here: boolean;
}

function Entry({ path, wanted, row, here }: EntryProps) {
  const which: Record<string, string | number> = row.unique
    ? { id: row.id }
    : { number: row.number };
  const facts = [row.split, row.outcome, row.stage, t("studio.turns", { count: row.turns })].filter(
    Boolean,
  );
  return (
    <a href={href("corpora", path, { ...wanted, ...which })} aria-current={here || undefined}>
      <span class="row apart">
        <span class="name">{row.id}</span>
        {Boolean(row.findings) && (
          <span class="small wrongly">
            {row.findings === 1
              ? t("studio.finding.one")
              : t("studio.findings", { count: whole(row.findings ?? 0) })}
          </span>
        )}
      </span>
      {row.tasks.length > 0 && <span class="small tasks">{row.tasks.join(", ")}</span>}
      <span class="small soft">{facts.join(" · ")}</span>
      {row.excerpt && <Excerpt text={row.excerpt} />}
    </a>
  );
}

/** Words around those that were searched for, which are between \u0002 and \u0003. */
function Excerpt({ text }: { text: string }) {
  return (
    <span class="excerpt small" dir="auto">
      {text.split("\u0002").map((piece, place) => {
        const [found = "", rest] = piece.split("\u0003");
        return rest === undefined ? (
          found
        ) : (
          <span key={place}>
            <mark>{found}</mark>
            {rest}
          </span>
        );
      })}
    </span>
  );
}
