/** The reading of a typed line, the renderings of values, and the schema doctor's findings. */

import { useState } from "preact/hooks";
import { t } from "../../texts";
import { type Answer, useAnswer } from "../answer";
import { Findings } from "./findings";
import { Understood } from "./talk";
import type { Finding, Heard, PanelProps } from "./types";

export function Understand({ sound, names, onLine }: PanelProps) {
  const [line, setLine] = useState("");
  const [speaker, setSpeaker] = useState("user");
  const asked = sound && line.trim() ? { ...sound, line, speaker } : null;
  const { value, failure, waiting } = useAnswer<Heard>("/api/tasks/hear", asked, 200);
  if (!sound) return <p class="soft hint">{t("studio.hear.later")}</p>;
  const at = value?.action && names.flow?.[value.action];
  return (
    <div class="panel" aria-busy={waiting}>
      <p class="soft small">{t("studio.hear.about")}</p>
      <div class="row said">
        <select
          aria-label={t("studio.hear.who")}
          value={speaker}
          onChange={({ currentTarget }) => setSpeaker(currentTarget.value)}
        >
          <option value="user">{t("studio.hear.user")}</option>
          <option value="system">{t("studio.hear.system")}</option>
        </select>
        <input
          aria-label={t("studio.hear.line")}
          value={line}
          onInput={({ currentTarget }) => setLine(currentTarget.value)}
        />
      </div>
      {failure && <p class="notice bad">{failure}</p>}
      <div aria-live="polite">{value && asked && <Understood heard={value} />}</div>
      {at && asked && (
        <button type="button" class="quiet small" onClick={() => onLine(at)}>
          {t("studio.hear.line.of", { line: at, name: value?.action ?? "" })}
        </button>
      )}
    </div>
  );
}

type Said = Record<string, { type: string; values: { value: unknown; renderings: string[] }[] }>;

export function Values({ sound, names, onLine }: PanelProps) {
  const { value, failure, waiting } = useAnswer<Said>("/api/tasks/values", sound, 300);
  if (!sound && !value) return <p class="soft hint">{t("studio.values.later")}</p>;
  return (
    <div class="panel" aria-busy={waiting}>
      <p class="soft small">{t("studio.values.about")}</p>
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
  sound,
  onLine,
}: Pick<PanelProps, "sound"> & {
  answer: Answer<Diagnosis>;
  onLine: (line: number) => void;
}) {
  return (
    <div class="panel" aria-busy={waiting}>
      <p class="soft small">{t("studio.doctor.about", { count: value?.dialogues ?? 100 })}</p>
      {!sound && !value && <p>{t("studio.doctor.later")}</p>}
      {waiting && <p role="status">{t("studio.doctor.waiting")}</p>}
      {failure && <p class="notice bad">{failure}</p>}
      {value && (
        <>
          <p>
            {t("studio.doctor.ended", {
              ended: value.ended,
              count: value.dialogues,
              reached: value.reached,
            })}
          </p>
          <Findings findings={value.findings} onLine={onLine} />
        </>
      )}
    </div>
  );
}
