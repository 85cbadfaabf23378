/** Figures to look at: the funnel, and the shares of Table 8. The tables below them say the same. */

import { percent, t } from "../texts";
import { stageName } from "./said";
import type { Funnel, Order } from "./types";

const COUNTS = ["entered", "attempted", "passed", "went_on"] as const;

/** Units of the drawing, which is as wide as its place: rows, bars, and where these begin. */
const WIDTH = 600;
const ROW = 22;
const BAR = 14;
const LEFT = 170;
const RIGHT = 44;

/** How many came how far, a bar each, by stage. */
export function FunnelPlot({ funnel }: { funnel: Funnel[] }) {
  const most = Math.max(1, ...funnel.flatMap((row) => COUNTS.map((count) => row[count])));
  const scale = (WIDTH - LEFT - RIGHT) / most;
  const tall = COUNTS.length * ROW + 34;
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${funnel.length * tall}`} role="img">
      <title>{t("admin.funnel.plot")}</title>
      {funnel.map((row, stage) => (
        <g key={row.stage} transform={`translate(0 ${stage * tall})`}>
          <text class="head" y="16">
            {stageName(row.stage)}
          </text>
          {COUNTS.map((count, place) => (
            <g key={count} transform={`translate(0 ${24 + place * ROW})`}>
              <text x={LEFT - 10} y="11.5" class="end">
                {t(`admin.head.${count}`)}
              </text>
              <rect x={LEFT} width={WIDTH - LEFT - RIGHT} height={BAR} rx="3" class="rest" />
              <rect x={LEFT} width={row[count] * scale} height={BAR} rx="3" class="done" />
              <text x={WIDTH - RIGHT + 8} y="11.5" class="value">
                {row[count]}
              </text>
            </g>
          ))}
        </g>
      ))}
    </svg>
  );
}

interface Marks {
  name: string;
  all: number | null;
  happy: number | null;
  published: number | null;
}

const marks = (name: string, row: Order): Marks => ({
  name,
  all: row.all,
  happy: row.happy,
  published: row.published?.all ?? null,
});

/** Shares of steps in the schema's order: all and happy dialogues, and the published ones. */
export function OrderPlot({ tasks }: { tasks: [string, Order][] }) {
  const rows = tasks.map(([name, row]) => marks(name, row));
  const width = WIDTH - LEFT - RIGHT;
  const at = (share: number) => LEFT + share * width;
  const bottom = rows.length * ROW + 6;
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${bottom + 46}`} role="img">
      <title>{t("admin.order.plot")}</title>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <path class="grid" d={`M${at(share)} 0V${bottom}`} />
          <text class="middle" x={at(share)} y={bottom + 15}>
            {percent(share)}
          </text>
        </g>
      ))}
      {rows.map(({ name, all, happy, published }, place) => (
        <g key={name} transform={`translate(0 ${place * ROW + ROW / 2})`}>
          <text class="end" x={LEFT - 10} y="4">
            {name}
          </text>
          {published !== null && (
            <path class="published" d={`M${at(published)} -8V8`}>
              <title>{`${t("admin.head.published")}: ${percent(published)}`}</title>
            </path>
          )}
          {happy !== null && (
            <circle class="happy" cx={at(happy)} r="5">
              <title>{`${t("admin.head.happy")}: ${percent(happy)}`}</title>
            </circle>
          )}
          {all !== null && (
            <circle class="done" cx={at(all)} r="5">
              <title>{`${t("admin.head.all")}: ${percent(all)}`}</title>
            </circle>
          )}
        </g>
      ))}
      <g transform={`translate(${LEFT} ${bottom + 36})`} class="legend">
        <circle class="done" cx="5" cy="-4" r="5" />
        <text x="16">{t("admin.head.all")}</text>
        <circle class="happy" cx="95" cy="-4" r="5" />
        <text x="106">{t("admin.head.happy")}</text>
        <path class="published" d="M190 -12V4" />
        <text x="200">{t("admin.head.published")}</text>
      </g>
    </svg>
  );
}
