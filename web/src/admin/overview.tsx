/** The study at a glance: what is under way, how far each stage is, and what is booked. */

import { Meter } from "../parts";
import { money, percent, t } from "../texts";
import { stageName } from "./said";
import { Table } from "./table";
import type { Dashboard } from "./types";

/** The share of the budget from which on it is said. */
const NEAR = 0.8;

export function Overview({ shown }: { shown: Dashboard }) {
  const { quota, ledger, budget } = shown;
  const tiles: [string, string | number, number | null][] = [
    [
      t("admin.tile.complete"),
      `${quota.complete} / ${quota.wanted}`,
      quota.complete / Math.max(1, quota.wanted),
    ],
    [t("admin.tile.live"), quota.live, null],
    [t("admin.tile.waiting"), shown.waiting.length, null],
    [t("admin.tile.before"), shown.before.length, null],
    [t("admin.tile.review"), shown.queue.length, null],
    [
      t("admin.tile.paid"),
      money(ledger.totals.cents) + (budget === null ? "" : ` / ${money(budget)}`),
      budget === null ? null : ledger.totals.cents / budget,
    ],
  ];
  return (
    <>
      <ul class="tiles">
        {tiles.map(([name, value, share]) => (
          <li key={name}>
            <span class="big">{value}</span>
            <span class="soft small">{name}</span>
            {share !== null && <Meter share={share} />}
          </li>
        ))}
      </ul>
      {shown.stages.length > 1 && (
        <div class="card">
          <Table heads={["stage", "complete", "wanted", "live"]}>
            {shown.stages.map(({ stage, complete, wanted, live }) => (
              <tr key={stage}>
                <th scope="row">{stageName(stage)}</th>
                <td class="number">{complete}</td>
                <td class="number">{wanted}</td>
                <td class="number">{live}</td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </>
  );
}

/** Alarms that every page shows. */
export function Alarms({ shown }: { shown: Dashboard }) {
  const { budget, ledger, quota } = shown;
  const used = budget === null ? 0 : ledger.totals.cents / budget;
  return (
    <>
      {used >= NEAR && (
        <p class={used >= 1 ? "notice bad" : "notice"} role="alert">
          {t(used >= 1 ? "admin.budget.over" : "admin.budget.near", {
            share: percent(used),
            amount: money(budget ?? 0),
          })}
        </p>
      )}
      {shown.paused && <p class="notice">{t("admin.paused")}</p>}
      {quota.exhausted > 0 && <p class="notice">{t("admin.exhausted")}</p>}
    </>
  );
}
