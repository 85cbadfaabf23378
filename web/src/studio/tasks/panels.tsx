/** The reading of a typed line, the renderings of values, and the schema doctor's findings. */

import { useState } from "preact/hooks";
import { type Answer, useAnswer } from "../answer";
import { Findings } from "./findings";
import { Understood } from "./talk";
import type { Finding, Heard, PanelProps } from "./types";

export function Understand({ sound, names, onLine }: PanelProps) {
  const [line, setLine] = useState("");
  const [speaker, setSpeaker] = useState("user");
  const asked = sound && line.trim() ? { ...sound, line, speaker } : null;
  const { value, failure, waiting } = useAnswer<Heard>("/api/tasks/hear", asked, 200);
  if (!sound) return <p class="soft hint">Lines are read once the text has no errors.</p>;
  const at = value?.action && names.flow?.[value.action];
  return (
    <div class="panel" aria-busy={waiting}>
      <p class="soft small">
        Type a line in any words: this is what the task understands of it, without a dialogue
        before.
      </p>
      <div class="row said">
        <select
          aria-label="Who says it"
          value={speaker}
          onChange={({ currentTarget }) => setSpeaker(currentTarget.value)}
        >
          <option value="user">The user says</option>
          <option value="system">The system says</option>
        </select>
        <input
          aria-label="The line"
          value={line}
          onInput={({ currentTarget }) => setLine(currentTarget.value)}
        />
      </div>
      {failure && <p class="notice bad">{failure}</p>}
      <div aria-live="polite">{value && asked && <Understood heard={value} />}</div>
      {at && asked && (
        <button type="button" class="quiet small" onClick={() => onLine(at)}>
          Line {at}: {value?.action}
        </button>
      )}
    </div>
  );
}

type Said = Record<string, { type: string; values: { value: unknown; renderings: string[] }[] }>;

export function Values({ sound, names, onLine }: PanelProps) {
  const { value, failure, waiting } = useAnswer<Said>("/api/tasks/values", sound, 300);
  if (!sound && !value) return <p class="soft hint">Values come once the text has no errors.</p>;
  return (
    <div class="panel" aria-busy={waiting}>
      <p class="soft small">
        All the ways in which each value may be said and is understood, the plain one first.
      </p>
      {failure && <p class="notice bad">{failure}</p>}
      {Object.entries(value ?? {}).map(([slot, { type, values }]) => (
        <section key={slot}>
          <h3>
            <button type="button" class="quiet" onClick={() => onLine(names.slots?.[slot] ?? 1)}>
              {slot}
            </button>
            <span class="soft small">{type}</span>
          </h3>
          <dl class="spoken">
            {values.map((each) => (
              <div key={String(each.value)}>
                <dt>{String(each.value)}</dt>
                <dd>{each.renderings.join(" · ")}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

export interface Diagnosis {
  dialogues: number;
  ended: number;
  reached: number;
  findings: Finding[];
}

export function Doctor({
  answer: { value, failure, waiting },
  onLine,
}: {
  answer: Answer<Diagnosis>;
  onLine: (line: number) => void;
}) {
  return (
    <div class="panel" aria-busy={waiting}>
      <p class="soft small">
        The doctor simulates {value?.dialogues ?? 100} dialogues and reports what never or wrongly
        happens; the chart marks the nodes that it is about.
      </p>
      {waiting && <p role="status">Simulating …</p>}
      {failure && <p class="notice bad">{failure}</p>}
      {value && (
        <>
          <p>
            <b class="number">{value.ended}</b> of {value.dialogues} dialogues ended,{" "}
            <b class="number">{value.reached}</b> reached their goal.
          </p>
          <Findings findings={value.findings} onLine={onLine} />
        </>
      )}
    </div>
  );
}
