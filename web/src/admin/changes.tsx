/** Changes and exports by the owner while the study runs. */

import { useState } from "preact/hooks";
import { handing } from "../fields";
import { maybe, t } from "../texts";
import { Table } from "./table";
import type { Act, Dashboard } from "./types";

const FORMATS = ["native", "star", "frames"] as const;

export function Changes({ shown, act }: { shown: Dashboard; act: Act }) {
  return (
    <section id="settings">
      <h2>{t("admin.part.settings")}</h2>
      <div class="card">
        <More shown={shown} act={act} />
        <div class="row exports">
          <span>{t("admin.export")}</span>
          {FORMATS.map((format) => (
            <a key={format} class="button" href={`/api/admin/export/${format}`} download>
              {t(`admin.export.${format}`)}
            </a>
          ))}
        </div>
        <p class="soft small">{t("admin.design")}</p>
      </div>
      <Unchecked shown={shown} />
    </section>
  );
}

function Unchecked({ shown }: { shown: Dashboard }) {
  return (
    <div class="card">
      <h3>{t("admin.unchecked")}</h3>
      <p class="soft small">{t("admin.unchecked.text")}</p>
      {shown.unchecked.length === 0 && <p>{t("admin.unchecked.none")}</p>}
      {shown.unchecked.length > 0 && (
        <Table heads={["asked", "wanted", "checked"]}>
          {shown.unchecked.map(({ what, wanted }) => (
            <tr key={what}>
              <th scope="row">{maybe(`admin.asked.${what}`, what)}</th>
              <td>{String(wanted)}</td>
              <td class="wrongly">{t("admin.unchecked.not")}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
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
