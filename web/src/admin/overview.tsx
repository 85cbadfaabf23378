/** The study at a glance, and its export. */

import { Meter } from "../parts";
import { money, t } from "../texts";
import type { Dashboard } from "./types";

const FORMATS = ["native", "star", "frames"] as const;

export function Overview({ shown }: { shown: Dashboard }) {
  const { quota, ledger } = shown;
  const complete = t("admin.tile.complete");
  const tiles: [string, string | number][] = [
    [complete, `${quota.complete} / ${quota.wanted}`],
    [t("admin.tile.live"), quota.live],
    [t("admin.tile.waiting"), shown.waiting.length],
    [t("admin.tile.before"), shown.before.length],
    [t("admin.tile.review"), shown.queue.length],
    [t("admin.tile.paid"), money(ledger.totals.cents)],
    [t("admin.tile.records"), shown.records],
    [t("admin.tile.connections"), shown.connections],
  ];
  return (
    <>
      <h1 class="heard">{t("admin.title")}</h1>
      <ul class="tiles">
        {tiles.map(([name, value]) => (
          <li key={name}>
            <span class="big">{value}</span>
            <span class="soft small">{name}</span>
            {name === complete && <Meter share={quota.complete / Math.max(1, quota.wanted)} />}
          </li>
        ))}
      </ul>
      {quota.exhausted > 0 && <p class="notice">{t("admin.exhausted")}</p>}
      <div class="row exports">
        <span>{t("admin.export")}</span>
        {FORMATS.map((format) => (
          <a key={format} class="button" href={`/api/admin/export/${format}`} download>
            {t(`admin.export.${format}`)}
          </a>
        ))}
      </div>
    </>
  );
}
