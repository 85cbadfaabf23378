/** The purpose and the pay of the study, before people agree. */

import { Heading, Leave, useWire } from "./parts";
import type { Consent } from "./state";
import { maybe, money, partPay, spaced, t } from "./texts";

export function ConsentPage({ consent }: { consent: Consent }) {
  const wire = useWire();
  const part = wire.state?.part_per_minute ?? 0;
  const here = consent.earnings.find(({ stage }) => stage === consent.here);
  const alone = !!here?.role;
  const open = !!wire.state?.study.open;
  const sent = wire.outbox.some((message) => message.type === "consent");
  return (
    <>
      <Heading>{t("consent.title")}</Heading>
      <section class="card">
        <h2>{t("consent.purpose")}</h2>
        <p>{consent.purpose || t("consent.purpose.none")}</p>
        <h2>{t("consent.what")}</h2>
        <p>
          {maybe(`consent.what.${consent.kind}`, t("consent.what.text"))}
          {consent.rating && !alone && ` ${t("consent.rating")}`}
        </p>
        {here && !open && (
          <p>
            {here.items > 1 && t("consent.items", { count: here.items })}{" "}
            {here.minutes !== null && t("consent.minutes", { minutes: here.minutes })}{" "}
            {t("consent.pays", { amount: money(here.base) })}
          </p>
        )}
        <h2>{t("consent.kept")}</h2>
        <p>
          {maybe(
            open ? "consent.kept.open" : `consent.kept.${consent.kind}`,
            t(alone ? "consent.kept.work" : "consent.kept.text"),
          )}{" "}
          {t("consent.withdraw")} {wire.state?.attention && t("consent.attention")}{" "}
          {consent.retention !== null && t("consent.retention", { days: consent.retention })}
        </p>
      </section>
      <OwnText consent={consent} />
      {!open && (
        <section class="card">
          <Earnings consent={consent} />
          <Asked consent={consent} />
        </section>
      )}
      <section class="card">
        <p>
          {!open && t(alone ? "consent.free.work" : "consent.free")} {partPay(part)}
        </p>
        <div class="row">
          <button
            type="button"
            class="main"
            aria-disabled={sent}
            onClick={() => sent || void wire.send("consent")}
          >
            {t("consent.agree")}
          </button>
          <Leave label={t("consent.decline")} text={t("consent.decline.text")} />
        </div>
      </section>
    </>
  );
}

/** The study's own consent text and its contact. */
function OwnText({ consent }: { consent: Consent }) {
  const { text, contact, version } = consent;
  if (!text && !contact) return null;
  return (
    <section class="card">
      <h2>{t("consent.own")}</h2>
      {text.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {contact && <p>{t("consent.contact", { contact })}</p>}
      {version && <p class="soft small">{t("consent.version", { version })}</p>}
    </section>
  );
}

function Earnings({ consent }: { consent: Consent }) {
  const several = consent.earnings.length > 1;
  const star = useWire().state?.mode === "star";
  const grows = consent.earnings.every(({ base, gate }, place) => {
    const before = consent.earnings[place - 1];
    return !before || (base > before.base && gate !== "none");
  });
  return (
    <>
      <h2>{t("earnings.title")}</h2>
      {several && (star || grows) && <p>{t("earnings.grow")}</p>}
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>{t("earnings.part")}</th>
              <th class="number">{t("earnings.base")}</th>
              <th class="number">{t("earnings.most")}</th>
            </tr>
          </thead>
          <tbody>
            {consent.earnings.map(({ stage, role, base, most }) => (
              <tr key={stage} class={several && stage === consent.here ? "here" : ""}>
                <th scope="row">
                  {role ? t(`role.${role}`) : maybe(`stage.${stage}`, spaced(stage))}
                  {several && stage === consent.here && ` · ${t("earnings.here")}`}
                </th>
                <td class="number">{money(base)}</td>
                <td class="number">{money(most)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {consent.earnings.some(({ role }) => !role) && (
        <p class="soft small">
          {t("earnings.waiting", { amount: money(consent.waiting_per_minute) })}
        </p>
      )}
    </>
  );
}

/** Conditions that no link can check. */
function Asked({ consent }: { consent: Consent }) {
  const { approval, approved, country } = consent;
  if (approval === null && approved === null && country === null) return null;
  return (
    <>
      <p>{t("asked")}</p>
      <ul>
        {approval !== null && <li>{t("asked.approval", { percent: approval })}</li>}
        {approved !== null && <li>{t("asked.approved", { count: approved })}</li>}
        {country !== null && <li>{t("asked.country", { country })}</li>}
      </ul>
    </>
  );
}
