/** A table of the dashboard, and the field in which a worker is named. */

import { useState } from "preact/hooks";
import { get } from "../api";
import { type Key, t } from "../texts";
import { said } from "./said";

/** Rows of a page of a list. */
const SIZE = 25;

/** What the server answers once it is asked, the problem with that, and what asks. */
export function useAsked<T>(path: string): [T | null, string, () => void] {
  const [found, setFound] = useState<T | null>(null);
  const [problem, setProblem] = useState("");
  const ask = () => {
    setProblem("");
    get<T>(`/api/admin/${path}`).then(setFound, (error) => setProblem(said(error)));
  };
  return [found, problem, ask];
}

/** The rows of one page of a list, and the buttons that turn to the others. */
export function usePages<T>(rows: T[], size = SIZE): [T[], preact.ComponentChildren] {
  const [wanted, setPage] = useState(0);
  const last = Math.max(0, Math.ceil(rows.length / size) - 1);
  const page = Math.min(wanted, last);
  const start = page * size;
  const values = { from: start + 1, to: Math.min(rows.length, start + size), all: rows.length };
  const pager = last > 0 && (
    <nav class="row pager" aria-label={t("admin.pages")}>
      <button
        type="button"
        class="small"
        aria-disabled={page === 0}
        onClick={() => setPage(Math.max(0, page - 1))}
      >
        {t("admin.page.before")}
      </button>
      <span class="small number">{t("admin.page", values)}</span>
      <button
        type="button"
        class="small"
        aria-disabled={page === last}
        onClick={() => setPage(Math.min(last, page + 1))}
      >
        {t("admin.page.next")}
      </button>
    </nav>
  );
  return [rows.slice(start, start + size), pager];
}

/** Columns of signals of careless work. */
export const SIGNALS = "lines fast copied unchanged machine pasted left".split(" ");

/** Columns of numbers: their heads are at the right, too. */
const NUMBERS = new Set([
  ...SIGNALS,
  ...(
    "last given priority complete live wanted since as_user as_wizard custom order median instructions creativity accepted rejected " +
    "complaints count amount score kept changed removed added entered attempted passed went_on share gold dialogues happy all published"
  ).split(" "),
]);

interface TableProps {
  heads: string[];
  children: preact.ComponentChildren;
}

export function Table({ heads, children }: TableProps) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" class={NUMBERS.has(head) ? "number" : ""}>
                {t(`admin.head.${head}` as Key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface WorkerFieldProps {
  id: string;
  label: Key;
  /** A field to search with has a way to clear it. */
  type?: "search";
  value: string;
  onChange: (worker: string) => void;
}

/** The field for a worker's name; known workers are proposed. */
export function WorkerField({ label, onChange, ...more }: WorkerFieldProps) {
  return (
    <>
      <label for={more.id}>{t(label)}</label>
      <input
        {...more}
        class="name"
        list="known-workers"
        autocomplete="off"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}
