/** A table of the dashboard, and the field in which a worker is named. */

import { type Key, t } from "../texts";

/** Columns of numbers: their heads are at the right, too. */
const NUMBERS = new Set(
  (
    "last since as_user as_wizard custom order median instructions creativity accepted rejected " +
    "complaints count amount score kept changed removed added entered attempted passed went_on share dialogues happy all published"
  ).split(" "),
);

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

/** Where a worker is named; those who are known are proposed. */
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
