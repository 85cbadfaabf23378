/** The frames that there are after a line, by what was marked so far. */

import { t } from "../texts";
import { Choice, LayerOf } from "./chips";
import type { FrameChange, LineFrames, Marks } from "./state";
import type { Labels } from "./words";

interface Props {
  lines: LineFrames[];
  place: number;
  marks: Marks;
  labels: Labels;
  onChange: (marks: Marks) => void;
}

export function Frames({ lines, place, marks, labels, onChange }: Props) {
  const frames = framesAt(lines, place);
  const active = lines[place]?.active ?? 1;
  const numbers = Array.from({ length: frames.length + 1 }, (_, index) => index + 1);
  return (
    <LayerOf name="annotate.frames">
      <ol class="plain frames" aria-label={t("annotate.frames")}>
        {frames.map(({ frame, parent, values }) => (
          <li key={frame} aria-current={frame === active}>
            <b>{framed(frame, frames.length)}</b>
            {frame === active && ` · ${t("annotate.frame.active")}`}
            {parent !== null && ` · ${t("annotate.frame.parent", { number: parent })}`}
            {`: ${valued(values, labels) || t("annotate.frame.empty")}`}
          </li>
        ))}
      </ol>
      <div class="row">
        <label for="active">{t("annotate.active")}</label>
        <Choice
          id="active"
          value={marks.active ? String(marks.active) : ""}
          options={[
            { value: "", text: t("annotate.active.follows") },
            ...numbers.map((each) => ({
              value: String(each),
              text: framed(each, frames.length),
            })),
          ]}
          onChange={(to) => onChange({ ...marks, active: to ? Number(to) : null })}
        />
      </div>
    </LayerOf>
  );
}

const valued = (values: FrameChange["values"], labels: Labels): string =>
  Object.entries(values)
    .map(([slot, held]) => `${labels.name(slot)} = ${held.join(" / ")}`)
    .join(", ");

/** All frames after a line, the latest of each. */
export function framesAt(lines: LineFrames[], place: number): FrameChange[] {
  const frames: FrameChange[] = [{ frame: 1, parent: null, values: {} }];
  for (const { changed } of lines.slice(0, place + 1)) {
    for (const each of changed) frames[each.frame - 1] = each;
  }
  return frames;
}

/** A frame's name, that of the next one among them. */
export const framed = (frame: number, known: number): string =>
  t(frame > known ? "annotate.frame.new" : "annotate.frame.one", { number: frame });
