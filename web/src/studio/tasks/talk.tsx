/** Talk to the task's bot as its user; the talk is held anew with every edit of the text. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { lazy } from "../../parts";
import { t } from "../../texts";
import { useAnswer } from "../answer";
import { Lines } from "./lines";
import type { Heard, Line, PanelProps } from "./types";

interface Talked {
  lines: Line[];
  goal: string;
  changed: Record<string, unknown>;
  failure: string | null;
}

export function Talk(props: PanelProps) {
  const [role, setRole] = useState("user");
  if (!props.sound) return <p class="soft hint">{t("studio.talk.later")}</p>;
  const switcher = (
    <label class="small">
      {t("studio.talk.role")}{" "}
      <select value={role} onChange={({ currentTarget }) => setRole(currentTarget.value)}>
        <option value="user">{t("studio.talk.user")}</option>
        <option value="wizard">{t("studio.talk.wizard")}</option>
      </select>
    </label>
  );
  const Side = role === "user" ? AsUser : Wizard;
  return <Side {...props} switcher={switcher} />;
}

const Wizard = lazy(
  () => import("./desk"),
  ({ Desk }) => Desk,
);

type SideProps = PanelProps & { switcher: ComponentChildren };

function AsUser({ sound, names, onLine, switcher }: SideProps) {
  const [said, setSaid] = useState<string[]>([]);
  const [typed, setTyped] = useState("");
  const [seed, setSeed] = useState(0);
  const asked = sound && { ...sound, said, seed };
  const { value, failure, waiting } = useAnswer<Talked>("/api/tasks/talk", asked, 50);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [value]);
  const say = (event: Event) => {
    event.preventDefault();
    if (!typed.trim()) return;
    setSaid([...said, typed.trim()]);
    setTyped("");
  };
  const changed = Object.keys(value?.changed ?? {}).length > 0;
  return (
    <div class="panel talk" aria-busy={waiting}>
      <div class="row apart">
        {switcher}
        <span class="row">
          <button
            type="button"
            class="small"
            disabled={said.length === 0}
            onClick={() => setSaid(said.slice(0, -1))}
          >
            {t("studio.talk.back")}
          </button>
          <button
            type="button"
            class="small"
            onClick={() => {
              setSaid([]);
              setSeed(seed + 1);
            }}
          >
            {t("studio.talk.new")}
          </button>
        </span>
      </div>
      {value?.goal && (
        <details open={said.length === 0}>
          <summary class="small">{t("studio.talk.goal")}</summary>
          <p class="small goal">{value.goal}</p>
        </details>
      )}
      {failure && <p class="notice bad">{failure}</p>}
      <div role="log" aria-label={t("studio.talk.log")}>
        {value && (
          <Lines
            lines={value.lines}
            names={names}
            onLine={onLine}
            below={({ heard }) => heard && <Understood heard={heard} />}
          />
        )}
        {value?.failure && (
          <p class="notice">{t("studio.talk.failure", { what: value.failure })}</p>
        )}
        {changed && (
          <details class="small">
            <summary>{t("studio.talk.changed")}</summary>
            <pre>{JSON.stringify(value?.changed, null, 2)}</pre>
          </details>
        )}
      </div>
      <form class="say" onSubmit={say} ref={end as never}>
        <input
          value={typed}
          aria-label={t("studio.talk.said")}
          placeholder={t("studio.talk.placeholder")}
          autocomplete="off"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="main">
          {t("studio.talk.say")}
        </button>
      </form>
    </div>
  );
}

/** The reading of a line, in a line. */
export function Understood({ heard }: { heard: Heard }) {
  const { action, function: does, asks, mentions, certainty } = heard;
  return (
    <p class="understood small">
      <span class="soft">{t("studio.talk.understood")}</span>{" "}
      <b>{action ?? (does || t("studio.talk.nothing"))}</b>
      {asks.length > 0 && ` ${t("studio.talk.asks", { slots: asks.join(", ") })}`}
      {mentions.map(({ slot, value, start }) => (
        <span class="chip" key={`${slot}${start}`}>
          {slot} = {String(value)}
        </span>
      ))}
      <span class="soft number">
        {" "}
        {t("studio.talk.sure", { percent: Math.round(100 * certainty) })}
      </span>
    </p>
  );
}
