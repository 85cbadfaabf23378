/** Writing both sides of a dialogue from an outline. */

import { useRef, useState } from "preact/hooks";
import { useEnd } from "../chat";
import { forget, handing, Length, Problem, Radios, SayField, tooLong, useDraft } from "../fields";
import { TaskText } from "../parts";
import { t } from "../texts";
import { useSaving } from "./saving";
import type { WriterUnit, WrittenTurn } from "./state";
import { Submit, wide } from "./submit";

/** Number of events after which the outline is known. */
const BEGUN = 3;
const SPEAKERS = ["user", "assistant"] as const;

const other = (speaker: WrittenTurn["speaker"] | undefined) =>
  speaker === "user" ? "assistant" : "user";

export function WritePage({ unit }: { unit: WriterUnit }) {
  const [edited, setEdited] = useState<number | null>(null);
  const { parts, saved, save, problem } = useSaving<WrittenTurn>((part) => setEdited(Number(part)));
  const turns = Object.entries(parts)
    .flatMap(([part, { value }]) => (value ? [{ part: Number(part), ...value }] : []))
    .sort((one, two) => one.part - two.part);
  const field = useRef<HTMLTextAreaElement>(null);

  const change = turns.find(({ part }) => part === edited);
  const next = 1 + Math.max(0, ...Object.keys(parts).map(Number));
  const part = String(change?.part ?? next);
  const draft = `unit-${unit.number}-${part}`;
  return (
    <main class="unit user">
      <aside class="side" aria-label={t("write.outline")}>
        <Outline unit={unit} />
        <Submit
          unit={unit}
          saved={saved}
          ready="write.ready"
          onShow={(part) => {
            setEdited(Number(part));
            field.current?.focus();
          }}
        />
      </aside>
      <section class="card chat" aria-label={t("chat.title")}>
        <Turns
          turns={turns}
          onEdit={(part) => {
            setEdited(part);
            field.current?.focus();
          }}
          onDelete={(part) => {
            void save(String(part), null);
            setEdited(null);
            field.current?.focus();
          }}
        />
        <Composer
          key={part}
          draft={draft}
          turn={change ?? { speaker: other(turns.at(-1)?.speaker), text: "" }}
          edits={change !== undefined}
          field={field}
          onSay={(turn) => {
            const put = save(part, turn);
            void put.then((taken) => taken && forget(draft, turn.text));
            setEdited(null);
          }}
        />
        <Problem text={problem} />
      </section>
    </main>
  );
}

function Outline({ unit }: { unit: WriterUnit }) {
  const { text, wanted, first, required, optional, least } = unit.item;
  return (
    <details class="card task" open={wide() || unit.seq < BEGUN}>
      <summary>
        <h1 class="task-title">{t("write.outline")}</h1>
      </summary>
      <p>{t("write.text", { count: least })}</p>
      <TaskText text={text} />
      <h2 class="small">{t("write.wanted")}</h2>
      <dl class="facts">
        {Object.entries(wanted).map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>
              {value}
              {first[name] && ` ${t("write.first", { value: first[name] })}`}
            </dd>
          </>
        ))}
      </dl>
      <h2 class="small">{t("write.arguments")}</h2>
      <p class="small">
        {t("write.required")} {required.join(", ")}
        <br />
        {t("write.optional")} {optional.join(", ")}
      </p>
    </details>
  );
}

interface TurnsProps {
  turns: (WrittenTurn & { part: number })[];
  onEdit: (part: number) => void;
  onDelete: (part: number) => void;
}

function Turns({ turns, onEdit, onDelete }: TurnsProps) {
  const { scroller } = useEnd(turns.length, true);
  return (
    <div class="talk">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
      <ol class="lines" {...scroller} tabIndex={0} aria-label={t("chat.lines")}>
        {turns.map(({ part, speaker, text }, place) => (
          <li key={part} class={speaker === "user" ? "line own" : "line"}>
            <span class="who">{t(`write.${speaker}`)}</span>
            <p class="bubble" dir="auto">
              {text}
            </p>
            <span class="row">
              <button type="button" class="quiet small" onClick={() => onEdit(part)}>
                {t("write.edit")}
                <span class="heard"> {place + 1}</span>
              </button>
              <button type="button" class="quiet small" onClick={() => onDelete(part)}>
                {t("write.delete")}
                <span class="heard"> {place + 1}</span>
              </button>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface ComposerProps {
  turn: WrittenTurn;
  edits: boolean;
  draft: string;
  field: { current: HTMLTextAreaElement | null };
  onSay: (turn: WrittenTurn) => void;
}

function Composer({ turn, edits, draft, field, onSay }: ComposerProps) {
  const [speaker, setSpeaker] = useState(turn.speaker);
  const [text, change] = useDraft(draft, turn.text);
  const on = text.trim() !== "" && !tooLong(text);
  const say = () => on && onSay({ speaker, text: text.trim() });
  return (
    <form class="composer yours" onSubmit={handing(say)}>
      <fieldset class="speakers">
        <legend class="heard">{t("write.speaker")}</legend>
        <Radios
          name="speaker"
          options={SPEAKERS.map((value) => ({ value, text: t(`write.${value}`) }))}
          value={speaker}
          onChange={setSpeaker}
        />
      </fieldset>
      <div class="entry">
        <label class="heard" for="say">
          {t("write.label")}
        </label>
        <SayField
          field={(element) => {
            const first = element && field.current !== element;
            field.current = element;
            if (first) element.focus();
          }}
          rows={1}
          value={text}
          onChange={change}
          onEnter={say}
        />
        <button type="submit" class="main" aria-disabled={!on}>
          {t(edits ? "write.change" : "write.add")}
        </button>
      </div>
      <Length text={text} />
    </form>
  );
}
