/** The bookings with their reasons, and the bonuses that wait to be confirmed. */

import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { get, Refusal } from "../api";
import { handing } from "../fields";
import { maybe, moment, money, t } from "../texts";
import { stageName } from "./said";
import { Table, usePages } from "./table";
import type { Account, Act, Bonus, Dashboard } from "./types";

/** Whose a completion code is. */
function Codes() {
  const [code, setCode] = useState("");
  const [found, setFound] = useState<Account[]>([]);
  const [problem, setProblem] = useState("");
  const look = async () => {
    setProblem("");
    setFound([]);
    try {
      setFound(await get<Account[]>(`/api/admin/codes/${encodeURIComponent(code.trim())}`));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setProblem(t("admin.code.unknown"));
    }
  };
  return (
    <form class="row" onSubmit={handing(() => code.trim() && look())}>
      <label for="code">{t("admin.code")}</label>
      <input
        id="code"
        class="name"
        value={code}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setCode(event.currentTarget.value)}
      />
      <button type="submit">{t("admin.code.look")}</button>
      <div role="status">
        {problem}
        {found.map((row) => (
          <p key={row.assignment}>
            {t("admin.code.found", {
              worker: row.worker,
              outcome: t(`done.${row.outcome}`),
              amount: money(row.total),
            })}
          </p>
        ))}
      </div>
    </form>
  );
}

/** Books a bonus of the admin's own for an assignment. */
function OwnBonus({ shown, act }: { shown: Dashboard; act: Act }) {
  const [number, setNumber] = useState("");
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const cents = Math.round(Number(amount) * 100);
  const ready = /^\d+$/.test(number) && cents > 0 && reason.trim() !== "";
  const book = async () => {
    // Clicked twice, it is booked once; the next one is in a ledger that has grown.
    const { payment, bonus, rejection } = shown.ledger.totals;
    const booked = payment.rows + bonus.rows + rejection.rows;
    const body = { cents, reason, key: `${cents}-${booked}` };
    if (await act(`assignments/${number}/bonus`, body)) setReason("");
  };
  const fields = [
    ["bonus-number", t("admin.head.assignment"), number, setNumber, "short"],
    ["bonus-amount", `${t("admin.head.amount")} (${shown.currency})`, amount, setAmount, "short"],
    ["bonus-reason", t("admin.head.reason"), reason, setReason, "name"],
  ] as const;
  return (
    <form class="row" aria-label={t("admin.bonus.own")} onSubmit={handing(() => ready && book())}>
      {fields.map(([id, label, value, set, size]) => (
        <Fragment key={id}>
          <label for={id}>{label}</label>
          <input
            id={id}
            class={size}
            autocomplete="off"
            value={value}
            onInput={(event) => set(event.currentTarget.value)}
          />
        </Fragment>
      ))}
      <button type="submit" aria-disabled={!ready}>
        {t("admin.bonus.own")}
      </button>
    </form>
  );
}

const KINDS = ["payment", "bonus", "rejection"] as const;

export function Ledger({ shown, act }: { shown: Dashboard; act: Act }) {
  const { totals, rows } = shown.ledger;
  const [newest, pager] = usePages([...rows].reverse());
  const owner = shown.role === "owner";
  return (
    <section id="pay">
      <h2>{t("admin.part.pay")}</h2>
      <div class="card">
        <Table heads={["kind", "count", "amount"]}>
          {KINDS.map((kind) => (
            <tr key={kind}>
              <th scope="row">{t(`admin.totals.${kind}`)}</th>
              <td class="number">{totals[kind].rows}</td>
              <td class="number">{money(totals[kind].cents)}</td>
            </tr>
          ))}
          <tr class="sum">
            <th scope="row">{t("done.sum")}</th>
            <td class="number" />
            <td class="number">{money(totals.cents)}</td>
          </tr>
        </Table>
        {owner && (
          <>
            <Codes />
            <OwnBonus shown={shown} act={act} />
            <p class="row">
              <a class="button" href="/api/admin/accounts.csv" download>
                {t("admin.accounts")}
              </a>
            </p>
          </>
        )}
        {owner && shown.proposed.length > 0 && <Bonuses proposed={shown.proposed} act={act} />}
        {rows.length > 0 && (
          <details>
            <summary>{t("admin.rows", { all: rows.length })}</summary>
            {pager}
            <Table heads={["time", "worker", "kind", "reason", "amount", "key"]}>
              {newest.map((row) => (
                <tr key={row.key}>
                  <td>{moment(row.time)}</td>
                  <td>{row.worker}</td>
                  <td>{maybe(`admin.kind.${row.kind}`, row.kind)}</td>
                  <td>{maybe(`paid.${row.reason}`, row.reason)}</td>
                  <td class="number">{money(row.cents)}</td>
                  <td>
                    <code>{row.key}</code>
                  </td>
                </tr>
              ))}
            </Table>
          </details>
        )}
      </div>
    </section>
  );
}

function Bonuses({ proposed, act }: { proposed: Bonus[]; act: Act }) {
  const [left, setLeft] = useState<string[]>([]);
  const keys = proposed.map(({ key }) => key).filter((key) => !left.includes(key));
  const sum = proposed
    .filter(({ key }) => keys.includes(key))
    .reduce((cents, bonus) => cents + bonus.cents, 0);
  return (
    <form onSubmit={handing(() => keys.length > 0 && act("bonuses", { keys }))}>
      <h3>{t("admin.bonuses")}</h3>
      <Table heads={["choose", "worker", "stage", "score", "amount"]}>
        {proposed.map(({ key, worker, stage, score, cents }) => (
          <tr key={key}>
            <td>
              <input
                type="checkbox"
                aria-label={t("admin.bonus.choose", { worker })}
                checked={!left.includes(key)}
                onChange={(event) =>
                  setLeft(
                    event.currentTarget.checked
                      ? left.filter((each) => each !== key)
                      : [...left, key],
                  )
                }
              />
            </td>
            <td>{worker}</td>
            <td>{stageName(stage)}</td>
            <td class="number">{score.toFixed(2)}</td>
            <td class="number">{money(cents)}</td>
          </tr>
        ))}
      </Table>
      <button type="submit" class="main" disabled={keys.length === 0}>
        {t("admin.bonus.book", { count: keys.length, sum: money(sum) })}
      </button>
    </form>
  );
}
