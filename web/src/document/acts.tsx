/** The acts of an utterance: what they are about, its value, and the frame they refer to. */

import { useState } from "preact/hooks";
import { t } from "../texts";
import { AddingTo, Choice, plainly, ValueField } from "./chips";
import type { MarkedAct, Marks } from "./state";

interface Props {
  marks: Marks;
  slots: string[];
  acts: string[];
  /** How many frames there are; null where none are marked. */
  frames: number | null;
  /** Whether acts may say which frame something comes from, as those of wizards do. */
  reads: boolean;
  onChange: (marks: Marks) => void;
}

export function Acts({ marks, slots, acts, frames, reads, onChange }: Props) {
  const [name, setName] = useState(acts[0] ?? "");
  const [slot, setSlot] = useState("");
  const [value, setValue] = useState("");
  /** A frame's number; below 0 where it is read from. */
  const [frame, setFrame] = useState("");
  const add = () => {
    const made: MarkedAct = { act: name };
    if (slot) made.slot = slot;
    if (slot && value.trim()) made.value = value.trim();
    if (frame) made.frame = Math.abs(Number(frame));
    if (Number(frame) < 0) made.reads = true;
    const there = marks.acts.some((each) => actText(each) === actText(made));
    if (!there) onChange({ ...marks, acts: [...marks.acts, made] });
    setValue("");
  };
  const numbers = Array.from({ length: (frames ?? 0) + 1 }, (_, place) => String(place + 1));
  return (
    <AddingTo
      name="annotate.acts"
      onAdd={add}
      pieces={marks.acts.map((each) => ({
        text: actText(each),
        remove: () => onChange({ ...marks, acts: marks.acts.filter((one) => one !== each) }),
      }))}
    >
      <div class="row">
        <Choice
          id="act"
          name={t("annotate.act")}
          value={name}
          options={plainly(acts)}
          onChange={setName}
        />
        <Choice
          id="slot"
          name={t("annotate.slot")}
          value={slot}
          options={[{ value: "", text: t("annotate.slot.none") }, ...plainly(slots)]}
          onChange={setSlot}
        />
        <ValueField
          id="value"
          value={value}
          placeholder={t("annotate.value")}
          onChange={setValue}
        />
        {frames !== null && (
          <Choice
            id="frame"
            name={t("annotate.frame")}
            value={frame}
            options={[
              { value: "", text: t("annotate.frame.active") },
              ...numbers.map((each) => ({ value: each, text: framed(Number(each), frames) })),
              ...(reads ? numbers.slice(0, -1) : []).map((each) => ({
                value: `-${each}`,
                text: t("annotate.frame.read", { number: each }),
              })),
            ]}
            onChange={setFrame}
          />
        )}
        <button type="submit">{t("annotate.add")}</button>
      </div>
    </AddingTo>
  );
}

/** A frame's name, that of the next one among them. */
export const framed = (frame: number, known: number): string =>
  t(frame > known ? "annotate.frame.new" : "annotate.frame.one", { number: frame });

export function actText({ act, slot, value, frame, reads }: MarkedAct): string {
  const about = slot ? `${slot}${value ? ` = ${value}` : ""}` : "";
  const whose = frame
    ? t(reads ? "annotate.frame.read" : "annotate.frame.one", { number: frame })
    : "";
  const inside = [about, whose].filter(Boolean).join("; ");
  return inside ? `${act}(${inside})` : act;
}
