/** Marking spans and acts in each utterance; settling what two annotators marked otherwise. */

import { useState } from "preact/hooks";
import { maybe, t } from "../texts";
import { PickLines } from "./lines";
import { Marking } from "./marking";
import { useSaving } from "./saving";
import type { AnnotatorRoom, Marks } from "./state";
import { Submit, Unsaved, wide } from "./submit";

const NONE: Marks = { spans: [], acts: [] };

export function AnnotatePage({ room }: { room: AnnotatorRoom }) {
  const { parts, saved, save } = useSaving<Marks>();
  const { lines } = room.item;
  const settles = room.role === "adjudicator";
  const [current, setCurrent] = useState(() => start(room));
  const [problem, setProblem] = useState<string | null>(null);

  const marksOf = (place: number): Marks => {
    const made = parts[String(place)]?.value;
    const line = lines[place];
    if (made) return made;
    return line?.same ? (line.marks?.[0] ?? NONE) : NONE;
  };
  const put = async (marks: Marks) => {
    setProblem(null);
    const answer = await save(String(current), marks);
    if (!answer.ok) setProblem(maybe(`refused.${answer.refusal.code}`, answer.refusal.what));
  };
  const next = () => {
    if (!settles && !parts[String(current)]) void put(NONE);
    if (current + 1 < lines.length) setCurrent(current + 1);
  };
  const line = lines[current];
  return (
    <main class="room user annotate">
      <aside class="side" aria-label={t("annotate.what")}>
        <Guidelines settles={settles} />
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
            line={line}
            place={current}
            marks={marksOf(current)}
            labels={room.item.labels}
            acts={room.item.acts}
            last={current + 1 === lines.length}
            onChange={(marks) => void put(marks)}
            onNext={next}
          />
        )}
        <Unsaved text={problem} />
      </section>
    </main>
  );
}

/** The first utterance that is still to be looked at. */
function start(room: AnnotatorRoom): number {
  const part = room.problems[0]?.part;
  return part === undefined || part === null ? 0 : Number(part);
}

function Guidelines({ settles }: { settles: boolean }) {
  return (
    <details class="card task" open={wide()}>
      <summary>
        <h1 class="task-title">{t(settles ? "settle.title" : "annotate.title")}</h1>
      </summary>
      <p>{t(settles ? "settle.text" : "annotate.text")}</p>
      <ul>
        <li>{t("annotate.how.span")}</li>
        <li>{t("annotate.how.labels")}</li>
        <li>{t("annotate.how.acts")}</li>
        <li>{t("annotate.how.next")}</li>
      </ul>
    </details>
  );
}
