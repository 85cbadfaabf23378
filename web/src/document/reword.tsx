/** Saying each line of a dialogue in other words, its values kept letter by letter. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { forget, handing, Length, Problem, SayField, tooLong, useDraft } from "../fields";
import { t } from "../texts";
import { PickLines } from "./lines";
import { useSaving } from "./saving";
import { points } from "./spans";
import type { KeptValue, Lack, ParaphraserUnit, RewordedLine, SourceLine } from "./state";
import { Submit, wide } from "./submit";
import { actName } from "./words";

/** Characters shown on each side of a value that occurs in several places. */
const AROUND = 12;

export function RewordPage({ unit }: { unit: ParaphraserUnit }) {
  const { lines } = unit.item;
  const [current, setCurrent] = useState(() => Number(unit.problems[0]?.part ?? 0));
  const { parts, saved, save, problem } = useSaving<RewordedLine>((part) =>
    setCurrent(Number(part)),
  );
  const line = lines[current];

  const put = (value: RewordedLine) => save(String(current), value);
  const next = () => current + 1 < lines.length && setCurrent(current + 1);
  const draft = `unit-${unit.number}-${current}`;
  const lacks = unit.problems.filter(({ part }) => part === String(current));
  return (
    <main class="unit user annotate">
      <aside class="side" aria-label={t("annotate.what")}>
        <Guidelines />
        <Submit
          unit={unit}
          saved={saved}
          ready="reword.ready"
          onShow={(part) => setCurrent(Number(part))}
        />
      </aside>
      <section class="card chat" aria-label={t("chat.title")}>
        <PickLines
          lines={lines.map((each, place) => ({
            ...each,
            text: parts[String(place)]?.value?.text ?? each.text,
          }))}
          current={current}
          onPick={setCurrent}
          fate={(place) => (parts[String(place)]?.value ? "reword.done" : null)}
        />
        {line && (
          <Rewording
            key={current}
            line={line}
            place={current}
            made={parts[String(current)]?.value ?? null}
            lacks={saved ? lacks : []}
            draft={draft}
            onSay={(made) => {
              void put(made).then((taken) => taken && forget(draft, made.text));
              if (whole(line.values, made.text)) next();
            }}
            onSettle={(made) => void put(made)}
          />
        )}
        <Problem text={problem} />
      </section>
    </main>
  );
}

/** Whether a text contains each value as often as required. */
const whole = (values: KeptValue[], text: string): boolean =>
  values.every(({ text: value }) => {
    const wanted = values.filter((each) => each.text === value).length;
    return text.split(value).length - 1 === wanted;
  });

interface Props {
  line: SourceLine;
  place: number;
  made: RewordedLine | null;
  lacks: Lack[];
  draft: string;
  onSay: (made: RewordedLine) => void;
  onSettle: (made: RewordedLine) => void;
}

function Rewording({ line, place, made, lacks, draft, onSay, onSettle }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, change] = useDraft(draft, made?.text ?? "");
  useLayoutEffect(() => field.current?.focus(), []);
  const on = text.trim() !== "" && !tooLong(text);
  const say = () => on && onSay({ text: text.trim() });
  /** Puts a value where the cursor is. */
  const insert = (value: string) => {
    const at = field.current?.selectionStart ?? text.length;
    change(text.slice(0, at) + value + text.slice(field.current?.selectionEnd ?? at));
    field.current?.focus();
  };
  return (
    <form class="marking" onSubmit={handing(say)}>
      <p class="small soft">{t("reword.before")}</p>
      <p dir="auto">{marked(line)}</p>
      <Settling line={line} made={made} lacks={lacks} onSettle={onSettle} />
      <label for="say">{t("reword.line", { number: place + 1 })}</label>
      <SayField field={field} rows={2} value={text} onChange={change} onEnter={say} />
      <Length text={text} />
      {line.values.length > 0 && (
        <ul class="plain chips" aria-label={t("reword.values")}>
          {line.values.map((value) => (
            <li key={value.start} class="chip">
              <span>
                “{value.text}” {t(text.includes(value.text) ? "reword.there" : "reword.missing")}
              </span>
              <button type="button" class="quiet small" onClick={() => insert(value.text)}>
                {t("reword.insert")}
                <span class="heard"> {value.text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <button type="submit" class="main" aria-disabled={!on}>
          {t("reword.say")}
        </button>
      </div>
    </form>
  );
}

/** A line with its values marked. */
function marked({ text, values }: SourceLine) {
  const letters = points(text);
  let at = 0;
  const pieces = values.flatMap(({ start, end }) => {
    const before = letters.slice(at, start).join("");
    at = end;
    return [
      before,
      <mark key={start} translate={false}>
        {letters.slice(start, end).join("")}
      </mark>,
    ];
  });
  return [...pieces, letters.slice(at).join("")];
}

interface SettlingProps {
  line: SourceLine;
  made: RewordedLine | null;
  lacks: Lack[];
  onSettle: (made: RewordedLine) => void;
}

/** Saved lines with a value in no place, or in several places, one of which is chosen. */
function Settling({ line, made, lacks, onSettle }: SettlingProps) {
  if (!made) return null;
  const letters = points(made.text);
  const around = (from: number, to: number) => letters.slice(Math.max(0, from), to).join("");
  const settle = (value: number, start: number) => {
    const starts = line.values.map((_, index) =>
      index === value ? start : (made.starts?.[index] ?? null),
    );
    onSettle({ text: made.text, starts });
  };
  return lacks.map(({ code, value, at }) => {
    const wanted = line.values[value ?? -1];
    if (!wanted) return null;
    if (code === "lost") {
      return (
        <p key={value} class="wrongly small" role="alert">
          {t("reword.lost", { value: wanted.text })}
        </p>
      );
    }
    return (
      <fieldset key={value} class="several">
        <legend>{t("reword.several", { value: wanted.text, slot: actName(wanted.label) })}</legend>
        {(at ?? []).map(([start, end]) => (
          <button key={start} type="button" class="small" onClick={() => settle(value ?? 0, start)}>
            …{around(start - AROUND, start)}
            <mark>{around(start, end)}</mark>
            {around(end, end + AROUND)}…
          </button>
        ))}
      </fieldset>
    );
  });
}

function Guidelines() {
  return (
    <details class="card task" open={wide()}>
      <summary>
        <h1 class="task-title">{t("reword.title")}</h1>
      </summary>
      <p>{t("reword.text")}</p>
      <ul>
        <li>{t("reword.how.values")}</li>
        <li>{t("reword.how.meaning")}</li>
        <li>{t("reword.how.next")}</li>
      </ul>
    </details>
  );
}
