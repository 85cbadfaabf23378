/** The flow chart of a task: the server's SVG, cleaned, with the current node marked. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { getText } from "../api";
import { Dialog } from "../dialog";
import type { Place, Task } from "../state";
import { shown, spaced, t } from "../texts";
import { type Drawing, read } from "./drawing";

const charts = new Map<string, Promise<string | null>>();

function load(address: string): Promise<string | null> {
  const found = charts.get(address);
  if (found) return found;
  const loading = getText(address).catch(() => {
    charts.delete(address);
    return null;
  });
  charts.set(address, loading);
  return loading;
}

interface Props {
  task: Task;
  place: Place;
  /** The item that is at hand: its values are put in. */
  item: Record<string, unknown> | undefined;
  /** Takes the words of a reply that comes next. */
  onUse: (text: string) => void;
}

/** A text with an item's values in its places. */
const filled = (text: string, item: Props["item"]): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = item?.[name];
    return value === undefined || value === null ? place : shown(value);
  });

export function Chart({ task, place, item, onUse }: Props) {
  const [text, setText] = useState<string | null>(null);
  const [whole, setWhole] = useState(false);
  const { chart, name } = task;
  useEffect(() => {
    let here = true;
    setText(null);
    if (chart) void load(chart).then((loaded) => here && setText(loaded));
    return () => {
      here = false;
    };
  }, [chart]);
  const title = t("chart.title", { task: name });
  return (
    <section class="card chart" aria-labelledby="chart-title">
      <div class="head">
        <div class="row apart">
          <h2 id="chart-title">{title}</h2>
          <button type="button" class="small" onClick={() => setWhole(true)}>
            {t("chart.whole")}
          </button>
        </div>
        <Standing
          place={place}
          said={filled(said(text, place.node), item)}
          task={task}
          onUse={onUse}
        />
      </div>
      <Picture text={text} place={place} />
      {text && <AsText text={text} current={place.node} />}
      {whole && (
        <Dialog title={title} wide onClose={() => setWhole(false)}>
          <Picture text={text} place={place} />
          <div class="row">
            <button type="button" class="main" onClick={() => setWhole(false)}>
              {t("chart.close")}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

/** The drawing, which scrolls to where the dialogue is. */
function Picture({ text, place }: { text: string | null; place: Place }) {
  const frame = useRef<HTMLElement>(null);
  const drawing = useMemo(() => (text === null ? null : read(text)), [text]);
  const { node, expected } = place;
  const next = expected.map(({ id }) => id).join(" ");
  useEffect(() => {
    frame.current?.replaceChildren(...(drawing ? [drawing.svg] : []));
  }, [drawing]);
  useEffect(() => {
    if (drawing && frame.current) mark(drawing, frame.current, node, next.split(" "));
  }, [drawing, node, next]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
    <section class="picture" ref={frame} tabIndex={0} aria-label={t("chart.picture")} />
  );
}

/** A reply's wording, what is filled in later set apart: "A table for <how many>". */
export function Wording({ text }: { text: string }) {
  return (
    <span dir="auto">
      {text
        .split(/<([^<>]+)>/)
        .map((part, place) => (place % 2 ? <em key={place}>{part}</em> : part))}
    </span>
  );
}

interface StandingProps {
  place: Place;
  /** The text of the dialogue's node. */
  said: string;
  task: Task;
  onUse: (text: string) => void;
}

/** The text of a named node in the drawing. */
function said(text: string | null, node: string | null): string {
  const nodes = text === null ? [] : (read(text)?.nodes ?? []);
  return nodes.find(({ name }) => name === node)?.said ?? "";
}

/** The dialogue's place in the flow, in words; the next steps can be chosen there. */
export function Standing({ place, said, task, onUse }: StandingProps) {
  // Queries use the form; all else is said.
  const use = (id: string, text: string) => {
    const asked = task.forms.some(({ api }) => api === id);
    if (asked) document.querySelector<HTMLElement>("[data-field]")?.focus();
    else onUse(text || id);
  };
  return (
    <div aria-live="polite" class="place">
      <p class="small">
        {place.node ? (
          <>
            {t("chart.here")} {<Wording text={said || spaced(place.node)} />}
          </>
        ) : (
          t("chart.start")
        )}
      </p>
      {place.expected.length > 0 && (
        <details class="next" open>
          <summary class="small">{t("chart.next", { count: place.expected.length })}</summary>
          <ul class="small">
            {place.expected.map(({ id, text }) => (
              <li key={id}>
                <button type="button" class="quiet small" onClick={() => use(id, text ?? "")}>
                  <Wording text={text || spaced(id)} />
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function AsText({ text, current }: { text: string; current: string | null }) {
  const drawing = useMemo(() => read(text), [text]);
  if (!drawing) return null;
  return (
    <details class="as-text">
      <summary>{t("chart.text")}</summary>
      <ul class="small">
        {drawing.nodes.map(({ name, kind, said }) => (
          <li key={name} aria-current={name === current ? "step" : undefined}>
            {spaced(name)} ({t(`chart.kind.${kind}`)}){said && `: ${said}`}
            {drawing.after(name).length > 0 && (
              <span class="soft"> → {drawing.after(name).map(spaced).join(", ")}</span>
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
