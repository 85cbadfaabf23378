/** The waiting room: how long, why, and what is paid for it. */

import { useState } from "preact/hooks";
import { listen } from "./arrival";
import { handing, Radios } from "./fields";
import { Countdown, Heading, Leave, lazy, Meter, useTick, useWire } from "./parts";
import type { Role } from "./seat";
import type { Waiting } from "./state";
import { type Key, money, span, t } from "./texts";

export function WaitingPage({ waiting }: { waiting: Waiting }) {
  return waiting.ready ? <Queue waiting={waiting} /> : <Start waiting={waiting} />;
}

function Start({ waiting }: { waiting: Waiting }) {
  const wire = useWire();
  const [role, setRole] = useState<Role | null>(null);
  const sent = wire.outbox.some((message) => message.type === "ready");
  const choice = waiting.roles.length > 1;
  const [called, setCalled] = useState(true);
  return (
    <>
      <Heading>{t("ready.title")}</Heading>
      <form
        class="card"
        onSubmit={handing(() => {
          if (sent) return;
          if (waiting.call && called) listen();
          void wire.send("ready", role ? { role } : {});
        })}
      >
        <p>
          {t(waiting.present_as === "automated" ? "ready.text.automated" : "ready.text", {
            amount: money(waiting.per_minute),
          })}
        </p>
        {waiting.present_as && <p>{t(`present.${waiting.present_as}`)}</p>}
        {choice && (
          <fieldset class="field">
            <legend>{t("ready.role")}</legend>
            <Radios
              name="role"
              options={[null, ...waiting.roles].map((value) => ({
                value,
                text: t(value ? `ready.${value}` : "ready.any"),
              }))}
              value={role}
              onChange={setRole}
            />
          </fieldset>
        )}
        {waiting.kind === "spoken" && waiting.roles.includes("user") && <LazyCheck />}
        {waiting.call && (
          <label class="choice">
            <input type="checkbox" checked={called} onChange={() => setCalled(!called)} />
            <span>{t("ready.call")}</span>
          </label>
        )}
        <div class="row">
          <button type="submit" class="main" aria-disabled={sent}>
            {t("ready.go")}
          </button>
          <Leave text={t("leave.ready")} />
        </div>
      </form>
    </>
  );
}

/** Speakers test the microphone before a partner waits for them. */
const LazyCheck = lazy(
  () => import("./spoken/spoken"),
  (module) => module.MicrophoneCheck,
);

function title({ first, present_as }: Waiting): Key {
  // Users of an automated wizard do not read of a partner.
  if (present_as === "automated") return "waiting.title.automated";
  return first ? "waiting.again" : "waiting.title";
}

function Queue({ waiting }: { waiting: Waiting }) {
  const wire = useWire();
  useTick();
  const { since, until, first, per_minute } = waiting;
  const automated = waiting.present_as === "automated";
  const elapsed = since === null ? 0 : wire.clock() - since;
  // The server sends the pay when the state changes; in between the clock goes on.
  const cents = Math.max(waiting.cents, Math.floor((elapsed / 60_000) * per_minute));
  return (
    <>
      <Heading>{t(title(waiting))}</Heading>
      <section class="card">
        <div class="pulse" aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
        {first && !automated && <p>{t("waiting.first")}</p>}
        <p class="clock" role="timer" aria-live="off" aria-label={t("waiting.elapsed")}>
          {span(elapsed)}
        </p>
        {since !== null && until !== null && <Meter share={elapsed / (until - since)} />}
        <p role="status">{t(`waiting.${automated ? "automated" : waiting.reason}`)}</p>
        {waiting.present_as && <p>{t(`present.${waiting.present_as}`)}</p>}
        <dl class="facts">
          <dt>{t("waiting.paid")}</dt>
          <dd>{money(cents)}</dd>
          {until !== null && (
            <>
              <dt>{t("waiting.until")}</dt>
              <dd>
                <Countdown until={until} />
              </dd>
            </>
          )}
        </dl>
        <p class="soft small">{t(automated ? "waiting.stay.automated" : "waiting.stay")}</p>
        <Leave label={t("waiting.leave")} text={t("leave.waiting", { amount: money(cents) })} />
      </section>
    </>
  );
}
