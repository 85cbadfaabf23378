/** The measures of each worker. */

import { useState } from "preact/hooks";
import { handing } from "../fields";
import { Confirm } from "../parts";
import type { Stage } from "../state";
import { percent, t } from "../texts";
import { stageName } from "./said";
import { Signals } from "./signals";
import { Table, usePages, WorkerField } from "./table";
import type { Act, Dashboard, Ranked, Worker } from "./types";

interface Props {
  shown: Dashboard;
  act: Act;
  /** Shows all of one worker. */
  onSeek: (worker: string) => void;
}

export function Workers({ shown, act, onSeek }: Props) {
  const { workers, ranking, funnel } = shown;
  const owner = shown.role === "owner";
  const [some, pager] = usePages(workers);
  return (
    <section id="workers">
      <h2>{t("admin.part.workers")}</h2>
      <div class="card">
        {workers.length === 0 && <p class="soft">{t("admin.workers.none")}</p>}
        {pager}
        {workers.length > 0 && (
          <Table
            heads={[
              "worker",
              "as_user",
              "as_wizard",
              "custom",
              "order",
              "median",
              "instructions",
              "creativity",
              "accepted",
              "rejected",
              "complaints",
              "gold",
            ]}
          >
            {some.map((one) => (
              <WorkerRow key={one.worker} one={one} onSeek={onSeek} />
            ))}
          </Table>
        )}
      </div>
      <Signals onSeek={onSeek} />
      <div class="twin">
        {ranking.length > 0 && <Ranking ranking={ranking} />}
        {owner && funnel.length > 1 && <Grant shown={shown} act={act} />}
        {owner && <Person act={act} />}
      </div>
    </section>
  );
}

function Ranking({ ranking }: { ranking: Ranked[] }) {
  return (
    <div class="card">
      <h3>{t("admin.ranking")}</h3>
      <p class="soft small">{t("admin.ranking.text")}</p>
      <Table heads={["worker", "stage", "score"]}>
        {ranking.map(({ worker, stage, score }) => (
          <tr key={`${worker} ${stage}`}>
            <th scope="row">{worker}</th>
            <td>{stageName(stage)}</td>
            <td class="number">{score.toFixed(2)}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** Gives a worker all that is kept of them, or erases them. */
function Person({ act }: { act: Act }) {
  const [worker, setWorker] = useState("");
  const [asked, setAsked] = useState(false);
  const [done, setDone] = useState("");
  const name = worker.trim();
  const path = `workers/${encodeURIComponent(name)}`;
  const erase = async () => {
    setAsked(false);
    if (await act(`${path}/erase`, {})) setDone(t("admin.person.erased", { worker: name }));
  };
  return (
    <div class="card">
      <h3>{t("admin.person")}</h3>
      <p class="soft small">{t("admin.person.text")}</p>
      <div class="row">
        <WorkerField
          id="person-worker"
          label="admin.head.worker"
          value={worker}
          onChange={setWorker}
        />
        {name && (
          <a class="button" href={`/api/admin/${path}/records`} download>
            {t("admin.person.records")}
          </a>
        )}
        <button type="button" aria-disabled={!name} onClick={() => name && setAsked(true)}>
          {t("admin.person.erase")}
        </button>
        <span role="status" class="small">
          {done}
        </span>
      </div>
      {asked && (
        <Confirm
          title={t("admin.person.sure", { worker: name })}
          text={t("admin.person.sure.text")}
          yes={t("admin.person.erase")}
          onYes={() => void erase()}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}

/** Opens or closes a stage for a worker, whatever was passed before. */
function Grant({ shown, act }: { shown: Dashboard; act: Act }) {
  const stages = shown.funnel.map(({ stage }) => stage);
  const [worker, setWorker] = useState("");
  const [stage, setStage] = useState(stages[0] ?? "single");
  const [done, setDone] = useState("");
  const grant = async (granted: boolean) => {
    const name = worker.trim();
    setDone("");
    if (name && (await act(`workers/${encodeURIComponent(name)}/grant`, { stage, granted }))) {
      setDone(t(granted ? "admin.grant.opened" : "admin.grant.closed", { worker: name }));
    }
  };
  return (
    <div class="card">
      <h3>{t("admin.grant")}</h3>
      <p class="soft small">{t("admin.grant.text")}</p>
      <form class="row" onSubmit={handing(() => grant(true))}>
        <WorkerField
          id="grant-worker"
          label="admin.head.worker"
          value={worker}
          onChange={setWorker}
        />
        <label for="grant-stage">{t("admin.head.stage")}</label>
        <select
          id="grant-stage"
          class="short"
          value={stage}
          onChange={(event) => setStage(event.currentTarget.value as Stage)}
        >
          {stages.map((each) => (
            <option key={each} value={each}>
              {stageName(each)}
            </option>
          ))}
        </select>
        <button type="submit">{t("admin.grant.open")}</button>
        <button type="button" onClick={() => void grant(false)}>
          {t("admin.grant.close")}
        </button>
        <span role="status" class="small">
          {done}
        </span>
      </form>
    </div>
  );
}

const rated = (value: number | null): string => (value === null ? "–" : value.toFixed(1));
export const seconds = (value: number | null): string =>
  value === null ? "–" : `${value.toFixed(1)} s`;

function WorkerRow({ one, onSeek }: { one: Worker; onSeek: (worker: string) => void }) {
  const cells = [
    one.dialogues.user,
    one.dialogues.wizard,
    percent(one.custom_share),
    percent(one.in_order),
    seconds(one.median_answer),
    rated(one.instructions),
    rated(one.creativity),
    one.accepted,
    one.rejected,
    one.complaints.length,
    one.gold.of ? `${one.gold.right} / ${one.gold.of}` : "–",
  ];
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            onSeek(one.worker);
            scrollTo(0, 0);
          }}
        >
          {one.worker}
        </button>
      </th>
      {cells.map((cell, place) => (
        <td class="number" key={place}>
          {cell}
        </td>
      ))}
    </tr>
  );
}
