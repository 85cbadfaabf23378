/** Typing what was said in a spoken dialogue: turn by turn, with turns put in and taken out. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  forget,
  handing,
  Length,
  Problem,
  Radios,
  SayField,
  tooLong,
  unsaved,
  useDraft,
} from "../fields";
import { TaskText } from "../parts";
import { SoundPlayer } from "../sound";
import { type Key, t } from "../texts";
import { PickLines } from "./lines";
import { type Part, useSaving } from "./saving";
import type { SpokenLine, TranscriberUnit, TypedTurn } from "./state";
import { Submit, wide } from "./submit";

/** A turn: of the dialogue, or inserted before turn `before`. */
interface Turn extends SpokenLine {
  part: string;
  before: number;
  made: TypedTurn | null;
}

export function TypePage({ unit }: { unit: TranscriberUnit }) {
  const [part, setPart] = useState(() => unit.problems[0]?.part ?? "0");
  const { parts, saved, save, problem } = useSaving<TypedTurn>(setPart);
  const [begun, setBegun] = useState(() => typedBefore(unit.number));
  const turns = turnsOf(unit.item.lines, parts, begun);
  const found = turns.findIndex((turn) => turn.part === part);
  const current = found < 0 ? 0 : found;
  const turn = turns[current];

  const at = turn?.part ?? part;
  const draft = `unit-${unit.number}-${at}`;
  const put = (value: TypedTurn | null) => save(at, value);
  const go = (next: Turn | undefined) => next && setPart(next.part);
  const insert = (before: number) => {
    const open = turns.find((each) => each.part === begun?.part && each.made === null);
    const made = open ?? newTurn(before, parts);
    setBegun(made);
    setPart(made.part);
  };
  return (
    <main class="unit user annotate">
      <aside class="side" aria-label={t("annotate.what")}>
        <Guidelines task={unit.item.task} />
        <Submit unit={unit} saved={saved} ready="type.ready" onShow={setPart} />
      </aside>
      <section class="card chat" aria-label={t("chat.title")}>
        <PickLines
          lines={turns.map((each) => ({ ...each, text: textOf(each) || t("type.silent") }))}
          current={current}
          onPick={(place) => go(turns[place])}
          fate={(place) => fateOf(turns[place])}
        />
        {turn && (
          <Typing
            key={turn.part}
            turn={turn}
            number={current + 1}
            last={current + 1 === turns.length}
            draft={draft}
            onSave={(value) => {
              void put(value).then((taken) => {
                if (taken) forget(draft, value.text ?? "");
              });
              go(nextHeard(turns, current));
            }}
            onOut={(typed) => {
              forget(draft, typed);
              if (begun?.part === turn.part) setBegun(null);
              if (turn.made === null && isPutIn(turn)) return;
              void put(turn.made?.deleted || isPutIn(turn) ? null : { deleted: true });
            }}
            onInsert={insert}
          />
        )}
        <Problem text={problem} />
      </section>
    </main>
  );
}

/** The next turn that was spoken and is not typed yet; written ones are only read. */
function nextHeard(turns: Turn[], current: number): Turn | undefined {
  const others = [...turns.slice(current + 1), ...turns.slice(0, current)];
  return others.find(({ sound, made }) => sound !== undefined && made === null);
}

/** A turn that was put in and typed, and not saved, before the page was loaded. */
function typedBefore(unit: number): Turn | null {
  const part = unsaved(unit).find((each) => each.includes("."));
  if (part === undefined) return null;
  return { part, before: Number.parseInt(part, 10), from: "user", text: "", made: null };
}

const isPutIn = ({ part }: Turn): boolean => part.includes(".");

const textOf = ({ made, text }: Turn): string => made?.text ?? text;

function fateOf(turn: Turn | undefined): Key | null {
  if (!turn) return null;
  if (turn.made?.deleted) return "type.deleted";
  if (isPutIn(turn)) return "type.inserted";
  return turn.made ? "type.done" : null;
}

/** Parts of what was put in before a turn, in order. */
const putIn = (before: number, parts: Record<string, Part<TypedTurn>>): string[] =>
  Object.keys(parts)
    .filter((part) => part.startsWith(`${before}.`))
    .sort((one, other) => Number(one.split(".")[1]) - Number(other.split(".")[1]));

function newTurn(before: number, parts: Record<string, Part<TypedTurn>>): Turn {
  const last = putIn(before, parts).at(-1)?.split(".")[1] ?? "0";
  return { part: `${before}.${Number(last) + 1}`, before, from: "user", text: "", made: null };
}

/** The turns of a dialogue with those that were put in, and one that is about to be. */
function turnsOf(
  lines: SpokenLine[],
  parts: Record<string, Part<TypedTurn>>,
  begun: Turn | null,
): Turn[] {
  const turns: Turn[] = [];
  for (let place = 0; place <= lines.length; place++) {
    for (const part of putIn(place, parts)) {
      const made = parts[part]?.value;
      if (!made) continue;
      turns.push({ part, before: place, from: made.speaker ?? "user", text: "", made });
    }
    if (begun?.before === place && !parts[begun.part]?.value) turns.push(begun);
    const line = lines[place];
    const made = parts[String(place)]?.value ?? null;
    if (line) turns.push({ ...line, part: String(place), before: place, made });
  }
  return turns;
}

interface Props {
  turn: Turn;
  number: number;
  last: boolean;
  draft: string;
  onSave: (value: TypedTurn) => void;
  /** Takes the turn out with what was typed, or puts it back. */
  onOut: (typed: string) => void;
  onInsert: (before: number) => void;
}

function Typing({ turn, number, last, draft, onSave, onOut, onInsert }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, change] = useDraft(draft, textOf(turn));
  const [speaker, setSpeaker] = useState(turn.made?.speaker ?? turn.from);
  useLayoutEffect(() => field.current?.focus(), []);
  const out = turn.made?.deleted === true;
  const on = text.trim() !== "" && !tooLong(text) && !out;
  const save = () => {
    const typed = text.trim();
    if (on) onSave(isPutIn(turn) ? { speaker, text: typed } : { text: typed });
  };
  return (
    <form class="marking" onSubmit={handing(save)}>
      {turn.sound && <SoundPlayer sound={turn.sound} current />}
      {isPutIn(turn) && (
        <fieldset class="field choices">
          <legend>{t("type.speaker")}</legend>
          <Radios
            name="speaker"
            options={[
              { value: "user", text: t("write.user") },
              { value: "system", text: t("write.assistant") },
            ]}
            value={speaker}
            onChange={setSpeaker}
          />
        </fieldset>
      )}
      <label for="say">{t("type.line", { number })}</label>
      <SayField
        field={field}
        rows={2}
        disabled={out}
        value={text}
        onChange={change}
        onEnter={save}
      />
      <Length text={text} />
      <div class="row">
        <button type="submit" class="main" aria-disabled={!on}>
          {t("type.save")}
        </button>
        <button type="button" onClick={() => onOut(text)}>
          {t(out ? "type.put.back" : "type.take.out")}
        </button>
        <button type="button" class="quiet small" onClick={() => onInsert(turn.before)}>
          {t("type.insert")}
        </button>
        {last && (
          <button type="button" class="quiet small" onClick={() => onInsert(turn.before + 1)}>
            {t("type.insert.end")}
          </button>
        )}
      </div>
    </form>
  );
}

function Guidelines({ task }: { task: string }) {
  return (
    <details class="card task" open={wide()}>
      <summary>
        <h1 class="task-title">{t("type.title")}</h1>
      </summary>
      <p>{t("type.text")}</p>
      <ul>
        <li>{t("type.how.as")}</li>
        <li>{t("type.how.short")}</li>
        <li>{t("type.how.sense")}</li>
        <li>{t("type.how.draft")}</li>
        <li>{t("type.how.keys")}</li>
      </ul>
      {task && (
        <>
          <h2>{t("type.task")}</h2>
          <TaskText text={task} />
        </>
      )}
    </details>
  );
}
