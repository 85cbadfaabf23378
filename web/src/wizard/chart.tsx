/** The flow chart of a task: the server's SVG, cleaned, with the current node marked. */

import { useEffect, useRef, useState } from "preact/hooks";
import { getText } from "../api";
import type { Task } from "../state";
import { t } from "../texts";
import { type Drawing, read } from "./drawing";

const drawings = new Map<string, Promise<Drawing | null>>();

function load(address: string): Promise<Drawing | null> {
  const found = drawings.get(address);
  if (found) return found;
  const loading = getText(address).then(read, () => {
    drawings.delete(address);
    return null;
  });
  drawings.set(address, loading);
  return loading;
}

export function Chart({ task }: { task: Task }) {
  const frame = useRef<HTMLElement>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [whole, setWhole] = useState(false);
  const { chart, node } = task;
  const next = task.expected.map(({ id }) => id).join(" ");

  useEffect(() => {
    let here = true;
    setDrawing(null);
    if (chart) void load(chart).then((loaded) => here && setDrawing(loaded));
    return () => {
      here = false;
    };
  }, [chart]);
  useEffect(() => {
    const place = frame.current;
    if (!place) return;
    place.replaceChildren(...(drawing ? [drawing.svg] : []));
  }, [drawing]);
  useEffect(() => {
    if (drawing && frame.current) mark(drawing, frame.current, node, next.split(" "));
  }, [drawing, node, next, whole]);

  return (
    <section class={whole ? "card chart whole" : "card chart"} aria-labelledby="chart-title">
      <div class="head">
        <div class="row apart">
          <h2 id="chart-title">{t("chart.title", { task: task.name })}</h2>
          <button type="button" class="small" aria-pressed={whole} onClick={() => setWhole(!whole)}>
            {t("chart.whole")}
          </button>
        </div>
        <Place task={task} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <section class="picture" ref={frame} tabIndex={0} aria-label={t("chart.picture")} />
      {drawing && <AsText drawing={drawing} current={node} />}
    </section>
  );
}

/** Where the dialogue is in the flow, in words. */
function Place({ task }: { task: Task }) {
  return (
    <div aria-live="polite" class="place">
      <p class="small">
        {task.node ? (
          <>
            {t("chart.here")} <code>{task.node}</code>
          </>
        ) : (
          t("chart.start")
        )}
      </p>
      {task.expected.length > 0 && (
        <details class="next" open>
          <summary class="small">{t("chart.next", { count: task.expected.length })}</summary>
          <ul class="small">
            {task.expected.map(({ id, text }) => (
              <li key={id}>
                {text} <code>{id}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function AsText({ drawing, current }: { drawing: Drawing; current: string | null }) {
  return (
    <details class="as-text">
      <summary>{t("chart.text")}</summary>
      <ul class="small">
        {drawing.nodes.map(({ name, kind, said }) => (
          <li key={name} aria-current={name === current ? "step" : undefined}>
            <code>{name}</code> ({t(`chart.kind.${kind}`)}){said && `: ${said}`}
            {drawing.after(name).length > 0 && (
              <span class="soft"> → {drawing.after(name).join(", ")}</span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Marks the node and what may come next, and brings the node into view. */
function mark(drawing: Drawing, frame: HTMLElement, node: string | null, next: string[]): void {
  for (const { name, box } of drawing.nodes) {
    box.classList.toggle("current", name === node);
    box.classList.toggle("next", next.includes(name));
  }
  const shown = drawing.nodes.find(({ name }) => name === node) ?? drawing.nodes[0];
  if (!shown) return;
  const box = shown.box.getBoundingClientRect();
  const window = frame.getBoundingClientRect();
  frame.scrollTo({
    left: frame.scrollLeft + box.left - window.left - (window.width - box.width) / 2,
    top: frame.scrollTop + box.top - window.top - (window.height - box.height) / 3,
  });
}
