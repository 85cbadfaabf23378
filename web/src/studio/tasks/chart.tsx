/** The flow chart of the text, live: a node leads to its lines. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../../texts";
import { type Drawing, read } from "../../wizard/drawing";
import type { Finding, Names } from "./types";

interface Props {
  /** The last chart, as SVG. */
  chart: string | null;
  /** Whether it is older than the text. */
  old: boolean;
  names: Names;
  findings: Finding[];
  /** The line of the cursor. */
  line: number;
  onLine: (line: number) => void;
}

const KINDS = {
  user: t("studio.chart.user"),
  system: t("studio.chart.system"),
  call: t("studio.chart.call"),
  result: t("studio.chart.result"),
};

/** The node whose lines a line is in. */
function nodeAt(flow: Record<string, number>, line: number): string | null {
  let found: string | null = null;
  for (const [name, begin] of Object.entries(flow)) {
    if (begin <= line && begin > (found === null ? 0 : (flow[found] ?? 0))) found = name;
  }
  return found;
}

/** The worst finding about each node. */
function worst(findings: Finding[]): Map<string, Finding> {
  const rank = ["information", "warning", "error"];
  const found = new Map<string, Finding>();
  for (const finding of findings) {
    const [, section, name] = finding.pointer.split("/");
    const before = name && found.get(name);
    if (section !== "flow" || !name) continue;
    if (!before || rank.indexOf(finding.severity) > rank.indexOf(before.severity)) {
      found.set(name, finding);
    }
  }
  return found;
}

export function Chart({ chart, old, names, findings, line, onLine }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [whole, setWhole] = useState(true);
  const drawing = useMemo(() => (chart ? read(chart) : null), [chart]);
  const flow = names.flow ?? {};
  const lines = useRef({ flow, onLine });
  lines.current = { flow, onLine };
  useEffect(() => {
    frame.current?.replaceChildren(...(drawing ? [drawing.svg] : []));
    if (!drawing) return;
    drawing.svg.setAttribute("role", "group");
    for (const { box, name, kind, said } of drawing.nodes) {
      box.setAttribute("role", "button");
      box.setAttribute("tabindex", "0");
      const go = () => lines.current.onLine(lines.current.flow[name] ?? 1);
      box.setAttribute("aria-label", `${name}, ${KINDS[kind]}: ${said}`);
      box.addEventListener("click", go);
      box.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        go();
      });
    }
  }, [drawing]);
  useEffect(() => {
    if (drawing && frame.current) scale(drawing.svg, whole ? frame.current.clientWidth : 0);
  }, [drawing, whole]);
  const at = nodeAt(flow, line);
  useEffect(() => {
    if (drawing && frame.current) mark(drawing, frame.current, at, worst(findings));
  }, [drawing, at, findings]);
  if (!drawing) {
    return <p class="soft hint">{t("studio.chart.later")}</p>;
  }
  return (
    <div class={`drawn ${old ? "old" : ""}`}>
      <p class="row apart small soft hint">
        <span>{old ? t("studio.chart.old") : t("studio.chart.choose")}</span>
        <button
          type="button"
          class="small quiet"
          aria-pressed={!whole}
          onClick={() => setWhole(!whole)}
        >
          {t("studio.chart.full")}
        </button>
      </p>
      <div class="picture" ref={frame} />
    </div>
  );
}

/** Letters of a smaller drawing are hard to read. */
const SMALLEST = 0.75;

/** Fits a drawing into a width as far as its letters can be read; 0 is its full size. */
function scale(svg: SVGElement, width: number): void {
  const [, , natural = 0, high = 0] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const share = width ? Math.min(1, Math.max(SMALLEST, (width - 32) / natural)) : 1;
  svg.setAttribute("width", String(natural * share));
  svg.setAttribute("height", String(high * share));
}

function mark(
  drawing: Drawing,
  frame: HTMLElement,
  current: string | null,
  findings: Map<string, Finding>,
): void {
  for (const { name, box } of drawing.nodes) {
    box.classList.toggle("here", name === current);
    const severity = findings.get(name)?.severity;
    for (const each of ["error", "warning", "information"]) {
      box.classList.toggle(each, each === severity);
    }
  }
  const box = drawing.nodes.find(({ name }) => name === current)?.box.getBoundingClientRect();
  const seen = frame.getBoundingClientRect();
  if (!box || (box.top >= seen.top && box.bottom <= seen.bottom)) return;
  frame.scrollTo({ top: frame.scrollTop + box.top - seen.top - seen.height / 3 });
}
