/** The labels as buttons with their keys; they label the words that are chosen. */

import { t } from "../texts";
import { LayerOf } from "./chips";
import { ended } from "./spans";
import type { Labels } from "./words";

const SIGNS: Record<string, string> = { accept: "+", reject: "-" };

/** The ending that a key gives. */
export const endingOf = (key: string, endings: string[]): string | undefined =>
  endings.find((each) => SIGNS[each] === key);

interface Props {
  all: string[];
  endings: string[];
  labels: Labels;
  /** The labels of the words that are chosen. */
  given: string[];
  onLabel: (label: string) => void;
  onEnding: (ending: string) => void;
}

export function Legend({ all, endings, labels, given, onLabel, onEnding }: Props) {
  const bare = given.map((label) => ended(label, endings)[0]);
  const services = new Set(all.map((label) => label.split(".")[0]));
  const code = (label: string) => (services.size > 1 ? label : label.replace(/^\w+\./, ""));
  return (
    <LayerOf name="annotate.spans">
      <ul class="plain legend">
        {all.map((label) => (
          <li key={label}>
            <button
              type="button"
              class={`small ${labels.hue(label)}`}
              aria-pressed={given.includes(label) || bare.includes(label)}
              aria-keyshortcuts={labels.key(label)}
              title={label}
              onClick={() => onLabel(label)}
            >
              {labels.key(label) && <kbd translate={false}>{labels.key(label)}</kbd>}{" "}
              <b>{labels.name(label)}</b>{" "}
              {labels.about(label) && <small>{labels.about(label)}</small>}
              <code translate={false}>{code(label)}</code>
            </button>
          </li>
        ))}
        {given.length > 0 &&
          endings.map((ending) => (
            <li key={ending}>
              <button
                type="button"
                class="small"
                aria-pressed={given.every((label) => ended(label, endings)[1] === ending)}
                aria-keyshortcuts={SIGNS[ending]}
                onClick={() => onEnding(ending)}
              >
                <kbd translate={false}>{SIGNS[ending]}</kbd>{" "}
                {t(`annotate.ending.${ending as "accept" | "reject"}`)}
              </button>
            </li>
          ))}
      </ul>
    </LayerOf>
  );
}
