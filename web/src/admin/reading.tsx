/** Reads along in a unit: all of its log, as it grows. */

import { useEffect, useState } from "preact/hooks";
import { get, post } from "../api";
import { useEnd } from "../chat";
import { Dialog } from "../dialog";
import { handing, Length, Problem, tooLong } from "../fields";
import { TaskText } from "../parts";
import { SoundPlayer } from "../sound";
import { maybe, shown, span, t } from "../texts";
import { named, said } from "./said";
import type { SaidSound, UnitLog, UnitRecord } from "./types";

const PAUSE = 2000;
/** How many times faster a dialogue is replayed than it was, and milliseconds between two steps. */
const FASTER = 8;
const STEP = 100;
/** Milliseconds of a silence that a replay waits for at most. */
const LONGEST_PAUSE = 20_000;

interface Props {
  number: number;
  /** True if the person may write to the people of the unit. */
  writes: boolean;
}

/** The log of a unit in a dialog. */
export function Reading({ onClose, ...unit }: Props & { onClose: () => void }) {
  return (
    <Dialog title={t("admin.unit", { number: unit.number })} wide onClose={onClose}>
      <UnitLines {...unit}>
        <button type="button" class="main" onClick={onClose}>
          {t("admin.close")}
        </button>
      </UnitLines>
    </Dialog>
  );
}

interface LinesProps extends Props {
  children?: preact.ComponentChildren;
}

/** The log of a unit as it grows, or as it grew. */
export function UnitLines({ number, writes, children }: LinesProps) {
  const [log, setLog] = useState<UnitLog | null>(null);
  const [problem, setProblem] = useState(false);
  const closed = log?.closed ?? false;
  const count = log?.records.length ?? 0;
  const replay = useReplay(log?.records ?? []);
  const lines = log?.records.slice(0, replay.upTo) ?? [];
  const { scroller } = useEnd(lines.length, false, !replay.on && (closed || count === 0));

  useEffect(() => {
    const read = () =>
      get<UnitLog>(`/api/admin/rooms/${number}`).then(
        (found) => {
          setLog(found);
          setProblem(false);
        },
        () => setProblem(true),
      );
    void read();
    if (closed) return;
    const timer = setInterval(() => void read(), PAUSE);
    return () => clearInterval(timer);
  }, [number, closed]);

  return (
    <>
      <Problem text={problem ? t("join.unreachable") : null} />
      <Texts texts={log?.texts ?? {}} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
      <ol class="lines reading" {...scroller} tabIndex={0} aria-label={t("chat.lines")}>
        {lines.map((record) => (
          <Line key={record.seq} record={record} since={log?.records[0]?.time ?? 0} unit={number} />
        ))}
      </ol>
      {writes && log && !closed && <SendNotice number={number} roles={Object.keys(log.texts)} />}
      <div class="row">
        <button type="button" onClick={replay.turn}>
          {t(replay.on ? "admin.find.all" : "admin.replay", { faster: FASTER })}
        </button>
        <span class="soft small" role="status">
          {t(closed ? "admin.unit.closed" : "admin.unit.live")}
        </span>
        {children}
      </div>
    </>
  );
}

/** Plays a dialogue in its own time, only faster: how many of its records are shown. */
function useReplay(records: UnitRecord[]) {
  const [played, setPlayed] = useState<number | null>(null);
  const on = played !== null;
  let elapsed = 0;
  const due = records.map(({ time }, place) => {
    elapsed += Math.min(LONGEST_PAUSE, time - (records[place - 1]?.time ?? time));
    return elapsed;
  });
  useEffect(() => {
    if (!on) return;
    const step = (now: number | null) => (now ?? 0) + STEP * FASTER;
    const timer = setInterval(
      () => setPlayed((now) => (step(now) < elapsed ? step(now) : null)),
      STEP,
    );
    return () => clearInterval(timer);
  }, [on]);
  const upTo = played === null ? records.length : due.filter((moment) => moment <= played).length;
  return { on, upTo, turn: () => setPlayed(on ? null : 0) };
}

/** Writes to the people of a unit. */
function SendNotice({ number, roles }: { number: number; roles: string[] }) {
  const [text, setText] = useState("");
  const [to, setTo] = useState("");
  const [done, setDone] = useState(false);
  const [problem, setProblem] = useState("");
  const on = text.trim() !== "" && !tooLong(text);
  const send = async () => {
    if (!on) return;
    setDone(false);
    setProblem("");
    try {
      await post(`/api/admin/rooms/${number}/notice`, { text, to: to || null });
      setText("");
      setDone(true);
    } catch (error) {
      setProblem(said(error));
    }
  };
  return (
    <form class="row to-unit" onSubmit={handing(() => send())}>
      {roles.length > 1 && (
        <>
          <label for="notice-to">{t("admin.send")}</label>
          <select
            id="notice-to"
            class="short"
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          >
            <option value="">{t("admin.send.all")}</option>
            {roles.map((role) => (
              <option key={role} value={role}>
                {named(role)}
              </option>
            ))}
          </select>
        </>
      )}
      <label for="notice-text">{t("admin.send.text")}</label>
      <input
        id="notice-text"
        class="name"
        value={text}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" aria-disabled={!on}>
        {t("admin.send.send")}
      </button>
      <span role="status" class="small">
        {done ? t("admin.send.sent") : ""}
      </span>
      <Length text={text} />
      <Problem text={problem} />
    </form>
  );
}

/** The tasks of the people of a unit. */
function Texts({ texts }: { texts: UnitLog["texts"] }) {
  return (
    <details class="brief">
      <summary>{t("admin.head.tasks")}</summary>
      {Object.entries(texts).map(([role, text]) => (
        <div key={role}>
          <h3>{named(role)}</h3>
          <TaskText text={text} />
        </div>
      ))}
    </details>
  );
}

interface LineProps {
  record: UnitRecord;
  since: number;
  unit: number;
}

function Line({ record, since, unit }: LineProps) {
  const { body } = record;
  const at = <span class="soft number">{span(record.time - since)}</span>;
  if (body.type === "utterance") {
    const role = body.agent === "user" ? "user" : "wizard";
    const label = body.layers?.[0]?.parts?.[0]?.acts?.[0]?.name;
    return (
      <li class={role === "user" ? "line own" : "line"}>
        <span class="who">
          {t(`chat.from.${role}`)}
          {role === "wizard" && ` · ${label ?? t("admin.custom")}`} {at}
        </span>
        <p class="bubble" dir="auto">
          {body.text}
          <Heard sound={body.extra?.Sound} unit={unit} />
        </p>
      </li>
    );
  }
  if (body.type === "instruction") {
    return (
      <li class="guide">
        <span class="who">
          {t("chat.guide")} {at}
        </span>
        <p dir="auto">{body.text}</p>
      </li>
    );
  }
  return (
    <li class="aside">
      {summary(record)} {at}
    </li>
  );
}

/** The sound of a spoken turn. */
function Heard({ sound, unit }: { sound: SaidSound | undefined; unit: number }) {
  if (!sound) return null;
  const { Digest: digest, Media: media, Seconds: seconds } = sound;
  const path = `/api/admin/blobs/${unit}/${digest}`;
  return <SoundPlayer sound={{ digest, media, seconds }} path={path} />;
}

/** An event in one line. */
function summary({ author, body }: UnitRecord): string {
  switch (body.type) {
    case "query":
      return t("admin.log.query", { api: body.api ?? "", text: wishes(body) });
    case "result":
      return t("admin.log.result", found(body));
    case "options":
      return offered(body);
    case "drafted":
      return t("admin.log.drafted", { text: body.text ?? "" });
    case "selection":
      return t("admin.log.selection", { kind: body.kind ?? "", task: body.task ?? "" });
    case "override":
      return overridden(body);
    case "notice":
      return t("admin.log.notice", {
        to: body.to ? named(body.to) : t("admin.send.all"),
        text: body.text ?? "",
      });
    case "completion":
      return t("aside.accomplished");
    case "answered":
      return t("admin.log.answered", { role: named(body.place ?? author), text: answers(body) });
    case "saved":
      return t("admin.log.saved", { part: Number(body.part) + 1, text: marked(body.value) });
    case "departed":
      return t("admin.log.departed", {
        role: named(body.place ?? author),
        cause: body.cause ?? "",
      });
    case "closed":
      return t("admin.log.closed", { outcome: body.outcome ?? "" });
    default:
      return maybe(`admin.log.${body.type}`, body.type);
  }
}

/** The saved values of a part, without empty ones. */
function marked(value: unknown): string {
  if (typeof value !== "object" || value === null) return shown(value ?? "–");
  const held = Object.entries(value).filter(([, each]) => each !== null && String(each) !== "");
  return shown(Object.fromEntries(held)) || "–";
}

/** The text that a wizard typed, and the replies found for it. */
function offered({ candidates, text = "" }: UnitRecord["body"]): string {
  if (!candidates?.length) return t("admin.log.typed", { text: text ?? "" });
  return t("admin.log.options", {
    text: text ?? "",
    replies: candidates.map(({ id }) => id).join(", "),
  });
}

/** A reply that the flow does not permit: a picked one, or one in their own words. */
function overridden({ action, reason }: UnitRecord["body"]): string {
  const why = { reason: reason ?? "–" };
  return action ? t("admin.log.override", { action, ...why }) : t("admin.log.own", why);
}

const compared = (operator = "equal"): string => maybe(`operator.${operator}`, operator);

const wishes = ({ constraints }: UnitRecord["body"]): string =>
  (constraints ?? [])
    .map(({ slot, operator, values }) => `${slot} ${compared(operator)} ${shown(values)}`)
    .join(", ");

const found = ({ items, total }: UnitRecord["body"]) => ({
  count: total ?? items?.length ?? 0,
  item: items?.[0] ? shown(items[0]) : "",
});

function answers({ answers: given, rating, comment }: UnitRecord["body"]): string {
  const parts = Object.entries(given ?? {}).map(([id, yes]) => `${id}: ${t(yes ? "yes" : "no")}`);
  if (rating !== null && rating !== undefined) parts.push(`${rating}/5`);
  if (comment) parts.push(`“${comment}”`);
  return parts.join(", ");
}
