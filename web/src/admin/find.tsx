/** The admin's search: units, people and rows that have all of some words, and one worker. */

import { moment, money, t } from "../texts";
import { named } from "./said";
import { Table, WorkerField } from "./table";
import { type Act, type Booked, type Dashboard, judges } from "./types";

const LISTS = "rooms waiting before queue workers ranking proposed comments".split(" ");

/** All words of a row: its texts, however deep, and the number of its unit. */
const wordsOf = (row: object): string =>
  Object.entries(row)
    .map(([name, value]) => {
      if (name === "room") return t("admin.unit", { number: value });
      if (name === "rooms") return value.map((unit: number) => t("admin.unit", { number: unit }));
      return typeof value === "object" && value
        ? wordsOf(value)
        : typeof value === "string" && value;
    })
    .join(" ");

/** The dashboard with only what has all the words. */
export function found(shown: Dashboard, sought: string): Dashboard {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const among = (rows: object[]) =>
    rows.filter((row) => words.every((word) => wordsOf(row).toLowerCase().includes(word)));
  const lists = Object.entries(shown).filter(([name]) => LISTS.includes(name));
  return {
    ...shown,
    ...Object.fromEntries(lists.map(([name, rows]) => [name, among(rows)])),
    ledger: { ...shown.ledger, rows: among(shown.ledger.rows) as Booked[] },
  };
}

interface FindProps {
  sought: string;
  workers: string[];
  onSeek: (sought: string) => void;
}

export function Find({ sought, workers, onSeek }: FindProps) {
  return (
    <search class="row find">
      <WorkerField id="find" label="admin.find" type="search" value={sought} onChange={onSeek} />
      <datalist id="known-workers">
        {workers.map((worker) => (
          <option key={worker} value={worker} />
        ))}
      </datalist>
    </search>
  );
}

interface WorkerProps {
  shown: Dashboard;
  worker: string;
  act: Act;
  onRead: (unit: number) => void;
}

/** All dialogues that a worker handed in, and what they were paid. */
export function WorkerView({ shown, worker, act, onRead }: WorkerProps) {
  const dialogues = shown.handed_in.filter((one) => one.worker === worker);
  const paid = shown.ledger.rows.filter((row) => row.worker === worker);
  if (dialogues.length + paid.length === 0) return null;
  const total = paid.reduce((sum, { cents }) => sum + cents, 0);
  return (
    <section class="card" aria-labelledby="one-worker">
      <h2 id="one-worker">{worker}</h2>
      <p>{t("admin.worker.paid", { count: dialogues.length, amount: money(total) })}</p>
      <Table heads={["unit", "roles", "time", "checked", "actions"]}>
        {dialogues.map((one) => (
          <tr key={one.assignment}>
            <th scope="row">{one.rooms.join(", ")}</th>
            <td>{named(one.role)}</td>
            <td>{moment(one.time)}</td>
            <td>{verdict(one.accepted)}</td>
            <td class="row">
              {one.rooms.map((unit) => (
                <button key={unit} type="button" class="small" onClick={() => onRead(unit)}>
                  {one.rooms.length > 1 ? t("admin.read.unit", { number: unit }) : t("admin.read")}
                </button>
              ))}
              {judges(shown) && one.accepted === false && (
                <button
                  type="button"
                  class="small"
                  onClick={() => act(`assignments/${one.assignment}/review`, { accepted: true })}
                >
                  {t("admin.accept")}
                </button>
              )}
              {judges(shown) && one.accepted !== null && (
                <button
                  type="button"
                  class="small"
                  onClick={() => act(`assignments/${one.assignment}/undo`, {})}
                >
                  {t("admin.undo")}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const verdict = (accepted: boolean | null): string =>
  accepted === null ? "–" : t(accepted ? "admin.head.accepted" : "admin.head.rejected");
