/** The page of a participant: that of the current step. */

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { socketAddress } from "./api";
import { useArrival } from "./arrival";
import { watch } from "./attention";
import { ConsentPage } from "./consent";
import { DonePage } from "./done";
import { LazyLearn } from "./learn/learn";
import type { Socket } from "./message";
import { Heading, Leave, lazy, useTick, useWire, WireContext } from "./parts";
import type { Unit, UserRoom, WizardRoom } from "./state";
import { keep, kept, storage } from "./storage";
import { partPay, payIn, span, speak, t } from "./texts";
import { WaitingPage } from "./waiting";
import { Wire } from "./wire";

interface Props {
  link: string;
  /** Begins another assignment. */
  again: () => void;
  /** Joins again where the server does not know this browser any more. */
  rejoin: () => void;
}

export function Session({ link, again, rejoin }: Props) {
  const [wire, setWire] = useState<Wire | null>(null);
  useEffect(() => {
    const kept = storage("tab");
    const opened = new Wire({
      key: link,
      open: () => new WebSocket(socketAddress(link)) as Socket,
      rejoin,
      ...(kept ? { storage: kept } : {}),
    });
    setWire(opened);
    return () => opened.close();
  }, [link]);
  if (!wire) return null;
  return (
    <WireContext.Provider value={wire}>
      <Page link={link} again={again} />
    </WireContext.Provider>
  );
}

type Own = Omit<Props, "rejoin">;

function Page(own: Own) {
  const wire = useWire();
  const language = wire.state?.language;
  useArrival(wire.state?.step);
  const watched = Boolean(wire.state?.attention && wire.state.room);
  // As the page is drawn: what is pasted at once counts too.
  useLayoutEffect(() => {
    const stop = new AbortController();
    if (watched) watch(wire, stop.signal);
    return () => stop.abort();
  }, [wire, watched]);
  const [, spoken] = useState("");
  useEffect(() => {
    if (language) void speak(language).then(() => spoken(language));
  }, [language]);
  if (wire.state) payIn(wire.state.currency);
  if (wire.link === "taken") return <TakenPage />;
  if (!wire.state) return <Opening />;
  if (wire.state.step === "room") return <UnitPage />;
  return (
    <>
      <Bar />
      <Alerts />
      <main class="leaf">
        <StepPage {...own} />
      </main>
    </>
  );
}

function StepPage(own: Own) {
  const { state } = useWire();
  if (state?.consent) return <ConsentPage consent={state.consent} />;
  if (state?.quiz) return <LazyLearn quiz={state.quiz} tutorial={state.tutorial} />;
  if (state?.waiting) return <WaitingPage waiting={state.waiting} />;
  if (state?.questionnaire) return <LazyQuestions asked={state.questionnaire} />;
  if (state?.done) return <DonePage done={state.done} {...own} />;
  return null;
}

function UnitPage() {
  const unit = useWire().state?.room;
  if (!unit) return null;
  return (
    <div class="full">
      <Bar />
      <Alerts />
      <RolePage unit={unit} />
    </div>
  );
}

function RolePage({ unit }: { unit: Unit }) {
  if (unit.role === "user") return <LazyUser room={unit} />;
  return unit.role === "wizard" ? <LazyWizard /> : <LazyDocument />;
}

/** The pages of a dialogue, which other kinds of work never need. */
const LazyUser = lazy(
  () => import("./user"),
  (module) => module.UserPage,
);
const LazyQuestions = lazy(
  () => import("./questionnaire"),
  (module) => module.QuestionnairePage,
);

/** The wizard's page is larger, and users never need it. */
const LazyWizard = lazy(
  () => import("./wizard/wizard"),
  (module) => module.WizardPage,
);

const LazyDocument = lazy(
  () => import("./document/document"),
  (module) => module.DocumentPage,
);

function Opening() {
  const lost = useWire().lostAt !== null;
  return (
    <main class="leaf">
      <Heading>{t("opening")}</Heading>
      <p role="status">{t(lost ? "opening.lost" : "opening.text")}</p>
    </main>
  );
}

function TakenPage() {
  const wire = useWire();
  return (
    <main class="leaf">
      <Heading>{t("taken.title")}</Heading>
      <div class="card">
        <p>{t("taken.text")}</p>
        <button type="button" class="main" onClick={() => wire.takeBack()}>
          {t("taken.back")}
        </button>
      </div>
    </main>
  );
}

/** Whether a unit of work is a dialogue with somebody. */
const talks = (unit: Unit): unit is UserRoom | WizardRoom =>
  unit.role === "user" || unit.role === "wizard";

function Bar() {
  const { state, link } = useWire();
  if (!state) return null;
  const role = state.room?.role ?? state.role;
  return (
    <header class="bar">
      <span class="study">{state.study.name}</span>
      {state.study.pilot && <span class="soft small">{t("pilot")}</span>}
      <span class="end">
        {role && <span class="soft role">{t(`role.${role}`)}</span>}
        <span class={link === "open" ? "dot" : "dot away"}>
          <span>{t(link === "open" ? "online" : "offline")}</span>
        </span>
        {state.room && state.step === "room" && (
          <Leave
            text={`${t(talks(state.room) ? "leave.room" : "leave.document")} ${partPay(state.part_per_minute)}`}
            label={t(talks(state.room) ? "leave.dialogue" : "leave")}
          />
        )}
      </span>
    </header>
  );
}

/** Faults and urgent notices, above everything else. */
function Alerts() {
  return (
    <div class="alerts" role="alert">
      <Offline />
      <PartnerAway />
      <IdleWarning />
      <Notices key={useWire().state?.room?.number} />
      <Unsaid />
    </div>
  );
}

/** Messages that were still on their way when the dialogue ended. */
function Unsaid() {
  const wire = useWire();
  if (wire.unsaid.length === 0) return null;
  return (
    <div class="notice">
      <p dir="auto">
        <b>{t("fate.ended")}</b> {wire.unsaid.join(" · ")}
      </p>
      <button type="button" class="small" onClick={() => wire.unsaidRead()}>
        {t("notice.read")}
      </button>
    </div>
  );
}

/** Messages of the study's people, until they were read. */
function Notices() {
  const { events, state } = useWire();
  const place = `notices:room-${state?.room?.number}`;
  const [read, setRead] = useState(Number(kept("tab", place) ?? 0));
  return events.map(
    ({ event, seq }) =>
      event.kind === "notice" &&
      seq > read && (
        <div class="notice" key={seq}>
          <p dir="auto">
            <b>{t("notice.from")}</b> {event.text}
          </p>
          <button
            type="button"
            class="small"
            onClick={() => {
              keep("tab", place, String(seq));
              setRead(seq);
            }}
          >
            {t("notice.read")}
          </button>
        </div>
      ),
  );
}

function Offline() {
  const wire = useWire();
  const { lostAt, state } = wire;
  useTick(lostAt !== null);
  if (wire.link !== "lost" || lostAt === null) return null;
  const left = state?.room && state.grace ? lostAt + state.grace * 1000 - Date.now() : null;
  const waiting = wire.outbox.length > 0;
  return (
    <div class="notice bad">
      <p>
        {t("lost")} {waiting && t("lost.kept")}{" "}
        {left !== null && left > 0 && (
          <span aria-live="off">{t("lost.seat", { time: span(left) })}</span>
        )}
        {left !== null && left <= 0 && t("lost.over")}
      </p>
    </div>
  );
}

function PartnerAway() {
  const wire = useWire();
  const unit = wire.state?.room;
  const partner = unit && (typeof unit.partner === "string" ? unit.partner : null);
  const here = unit && typeof unit.partner === "object" && unit.partner ? unit.partner : null;
  const away = wire.partner
    ? wire.partner.partner === "away"
    : partner === "away" || here?.here === false;
  useTick(Boolean(away));
  if (!unit || !away) return null;
  const until = wire.partner?.until ?? unit.partner_until ?? here?.until ?? null;
  return (
    <div class="notice">
      <p>
        {t(unit.role === "user" ? "partner.away.wizard" : "partner.away.user")}{" "}
        {until !== null && (
          <span aria-live="off">{t("partner.until", { time: span(until - wire.clock()) })}</span>
        )}
      </p>
    </div>
  );
}

function IdleWarning() {
  const wire = useWire();
  const unit = wire.state?.room;
  const own = unit !== undefined && talks(unit) && unit.turn === unit.role;
  useTick(own);
  if (!unit || !own || !talks(unit) || wire.link !== "open") return null;
  const late = unit.idle_warning_at !== null && wire.clock() >= unit.idle_warning_at;
  if (!late && !wire.idleWarning) return null;
  const until = wire.idleWarning?.until ?? unit.idle_at;
  return (
    <div class="notice">
      <p>
        {t(`idle_warning.${unit.role}`)}{" "}
        {until !== null && (
          <span aria-live="off">
            {t("idle_warning.until", { time: span(until - wire.clock()) })}
          </span>
        )}
      </p>
    </div>
  );
}
