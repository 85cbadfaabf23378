/** The lines of a dialogue, and those that are still on their way. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Outgoing } from "./message";
import { Announce, useWire } from "./parts";
import type { Role } from "./seat";
import { SoundPlayer } from "./sound";
import type { Happening, UnitEvent } from "./state";
import { reason, spaced, t } from "./texts";

/** Pixels from the end within which somebody is at the end. */
const NEAR = 48;

interface Props {
  role: Role;
  /** Puts the text of a line that was turned down back into the field. */
  onRetry: (text: string) => void;
  /** Takes the place of a text of the other side that is to be heard. */
  hear?: ((text: string) => ComponentChildren) | undefined;
}

export function Lines({ role, onRetry, hear }: Props) {
  const { events, outbox } = useWire();
  const pending = outbox.filter((message) => message.shown !== undefined);
  const last = events.at(-1)?.event;
  const own = pending.length > 0 || (last?.kind === "say" && last.from === role);
  const { scroller, behind, toEnd } = useEnd(events.length + pending.length, own);
  const newest = events.findLast(({ event }) => spoken(event, role));
  const acted = events.findLast(({ event }) => event.kind === "say" && event.from === role);
  return (
    <div class="talk">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
      <ol class="lines" {...scroller} tabIndex={0} aria-label={t("chat.lines")}>
        {events.map((event) => (
          <Line
            key={event.seq}
            entry={event}
            role={role}
            past={event.seq < (acted?.seq ?? 0)}
            newest={event === newest}
            hear={hear}
          />
        ))}
        {pending.map((message) => (
          <Pending key={message.client_msg_id} message={message} onRetry={onRetry} />
        ))}
      </ol>
      {behind && (
        <button type="button" class="newer small" onClick={toEnd}>
          {t("chat.newer")} <span aria-hidden="true">↓</span>
        </button>
      )}
      {!hear && <Announce text={newest ? spoken(newest.event, role) : ""} mark={newest?.seq} />}
    </div>
  );
}

/**
 * Keeps a list at its end, but not while somebody reads further up. One's `own` line is shown
 * in any case; nothing is where `still`.
 */
export function useEnd(count: number, own: boolean, still = false) {
  const list = useRef<HTMLOListElement>(null);
  const atEnd = useRef(true);
  const top = useRef(0);
  const stays = useRef(still);
  stays.current = still;
  const [behind, setBehind] = useState(false);
  const toEnd = () => {
    atEnd.current = true;
    setBehind(false);
    list.current?.scrollTo({ top: list.current.scrollHeight });
  };
  const onScroll = () => {
    const lines = list.current;
    if (!lines) return;
    const near = lines.scrollHeight - lines.scrollTop - lines.clientHeight < NEAR;
    // Only people scroll up; a list that grows leaves its top where it was.
    if (near || lines.scrollTop < top.current) atEnd.current = near;
    top.current = lines.scrollTop;
    if (near) setBehind(false);
  };
  useLayoutEffect(() => {
    if (still) return;
    if (atEnd.current || own) toEnd();
    else setBehind(true);
  }, [count]);
  // Elements above or below the list must not hide its newest line.
  useEffect(() => {
    if (!list.current) return;
    const observer = new ResizeObserver(() => {
      if (atEnd.current && !stays.current) toEnd();
    });
    observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  return { scroller: { ref: list, onScroll }, behind, toEnd };
}

/** The text of an event for screen readers. */
function spoken(event: Happening, role: Role): string {
  if (event.kind === "say" && event.from !== role)
    return `${t(`chat.from.${event.from}`)}: ${event.sound ? t("sound.label") : event.text}`;
  if (event.kind === "instruction") return `${t("chat.guide")}: ${event.text}`;
  if (event.kind === "result") return aside(event);
  return "";
}

interface LineProps {
  entry: UnitEvent;
  role: Role;
  /** Whether its reader has spoken since. */
  past: boolean;
  /** Whether it is the last that the other side said. */
  newest: boolean;
  hear: Props["hear"];
}

function Line({ entry, role, past, newest, hear }: LineProps) {
  const { event } = entry;
  if (event.kind === "say") {
    return <Said said={event} own={event.from === role} newest={newest} hear={hear} />;
  }
  if (event.kind === "instruction") {
    return (
      <li class={past ? "guide past" : "guide"}>
        <span class="who">{t("chat.guide.only")}</span>
        <p dir="auto">{event.text}</p>
      </li>
    );
  }
  const text = aside(event);
  if (event.kind === "ask")
    return (
      <li class="aside">
        <details>
          <summary>{t("aside.asked")}</summary>
          {text}
        </details>
      </li>
    );
  return text ? <li class="aside">{text}</li> : null;
}

interface SaidProps {
  said: Extract<Happening, { kind: "say" }>;
  own: boolean;
  newest: boolean;
  hear: Props["hear"];
}

/** An utterance, in writing or as a sound. */
function Said({ said, own, newest, hear }: SaidProps) {
  const text = hear && !own ? hear(said.text) : said.text;
  return (
    <li class={own ? "line own" : "line"}>
      <span class="who">{t(own ? "chat.you" : `chat.from.${said.from}`)}</span>
      <p class="bubble" dir="auto">
        {said.sound ? <SoundPlayer sound={said.sound} current={newest && !own} /> : text}
      </p>
    </li>
  );
}

/** Any other event in one line; empty if it needs none. */
function aside(event: Happening): string {
  switch (event.kind) {
    case "ask":
      return event.text || event.api;
    case "result":
      return event.items.length > 0
        ? t("aside.result", { count: event.total ?? event.items.length })
        : t("aside.nothing");
    case "turn":
      return t("aside.turn", { task: spaced(event.task) });
    case "override":
      return event.action ? t("aside.override", { action: event.action }) : t("aside.own");
    case "accomplished":
      return t("aside.accomplished");
    case "handed_over":
      return t("aside.handed_over");
    case "departed":
      return t(`aside.departed.${event.role}`);
    default:
      return "";
  }
}

interface PendingProps {
  message: Outgoing;
  onRetry: (text: string) => void;
}

export function Pending({ message, onRetry }: PendingProps) {
  const wire = useWire();
  const failed = message.status === "failed";
  const sent = message.status === "acked";
  return (
    <li class={`line own ${failed ? "failed" : sent ? "" : "pending"}`}>
      <span class="who">{t("chat.you")}</span>
      <p class="bubble" dir="auto">
        {message.shown}
      </p>
      <span class="fate" role={failed ? "alert" : undefined}>
        {failed
          ? `${t("fate.failed")} ${message.refusal ? reason(message.refusal) : ""}`
          : t(sent ? "fate.sent" : message.status === "sent" ? "fate.sending" : "fate.waiting")}
        {failed && (
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              wire.dismiss(message.client_msg_id);
              onRetry(message.shown ?? "");
            }}
          >
            {t("fate.again")}
          </button>
        )}
      </span>
    </li>
  );
}

/** Puts a refused text back into its field, unless that has another one. */
export function useReturned(text: string, change: (text: string) => void): string | null {
  const wire = useWire();
  const [problem, setProblem] = useState({ text: "", why: "" });
  const back = wire.outbox.find(({ type, status }) => type === "say" && status === "failed");
  const said = back?.shown ?? "";
  const free = !text.trim() || text.trim() === said;
  useEffect(() => {
    if (!back?.refusal || !free) return;
    wire.dismiss(back.client_msg_id);
    change(said);
    setProblem({ text: said, why: `${t("fate.failed")} ${reason(back.refusal)}` });
  }, [back?.client_msg_id, free]);
  return text === problem.text ? problem.why : null;
}

/** Whether an own line is still on its way: the turn is not ours any more then. */
export function underWay(outbox: readonly Outgoing[]): boolean {
  return outbox.some((m) => m.shown !== undefined && m.status !== "failed");
}
