/** Talk to the task's bot as its user; the talk is held anew with every edit of the text. */

import { useEffect, useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { Lines } from "./lines";
import type { Heard, Line, PanelProps } from "./types";

interface Talked {
  lines: Line[];
  goal: string;
  changed: Record<string, unknown>;
  failure: string | null;
}

export function Talk({ sound, names, onLine }: PanelProps) {
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
  if (!sound) return <p class="soft hint">You can talk once the text has no errors.</p>;
  const changed = Object.keys(value?.changed ?? {}).length > 0;
  return (
    <div class="panel talk" aria-busy={waiting}>
      <div class="row apart">
        <p class="soft small">You are the user. The bot follows the text as it is now.</p>
        <span class="row">
          <button
            type="button"
            class="small"
            disabled={said.length === 0}
            onClick={() => setSaid(said.slice(0, -1))}
          >
            Take back
          </button>
          <button
            type="button"
            class="small"
            onClick={() => {
              setSaid([]);
              setSeed(seed + 1);
            }}
          >
            New talk
          </button>
        </span>
      </div>
      {value?.goal && (
        <details open={said.length === 0}>
          <summary class="small">What you could want</summary>
          <p class="small goal">{value.goal}</p>
        </details>
      )}
      {failure && <p class="notice bad">{failure}</p>}
      <div role="log" aria-label="The talk">
        {value && (
          <Lines
            lines={value.lines}
            names={names}
            onLine={onLine}
            below={({ heard }) => heard && <Understood heard={heard} />}
          />
        )}
        {value?.failure && <p class="notice">The bot has no answer: {value.failure}.</p>}
        {changed && (
          <details class="small">
            <summary>What the talk has changed in the tables</summary>
            <pre>{JSON.stringify(value?.changed, null, 2)}</pre>
          </details>
        )}
      </div>
      <form class="say" onSubmit={say} ref={end as never}>
        <input
          value={typed}
          aria-label="What you say"
          placeholder="Say something"
          autocomplete="off"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="main">
          Say
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
      <span class="soft">understood:</span> <b>{action ?? (does || "nothing")}</b>
      {asks.length > 0 && ` asks for ${asks.join(", ")}`}
      {mentions.map(({ slot, value, start }) => (
        <span class="chip" key={`${slot}${start}`}>
          {slot} = {String(value)}
        </span>
      ))}
      <span class="soft number"> {Math.round(100 * certainty)} % sure</span>
    </p>
  );
}
