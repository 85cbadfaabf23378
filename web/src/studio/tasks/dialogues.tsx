/** Five simulated dialogues of the text; they change with each edit and keep their seed. */

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../texts";
import { useAnswer } from "../answer";
import { Lines } from "./lines";
import type { Line, PanelProps } from "./types";

const DELAY = 300;

export function Dialogues({ sound, names, onLine }: PanelProps) {
  const [seed, setSeed] = useState(0);
  const asked = sound && { ...sound, seed };
  const { value, failure, waiting } = useAnswer<Line[][]>("/api/tasks/dialogues", asked, DELAY);
  const fresh = useFresh(value, seed);
  return (
    <div class="panel" aria-busy={waiting}>
      <div class="row">
        <label class="seed">
          {t("studio.seed")}{" "}
          <input
            type="number"
            min="0"
            value={seed}
            onInput={({ currentTarget }) => setSeed(Math.max(0, currentTarget.valueAsNumber || 0))}
          />
        </label>
        <button type="button" class="small" onClick={() => setSeed(seed + 1)}>
          {t("studio.dialogues.other")}
        </button>
        {value && <span class="soft small">{t("studio.dialogues.fresh")}</span>}
      </div>
      {failure && <p class="notice bad">{failure}</p>}
      {!value && !failure && (
        <p class="soft">{t(sound ? "studio.doctor.waiting" : "studio.dialogues.later")}</p>
      )}
      {value?.map((lines, number) => (
        <section
          class="dialogue"
          key={number}
          aria-label={t("studio.dialogue", { number: number + 1 })}
        >
          <h3>
            {number + 1}{" "}
            <span class="soft small">{t("studio.events", { count: lines.length })}</span>
          </h3>
          <Lines lines={lines} names={names} fresh={fresh[number]} onLine={onLine} />
        </section>
      ))}
    </div>
  );
}

/** The texts of each dialogue that were not in it before the last edit. */
function useFresh(value: Line[][] | null, seed: number): Set<string>[] {
  const before = useRef<{ value: Line[][]; seed: number } | null>(null);
  const [fresh, setFresh] = useState<Set<string>[]>([]);
  useEffect(() => {
    if (!value) return;
    const old = before.current?.seed === seed ? before.current.value : value;
    const known = old.map((lines) => new Set(lines.map(({ text }) => text)));
    setFresh(
      value.map((lines, number) => {
        const texts = lines.map(({ text }) => text);
        return new Set(texts.filter((text) => !known[number]?.has(text)));
      }),
    );
    before.current = { value, seed };
  }, [value]);
  return fresh;
}
