/** The lines of a dialogue, and those that are still on their way. */

import { useEffect, useRef } from "preact/hooks";
import type { Outgoing } from "./message";
import { Announce, useWire } from "./parts";
import type { Happening, Role, RoomEvent } from "./state";
import { maybe, spaced, t } from "./texts";

interface Props {
  role: Role;
  /** Puts the text of a line that was turned down back into the field. */
  onRetry: (text: string) => void;
}

export function Lines({ role, onRetry }: Props) {
  const wire = useWire();
  const list = useRef<HTMLOListElement>(null);
  const pending = wire.outbox.filter((message) => message.shown !== undefined);
  const count = wire.events.length + pending.length;
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  // What appears above or below the list must not hide its newest line.
  useEffect(() => {
    const lines = list.current;
    if (!lines) return;
    const observer = new ResizeObserver(() => lines.scrollTo({ top: lines.scrollHeight }));
    observer.observe(lines);
    return () => observer.disconnect();
  }, []);
  const newest = wire.events.findLast(({ event }) => spoken(event, role));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
      <ol class="lines" ref={list} tabIndex={0} aria-label={t("chat.lines")}>
        {wire.events.map((event) => (
          <Line key={event.seq} told={event} role={role} />
        ))}
        {pending.map((message) => (
          <Pending key={message.client_msg_id} message={message} onRetry={onRetry} />
        ))}
      </ol>
      <Announce text={newest ? spoken(newest.event, role) : ""} />
    </>
  );
}

/** What a screen reader says of an event. */
function spoken(event: Happening, role: Role): string {
  if (event.kind === "say" && event.from !== role)
    return `${t(`chat.from.${event.from}`)}: ${event.text}`;
  if (event.kind === "instruction") return `${t("chat.guide")}: ${event.text}`;
  if (event.kind === "result") return aside(event);
  return "";
}

function Line({ told, role }: { told: RoomEvent; role: Role }) {
  const { event } = told;
  if (event.kind === "say") {
    const own = event.from === role;
    return (
      <li class={own ? "line own" : "line"}>
        <span class="who">{t(own ? "chat.you" : `chat.from.${event.from}`)}</span>
        <p class="bubble">{event.text}</p>
      </li>
    );
  }
  if (event.kind === "instruction") {
    return (
      <li class="guide">
        <span class="who">{t("chat.guide.only")}</span>
        <p>{event.text}</p>
      </li>
    );
  }
  const text = aside(event);
  return text ? <li class="aside">{text}</li> : null;
}

/** What else happened, in a line; empty for what needs none. */
function aside(event: Happening): string {
  switch (event.kind) {
    case "ask":
      return t("aside.ask", { text: event.text || event.api });
    case "result":
      return event.items.length > 0
        ? t("aside.result", { count: event.total ?? event.items.length })
        : t("aside.nothing");
    case "turn":
      return t("aside.turn", { task: spaced(event.task) });
    case "override":
      return t("aside.override", { action: event.action });
    case "accomplished":
      return t("aside.accomplished");
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

function Pending({ message, onRetry }: PendingProps) {
  const wire = useWire();
  const failed = message.status === "failed";
  const sent = message.status === "acked";
  return (
    <li class={`line own ${failed ? "failed" : sent ? "" : "pending"}`}>
      <span class="who">{t("chat.you")}</span>
      <p class="bubble">{message.shown}</p>
      <span class="fate" role={failed ? "alert" : undefined}>
        {failed
          ? `${t("fate.failed")} ${maybe(`refused.${message.refusal?.code}`, message.refusal?.what ?? "")}`
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

/** Whether an own line is still on its way: the turn is not ours any more then. */
export function underWay(outbox: readonly Outgoing[]): boolean {
  return outbox.some((m) => m.shown !== undefined && m.status !== "failed");
}

/** A draft that survives a reload of the page. */
export function kept(key: string): string {
  try {
    return sessionStorage.getItem(`dialoom:draft:${key}`) ?? "";
  } catch {
    return "";
  }
}

export function keep(key: string, text: string): void {
  try {
    sessionStorage.setItem(`dialoom:draft:${key}`, text);
  } catch {
    // Without storage the draft lives as long as the page.
  }
}
