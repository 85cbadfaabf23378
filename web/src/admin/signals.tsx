/** Signals of careless work by worker, wizards' consistency and agreement so far. */

import { Problem } from "../fields";
import { maybe, spaced, t } from "../texts";
import { SIGNALS, Table, useAsked, usePages } from "./table";

type Row = Record<string, number> & {
  worker: string;
  median_seconds: number | null;
  signals: string[];
};

interface Mean {
  share: number | null;
  interval: [number, number] | null;
  dialogues: number;
}

interface Figure {
  value: number;
  low: number;
  high: number;
}

interface Found {
  workers: Row[];
  consistency: Mean;
  agreement: Record<string, Record<string, Figure>>;
}

export function Signals({ onSeek }: { onSeek: (worker: string) => void }) {
  const [found, problem, look] = useAsked<Found>("signals");
  const [some, pager] = usePages(found?.workers ?? []);
  return (
    <div class="card">
      <h3>{t("admin.signals")}</h3>
      <p class="soft small">{t("admin.signals.text")}</p>
      {pager}
      {found && (
        <Table heads={["worker", "signals", "median", ...SIGNALS]}>
          {some.map((row) => (
            <tr key={row.worker}>
              <th scope="row">
                <button type="button" class="quiet" onClick={() => onSeek(row.worker)}>
                  {row.worker}
                </button>
              </th>
              <td>
                {row.signals
                  .map((code) => maybe(`admin.signal.${code}`, spaced(code)))
                  .join(", ") || "–"}
              </td>
              <td class="number">{row.median_seconds ?? "–"}</td>
              {SIGNALS.map((name) => (
                <td class="number" key={name}>
                  {row[name]}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {found && <Shared found={found} />}
      <div class="row">
        <button type="button" onClick={look}>
          {t("admin.signals.look")}
        </button>
      </div>
      <Problem text={problem} />
    </div>
  );
}

/** Figures of all workers: how alike wizards act, and how far annotators and raters agree. */
function Shared({ found: { consistency, agreement } }: { found: Found }) {
  const { share, interval, dialogues } = consistency;
  return (
    <ul>
      {share !== null && (
        <li>
          {t("admin.consistency", { share: share.toFixed(1), count: dialogues })}{" "}
          {interval && `(${interval.map((bound) => bound.toFixed(1)).join("–")})`}
        </li>
      )}
      {Object.entries(agreement).map(([kind, held]) =>
        Object.entries(held).map(([name, { value, low, high }]) => (
          <li key={`${kind} ${name}`}>
            {spaced(kind)}, {name}: {value.toFixed(2)} ({low.toFixed(2)}–{high.toFixed(2)})
          </li>
        )),
      )}
    </ul>
  );
}
