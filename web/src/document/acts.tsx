/** The acts of an utterance: buttons with their keys, and what the next act is about. */

import { t } from "../texts";
import { Chips, Choice, LayerOf, ValueField } from "./chips";
import { framed, framesAt } from "./frames";
import type { AnnotatorUnit, MarkedAct, Marks } from "./state";
import { actKeys, actName, type Labels } from "./words";
import type { Work } from "./working";

/** The topic of the next act; the act after it has none. */
export interface About {
  slot: string;
  value: string;
  /** A frame's number; below 0 where it is read from. */
  frame: string;
}

export const NOTHING: About = { slot: "", value: "", frame: "" };

/** Marks with one more act. */
export function withAct(marks: Marks, name: string, { slot, value, frame }: About): Marks {
  const made: MarkedAct = { act: name };
  if (slot) made.slot = slot;
  if (slot && value.trim()) made.value = value.trim();
  if (frame) made.frame = Math.abs(Number(frame));
  if (Number(frame) < 0) made.reads = true;
  const there = marks.acts.some((each) => JSON.stringify(each) === JSON.stringify(made));
  return there ? marks : { ...marks, acts: [...marks.acts, made] };
}

interface Props {
  unit: AnnotatorUnit;
  work: Work;
  /** Whether acts may say which frame something comes from, as those of wizards do. */
  reads: boolean;
}

export function Acts({ unit, work, reads }: Props) {
  const { acts } = unit.item;
  const { marks, labels, put } = work;
  const keys = new Map(Array.from(actKeys(acts), ([key, act]) => [act, key]));
  return (
    <LayerOf name="annotate.acts">
      <Chips
        name="annotate.acts"
        pieces={marks.acts.map((each) => ({
          text: actText(each, labels),
          remove: () => put({ ...marks, acts: marks.acts.filter((one) => one !== each) }),
        }))}
      />
      <AboutFields unit={unit} work={work} reads={reads} />
      <ul class="plain legend">
        {acts.map((act) => (
          <li key={act}>
            <button
              type="button"
              class="small"
              aria-keyshortcuts={keys.has(act) ? `Shift+${keys.get(act)}` : undefined}
              onClick={() => work.act(act)}
            >
              {keys.has(act) && <kbd translate={false}>{keys.get(act)}</kbd>} {actName(act)}
            </button>
          </li>
        ))}
      </ul>
    </LayerOf>
  );
}

function AboutFields({ unit, work, reads }: Props) {
  const { labels, about, span, setAbout } = work;
  const frames = unit.frames ? framesAt(unit.frames, work.current).length : null;
  const numbers = Array.from({ length: (frames ?? 0) + 1 }, (_, place) => String(place + 1));
  return (
    <div class="row">
      <label for="slot">{t("annotate.slot")}</label>
      <Choice
        id="slot"
        value={about.slot}
        options={[
          { value: "", text: t("annotate.slot.none") },
          ...unit.item.slots.map((each) => ({ value: each, text: labels.name(each) })),
        ]}
        onChange={(slot) => setAbout({ ...about, slot })}
      />
      {about.slot && (
        <ValueField
          id="value"
          value={about.value}
          placeholder={t("annotate.value")}
          onChange={(value) => setAbout({ ...about, value })}
        />
      )}
      {span && (
        <button type="button" class="small" aria-keyshortcuts="=" onClick={work.aboutChosen}>
          <kbd translate={false}>=</kbd> {t("annotate.slot.chosen", { text: span.text })}
        </button>
      )}
      {frames !== null && (
        <Choice
          id="frame"
          name={t("annotate.frame")}
          value={about.frame}
          options={[
            { value: "", text: t("annotate.frame.active") },
            ...numbers.map((each) => ({ value: each, text: framed(Number(each), frames) })),
            ...(reads ? numbers.slice(0, -1) : []).map((each) => ({
              value: `-${each}`,
              text: t("annotate.frame.read", { number: each }),
            })),
          ]}
          onChange={(frame) => setAbout({ ...about, frame })}
        />
      )}
    </div>
  );
}

export function actText({ act, slot, value, frame, reads }: MarkedAct, labels: Labels): string {
  const about = slot ? `${labels.name(slot)}${value ? ` = ${value}` : ""}` : "";
  const whose = frame
    ? t(reads ? "annotate.frame.read" : "annotate.frame.one", { number: frame })
    : "";
  const inside = [about, whose].filter(Boolean).join("; ");
  return inside ? `${actName(act)} (${inside})` : actName(act);
}
