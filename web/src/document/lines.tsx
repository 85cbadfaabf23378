/** The lines of a dialogue that somebody works on, one of which is at hand. */

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type Key, t } from "../texts";

interface Props {
  lines: { from: "user" | "system"; text: string }[];
  current: number;
  onPick: (place: number) => void;
  /** The label of a line's state. */
  fate: (place: number) => Key | null;
  /** A line's own way of being shown, in which its text can be chosen. */
  shown?: (place: number) => ComponentChildren;
}

export function PickLines({ lines, current, onPick, fate, shown }: Props) {
  useEffect(() => {
    const line = document.querySelector(".marked-lines [aria-current=true]");
    line?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <ol class="lines marked-lines" aria-label={t("chat.lines")}>
      {lines.map((each, place) => {
        const fateText = fate(place);
        return (
          <li key={place} class={each.from === "user" ? "line own" : "line"}>
            {shown ? (
              <div class="bubble" aria-current={place === current}>
                <span class="who">{speaker(each.from)}</span>
                {shown(place)}
              </div>
            ) : (
              <button
                type="button"
                class="bubble"
                aria-current={place === current}
                onClick={() => onPick(place)}
              >
                <span class="who">{speaker(each.from)}</span>
                {each.text}
              </button>
            )}
            {fateText && <span class="fate">{t(fateText)}</span>}
          </li>
        );
      })}
    </ol>
  );
}

const speaker = (from: "user" | "system"): string =>
  t(from === "user" ? "write.user" : "write.assistant");
