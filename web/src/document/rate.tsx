/** Grading or ranking what several systems would say next; without the names of the systems. */

import { Problem, Radios, upTo } from "../fields";
import { spaced, t } from "../texts";
import { useSaving } from "./saving";
import type { RaterUnit } from "./state";
import { Submit, wide } from "./submit";

export function RatePage({ unit }: { unit: RaterUnit }) {
  const { parts, saved, save, problem } = useSaving<number>();
  const { lines, outputs, criteria, judge, most, scale } = unit.item;
  return (
    <main class="unit user annotate">
      <aside class="side" aria-label={t("annotate.what")}>
        <details class="card task" open={wide()}>
          <summary>
            <h1 class="task-title">{t(`rate.title.${judge}`)}</h1>
          </summary>
          <p>{t(scale.length ? "rate.text.scale" : `rate.text.${judge}`, { most })}</p>
          <p>{t("rate.alone")}</p>
        </details>
        <Submit unit={unit} saved={saved} ready="rate.ready" onShow={show} />
      </aside>
      <section class="card chat" aria-label={t("chat.title")}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
        <ol class="lines" tabIndex={0} aria-label={t("chat.lines")}>
          {lines.map((line, place) => (
            <li key={place} class={line.from === "user" ? "line own" : "line"}>
              <span class="who">{t(line.from === "user" ? "write.user" : "write.assistant")}</span>
              <p class="bubble" dir="auto">
                {line.text}
              </p>
            </li>
          ))}
        </ol>
        <ol class="marking outputs plain" aria-label={t("rate.outputs")}>
          {outputs.map((text, output) => (
            <li key={output}>
              <h2 class="small soft">{t("rate.output", { number: output + 1 })}</h2>
              <p dir="auto">{text}</p>
              {criteria.map((criterion, number) => (
                <Scale
                  key={criterion}
                  name={`${number}.${output}`}
                  title={spaced(criterion)}
                  of={t("rate.output", { number: output + 1 })}
                  most={most}
                  scale={scale}
                  value={parts[`${number}.${output}`]?.value ?? null}
                  onChoose={(value) => void save(`${number}.${output}`, value)}
                />
              ))}
            </li>
          ))}
        </ol>
        <Problem text={problem} />
      </section>
    </main>
  );
}

/** Puts the keyboard on the first choice of a part. */
function show(part: string): void {
  document.querySelector<HTMLInputElement>(`input[name="${part}"]`)?.focus();
}

interface ScaleProps {
  name: string;
  title: string;
  /** The criteria, if there are several. */
  of?: string;
  most: number;
  /** The names of the values, if they have any. */
  scale?: string[];
  value: number | null;
  onChoose: (value: number) => void;
}

export function Scale({ name, title, of, most, scale, value, onChoose }: ScaleProps) {
  const options = upTo(most).map((each) => ({
    ...each,
    text: scale?.[each.value - 1] ?? each.text,
  }));
  return (
    <fieldset class="scale">
      <legend>
        {title}
        {of && <span class="heard">, {of}</span>}
      </legend>
      <Radios name={name} options={options} value={value ?? undefined} onChange={onChoose} />
    </fieldset>
  );
}
