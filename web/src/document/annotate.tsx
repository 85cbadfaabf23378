/** Marking each utterance, layer by layer; settling what two annotators marked otherwise. */

import { useState } from "preact/hooks";
import { Problem } from "../fields";
import { TaskText } from "../parts";
import { t } from "../texts";
import { PickLines } from "./lines";
import { Marking } from "./marking";
import { useSaving } from "./saving";
import type { AnnotatorRoom, Marks } from "./state";
import { Submit, wide } from "./submit";

const NONE: Marks = { spans: [], acts: [], states: [], active: null };

export function AnnotatePage({ room }: { room: AnnotatorRoom }) {
  const [current, setCurrent] = useState(() => start(room));
  const { parts, saved, save, problem } = useSaving<Marks>((part) => setCurrent(Number(part)));
  const { lines } = room.item;
  const settles = room.role === "adjudicator";

  /** What was saved of a line, or what its annotation begins with. */
  const marksOf = (place: number): Marks => {
    const made = parts[String(place)]?.value;
    const line = lines[place];
    if (made) return made;
    const begun = settles && !line?.same ? undefined : line?.marks?.[0];
    const marks = begun ?? NONE;
    return marks.states.length ? marks : { ...marks, states: carried(place) };
  };
  /** A user's state goes on from line to line. */
  const carried = (place: number): Marks["states"] => {
    if (settles || lines[place]?.from !== "user") return [];
    for (let before = place - 1; before >= 0; before--) {
      if (lines[before]?.from === "user") {
        const states = parts[String(before)]?.value?.states ?? [];
        return states.map(({ requested: _, ...state }) => state);
      }
    }
    return [];
  };
  const put = (marks: Marks) => void save(String(current), marks);
  const turn = (by: 1 | -1) => {
    if (by > 0 && !settles && !parts[String(current)]) put(marksOf(current));
    if (lines[current + by]) setCurrent(current + by);
  };
  const line = lines[current];
  return (
    <main class="room user annotate">
      <aside class="side" aria-label={t("annotate.what")}>
        <Guidelines room={room} />
        <Submit
          room={room}
          saved={saved}
          ready="annotate.ready"
          onShow={(part) => setCurrent(Number(part))}
        />
      </aside>
      <section class="card chat" aria-label={t("chat.title")}>
        <PickLines
          lines={lines}
          current={current}
          onPick={setCurrent}
          fate={(place) => {
            if (parts[String(place)]) return "annotate.done";
            return settles && !lines[place]?.same ? "annotate.open" : null;
          }}
        />
        {line && (
          <Marking
            key={current}
            room={room}
            line={line}
            place={current}
            marks={marksOf(current)}
            onChange={(marks) => put(marks)}
            onTurn={turn}
          />
        )}
        <Problem text={problem} />
      </section>
    </main>
  );
}

/** The first utterance that is still to be looked at. */
function start(room: AnnotatorRoom): number {
  const part = room.problems[0]?.part;
  return part === undefined || part === null ? 0 : Number(part);
}

function Guidelines({ room }: { room: AnnotatorRoom }) {
  const { guidelines, layers } = room.item;
  const kind = room.role === "adjudicator" ? "settle" : "annotate";
  return (
    <details class="card task" open={wide()}>
      <summary>
        <h1 class="task-title">{t(`${kind}.title`)}</h1>
      </summary>
      <p>{t(`${kind}.text`)}</p>
      {guidelines && <TaskText text={guidelines} />}
      <ul>
        {layers.map((layer) => (
          <li key={layer}>{t(`annotate.how.${layer}`)}</li>
        ))}
        <li>{t("annotate.how.next")}</li>
      </ul>
    </details>
  );
}
