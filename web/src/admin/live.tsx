/** Units under way, who waits and why, and who is not so far yet. */

import { useState } from "preact/hooks";
import { Confirm } from "../parts";
import { languageName, maybe, spaced, span, t } from "../texts";
import { named, stageName } from "./said";
import { Table } from "./table";
import { type Act, type Before, type Dashboard, judges, type LiveUnit, type Waiter } from "./types";

interface Props {
  shown: Dashboard;
  act: Act;
  onRead: (unit: number) => void;
}

export function Live({ shown, act, onRead }: Props) {
  const [ending, setEnding] = useState<{ path: string; name: string } | null>(null);
  const { now, rooms: units, waiting, before, languages } = shown;
  /** Asks whether something is to be ended; null for viewers. */
  const ender = (path: string, name: string) =>
    judges(shown) ? () => setEnding({ path, name }) : undefined;
  return (
    <section id="live">
      <h2>{t("admin.part.live")}</h2>
      <div class="card">
        <h3>{t("admin.units", { count: units.length })}</h3>
        {units.length === 0 && <p class="soft">{t("admin.units.none")}</p>}
        {units.length > 0 && (
          <Table heads={["unit", "tasks", "state", "user", "wizard", "last", "actions"]}>
            {units.map((unit) => (
              <UnitRow
                key={unit.room}
                unit={unit}
                now={now}
                onRead={() => onRead(unit.room)}
                onEnd={ender(`rooms/${unit.room}/end`, t("admin.unit", { number: unit.room }))}
              />
            ))}
          </Table>
        )}
      </div>
      <div class="twin">
        <div class="card">
          <h3>{t("admin.waiting", { count: waiting.length })}</h3>
          {waiting.length === 0 && <p class="soft">{t("admin.waiting.none")}</p>}
          {waiting.length > 0 && (
            <Table heads={["worker", "stage", "roles", "since", "why"]}>
              {waiting.map((one) => (
                <WaiterRow key={one.assignment} one={one} now={now} languages={languages} />
              ))}
            </Table>
          )}
        </div>
        <div class="card">
          <h3>{t("admin.before", { count: before.length })}</h3>
          {before.length === 0 && <p class="soft">{t("admin.before.none")}</p>}
          {before.length > 0 && (
            <Table heads={["worker", "stage", "state", "since", "actions"]}>
              {before.map((one) => (
                <BeforeRow
                  key={one.assignment}
                  one={one}
                  now={now}
                  languages={languages}
                  onEnd={ender(`assignments/${one.assignment}/end`, one.worker)}
                />
              ))}
            </Table>
          )}
        </div>
      </div>
      {ending && (
        <Confirm
          title={t("admin.end.title", { name: ending.name })}
          text={t("admin.end.text")}
          yes={t("admin.end")}
          onYes={() => {
            void act(ending.path, {});
            setEnding(null);
          }}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  );
}

interface RowProps {
  unit: LiveUnit;
  now: number;
  onRead: () => void;
  onEnd: (() => void) | undefined;
}

function UnitRow({ unit, now, onRead, onEnd }: RowProps) {
  // Work on a document has one person, in a role of its kind.
  const { wizard, user = Object.values(unit.seats)[0] } = unit.seats;
  return (
    <tr>
      <th scope="row">{unit.room}</th>
      <td>{unit.tasks.map(spaced).join(", ")}</td>
      <td>
        {unit.turn ? t(`admin.turn.${unit.turn}`) : maybe(`admin.step.${unit.step}`, unit.step)}
      </td>
      <td>{user && <Person name={user.worker} here={user.here} />}</td>
      <td>{wizard && <Person name={wizard.worker} here={wizard.here} />}</td>
      <td class="number">{span(now - unit.last)}</td>
      <td>
        <div class="row">
          <button type="button" class="small" onClick={onRead}>
            {t("admin.read")}
          </button>
          <EndButton onEnd={onEnd} />
        </div>
      </td>
    </tr>
  );
}

function Person({ name, here }: { name: string; here: boolean }) {
  return (
    <span class={here ? "dot" : "dot away"}>
      {name}
      <span class="heard"> {t(here ? "online" : "offline")}</span>
    </span>
  );
}

/** The stage that somebody is at, with their language where there are several. */
const part = ({ stage, language }: Waiter | Before, languages: string[]): string =>
  [stageName(stage), ...(languages.length > 1 ? [languageName(language)] : [])].join(" · ");

interface WaiterProps {
  one: Waiter;
  now: number;
  languages: string[];
}

function WaiterRow({ one, now, languages }: WaiterProps) {
  return (
    <tr>
      <th scope="row">
        <Person name={one.worker} here={one.here} />
      </th>
      <td>{part(one, languages)}</td>
      <td>{one.roles.map((role) => named(role)).join(", ")}</td>
      <td class="number">{one.since === null ? "–" : span(now - one.since)}</td>
      <td>
        {maybe(`admin.why.${one.reason}`, one.reason)}
        {one.first && ` ${t("admin.first")}`}
      </td>
    </tr>
  );
}

interface BeforeProps {
  one: Before;
  now: number;
  languages: string[];
  onEnd: (() => void) | undefined;
}

function BeforeRow({ one, now, languages, onEnd }: BeforeProps) {
  return (
    <tr>
      <th scope="row">
        <Person name={one.worker} here={one.here} />
      </th>
      <td>{part(one, languages)}</td>
      <td>{maybe(`admin.step.${one.step}`, one.step)}</td>
      <td class="number">{one.since === null ? "–" : span(now - one.since)}</td>
      <td>
        <EndButton onEnd={onEnd} />
      </td>
    </tr>
  );
}

function EndButton({ onEnd }: { onEnd: (() => void) | undefined }) {
  if (!onEnd) return null;
  return (
    <button type="button" class="small" onClick={onEnd}>
      {t("admin.end")}
    </button>
  );
}
