/** The funnel, Table 8 of the STAR paper while collecting, and what people wrote. */

import { Problem } from "../fields";
import { moment, percent, spaced, t } from "../texts";
import { FunnelPlot, OrderPlot } from "./plots";
import { named, stageName } from "./said";
import { Table, useAsked, usePages } from "./table";
import type { Dashboard, Funnel } from "./types";

/** Kinds of work whose dialogues follow a flow chart. */
const ROOMS = ["room", "spoken"];

interface Props {
  shown: Dashboard;
  onRead: (unit: number) => void;
}

export function Figures({ shown, onRead }: Props) {
  const { funnel, order, comments } = shown;
  const tasks = Object.entries(order?.tasks ?? {});
  const [some, pager] = usePages([...comments].reverse());
  const talks = shown.stages.some(({ kind }) => ROOMS.includes(kind));
  return (
    <section id="figures">
      <h2>{t("admin.part.figures")}</h2>
      <div class="twin">
        <div class="card">
          <h3>{t("admin.funnel")}</h3>
          <div class="scroll">
            <FunnelPlot funnel={funnel} />
          </div>
          <details>
            <summary>{t("admin.as.table")}</summary>
            <Table heads={["stage", "entered", "attempted", "passed", "went_on", "share"]}>
              {funnel.map((row) => (
                <FunnelRow key={row.stage} row={row} />
              ))}
            </Table>
          </details>
        </div>
        <div class="card" hidden={!talks}>
          <h3>{t("admin.order")}</h3>
          <p class="soft small">{t("admin.order.text")}</p>
          {tasks.length === 0 && <p class="soft">{t("admin.order.none")}</p>}
          {tasks.length > 0 && (
            <div class="scroll">
              <OrderPlot tasks={tasks} />
            </div>
          )}
          {tasks.length > 0 && (
            <details>
              <summary>{t("admin.as.table")}</summary>
              <Table heads={["task", "dialogues", "happy", "all", "published"]}>
                {tasks.map(([task, row]) => (
                  <tr key={task}>
                    <th scope="row">{task}</th>
                    <td class="number">{row.dialogues}</td>
                    <td class="number">{percent(row.happy)}</td>
                    <td class="number">{percent(row.all)}</td>
                    <td class="number">
                      {row.published
                        ? `${percent(row.published.happy)} · ${percent(row.published.all)}`
                        : "–"}
                    </td>
                  </tr>
                ))}
                <tr class="here">
                  <th scope="row">{t("admin.order.mean")}</th>
                  <td class="number" />
                  <td class="number">{percent(order?.mean.happy ?? null)}</td>
                  <td class="number">{percent(order?.mean.all ?? null)}</td>
                  <td class="number" />
                </tr>
              </Table>
            </details>
          )}
        </div>
      </div>
      {shown.prelabels && <Prelabels />}
      <div class="card">
        <h3>{t("admin.comments", { count: comments.length })}</h3>
        {comments.length === 0 && <p class="soft">{t("admin.comments.none")}</p>}
        {pager}
        <ul class="plain comments">
          {some.map(({ room: unit, role, text, time }) => (
            <li key={`${unit} ${role} ${time}`}>
              <p>{text}</p>
              <span class="soft small">
                {named(role)} · {moment(time)} ·{" "}
                <button type="button" class="quiet small" onClick={() => onRead(unit)}>
                  {t("admin.read.unit", { number: unit })}
                </button>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Kind of mark and label to what became of those that annotators started from. */
type Fates = Record<string, Record<string, Record<(typeof FATES)[number], number>>>;

const FATES = ["kept", "changed", "removed", "added"] as const;

function Prelabels() {
  const [found, problem, count] = useAsked<Fates>("prelabels");
  const rows = Object.entries(found ?? {}).flatMap(([kind, labels]) =>
    Object.entries(labels).map(([label, fates]) => ({ kind, label, fates })),
  );
  return (
    <div class="card">
      <h3>{t("admin.prelabels")}</h3>
      <p class="soft small">{t("admin.prelabels.text")}</p>
      {rows.length > 0 && (
        <Table heads={["kind", "label", ...FATES]}>
          {rows.map(({ kind, label, fates }) => (
            <tr key={`${kind} ${label}`}>
              <td>{spaced(kind)}</td>
              <th scope="row">{label}</th>
              {FATES.map((fate) => (
                <td class="number" key={fate}>
                  {fates[fate]}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      <div class="row">
        <button type="button" onClick={count}>
          {t("admin.prelabels.count")}
        </button>
        <span role="status" class="small">
          {found && rows.length === 0 && t("admin.prelabels.none")}
        </span>
      </div>
      <Problem text={problem} />
    </div>
  );
}

function FunnelRow({ row }: { row: Funnel }) {
  return (
    <tr>
      <th scope="row">{stageName(row.stage)}</th>
      <td class="number">{row.entered}</td>
      <td class="number">{row.attempted}</td>
      <td class="number">{row.passed}</td>
      <td class="number">{row.went_on}</td>
      <td class="number">{percent(row.passed_share)}</td>
    </tr>
  );
}
