/** The study at a glance, and its export. */

import { useState } from "preact/hooks";
import { handing } from "../fields";
import { Meter } from "../parts";
import { money, t } from "../texts";
import type { Act, Dashboard } from "./types";

const FORMATS = ["native", "star", "frames"] as const;

export function Overview({ shown, act }: { shown: Dashboard; act: Act }) {
  const { quota, ledger } = shown;
  const owner = shown.role === "owner";
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
      {shown.paused && <p class="notice">{t("admin.paused")}</p>}
      {owner && <More shown={shown} act={act} />}
      {quota.exhausted > 0 && <p class="notice">{t("admin.exhausted")}</p>}
      {owner && (
        <div class="row exports">
          <span>{t("admin.export")}</span>
          {FORMATS.map((format) => (
            <a key={format} class="button" href={`/api/admin/export/${format}`} download>
              {t(`admin.export.${format}`)}
            </a>
          ))}
        </div>
      )}
    </>
  );
}

/** Pauses the study or lets it go on, and has it collect more. */
function More({ shown, act }: { shown: Dashboard; act: Act }) {
  const [scenarios, setScenarios] = useState(shown.quota.scenarios);
  const [target, setTarget] = useState(shown.target);
  const same = scenarios === shown.quota.scenarios && target === shown.target;
  return (
    <form class="row" onSubmit={handing(() => same || act("settings", { scenarios, target }))}>
      <button type="button" onClick={() => void act("settings", { paused: !shown.paused })}>
        {t(shown.paused ? "admin.resume" : "admin.pause")}
      </button>
      <span>{t("admin.more")}:</span>
      <label for="more-scenarios">{t("admin.more.scenarios")}</label>
      <input
        id="more-scenarios"
        class="short"
        type="number"
        min={shown.quota.scenarios}
        value={scenarios}
        onInput={(event) => setScenarios(Number(event.currentTarget.value))}
      />
      <label for="more-target">{t("admin.more.target")}</label>
      <input
        id="more-target"
        class="short"
        type="number"
        min={shown.target}
        value={target}
        onInput={(event) => setTarget(Number(event.currentTarget.value))}
      />
      <button type="submit" aria-disabled={same}>
        {t("admin.more.set")}
      </button>
    </form>
  );
}
