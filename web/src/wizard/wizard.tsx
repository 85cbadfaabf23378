/** The wizard's page: the dialogue, the desk with tasks, queries and items, and the flow chart. */

import { useEffect, useState } from "preact/hooks";
import { Lines } from "../chat";
import { TaskText, useFolded, useWire } from "../parts";
import type { Task, WizardRoom } from "../state";
import { maybe, shown, spaced, t, teach } from "../texts";
import { Chart } from "./chart";
import { answered, Items } from "./items";
import { QueryForm, type Values } from "./query";
import { Replies } from "./replies";
import en from "./wizard.en.json";
import "../style/wizard.css";
import "../style/flow.css";

const others = import.meta.glob<{ default: Record<string, string> }>([
  "./wizard.??.json",
  "!./wizard.en.json",
]);

/** Done when the page's texts are there. */
export const ready = teach(en, (language) => others[`./wizard.${language}.json`]);

export function WizardPage() {
  const room = useWire().state?.room;
  return room?.role === "wizard" ? <Desk room={room} /> : null;
}

function Desk({ room }: { room: WizardRoom }) {
  const [retry, setRetry] = useState({ text: "", count: 0, find: false });
  const fill = (text: string, find: boolean) =>
    setRetry((before) => ({ text, find, count: before.count + 1 }));
  const task = room.tasks.find(({ id }) => id === room.task) ?? null;
  const place = task && room.flow[task.id];
  useEffect(() => {
    document.addEventListener("keydown", toReply);
    return () => document.removeEventListener("keydown", toReply);
  }, []);
  return (
    <main class={task && !task.chart ? "unit wizard flowless" : "unit wizard"}>
      <h1 class="heard">{t("role.wizard")}</h1>
      <section class="card chat" aria-label={t("chat.title")}>
        {room.text && <Brief text={room.text} />}
        <Lines role="wizard" onRetry={(text) => fill(text, false)} />
        <Replies key={room.number} room={room} retry={retry} />
      </section>
      <div class="desk">
        <Tabs room={room} />
        <div
          class="side"
          role="tabpanel"
          id="desk"
          aria-labelledby={task ? `tab-${task.id}` : undefined}
        >
          {task ? <Queries key={room.number} room={room} task={task} /> : <Choose />}
          <Items room={room} />
        </div>
      </div>
      {task?.chart && place && (
        <Chart
          item={room.items.find(({ index }) => index === room.primary)?.item}
          task={task}
          place={place}
          onUse={(text) => fill(text, true)}
        />
      )}
      {!task && <NoChart />}
    </main>
  );
}

/** Escape leads from tabs, form and items back to where replies are typed. */
function toReply(event: KeyboardEvent): void {
  const desk = event.target instanceof Element && event.target.closest(".desk");
  if (event.key === "Escape" && desk) document.querySelector<HTMLElement>("#say")?.focus();
}

/** The task; it folds away with the first message. */
function Brief({ text }: { text: string }) {
  const [open, setOpen] = useFolded("all");
  return (
    <details class="brief" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("task.title")}</summary>
      <TaskText text={text} />
    </details>
  );
}

/** The place of the flow chart. */
function NoChart() {
  return (
    <section class="card">
      <h2>{t("chart.none")}</h2>
      <p class="soft">{t("chart.none.text")}</p>
    </section>
  );
}

function Choose() {
  return (
    <section class="card">
      <p>{t("tabs.choose")}</p>
    </section>
  );
}

/** One tab per task; arrow keys move between them. */
function Tabs({ room }: { room: WizardRoom }) {
  const wire = useWire();
  const yours = room.turn === "wizard";
  const turn = (task: Task) => {
    if (yours && task.id !== room.task) void wire.send("turn", { task: task.id });
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
    const place = tabs.indexOf(document.activeElement as HTMLElement);
    tabs[(place + step + tabs.length) % tabs.length]?.focus();
    event.preventDefault();
  };
  const known = room.tasks.some(({ id }) => id === room.task);
  return (
    <div class="tabs" role="tablist" aria-label={t("tabs")} onKeyDown={move}>
      {room.tasks.map((task, place) => {
        const here = task.id === room.task;
        return (
          <button
            type="button"
            key={task.id}
            id={`tab-${task.id}`}
            role="tab"
            aria-selected={here}
            aria-controls="desk"
            aria-disabled={!yours && !here}
            tabIndex={here || (!known && place === 0) ? 0 : -1}
            onClick={() => turn(task)}
          >
            {task.name}
          </button>
        );
      })}
    </div>
  );
}

/** The forms of a task; what is filled in stays while the wizard looks at another one. */
export function Queries({ room, task }: { room: WizardRoom; task: Task }) {
  const [filled, setFilled] = useState<Record<string, Values>>({});
  const [api, setApi] = useState<string | null>(null);
  const form = task.forms.find((each) => each.api === api) ?? task.forms[0];
  if (!form) return null;
  const key = `${task.id} ${form.api}`;
  return (
    <section class="card">
      <h2>{t("query.title")}</h2>
      {task.forms.length > 1 && (
        <div class="form-row">
          <label for="api">{t("query.api")}</label>
          <select id="api" value={form.api} onChange={(event) => setApi(event.currentTarget.value)}>
            {task.forms.map((each) => (
              <option key={each.api} value={each.api}>
                {maybe(each.name, each.name)}
              </option>
            ))}
          </select>
        </div>
      )}
      <QueryForm
        key={key}
        form={form}
        values={filled[key] ?? {}}
        onChange={(values) => setFilled((before) => ({ ...before, [key]: values }))}
        yours={room.turn === "wizard"}
      />
      <LastResult room={room} />
    </section>
  );
}

/** Facts of an answer that are said in a line. */
const FEW = 2;

/** The result of the last query: its answer if that is short, or the number of items. */
function LastResult({ room }: { room: WizardRoom }) {
  const last = room.results.at(-1);
  if (!last) return null;
  const count = last.total ?? last.items.length;
  const only = count === 1 && room.items.find(({ index }) => index === last.items[0]);
  const answer = only ? answered(room, only) : [];
  const short = answer.length > 0 && answer.length <= FEW;
  return (
    <p class="notice" role="status">
      {short
        ? answer.map(([name, value]) => `${spaced(name)}: ${shown(value)}`).join(" · ")
        : t(count > 0 ? "query.found" : "query.nothing", { count })}
    </p>
  );
}
