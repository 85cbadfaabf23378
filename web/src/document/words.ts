/** The words of labels, slots and acts, their colours and their keys. */

import { spaced, t } from "../texts";
import { ended } from "./spans";
import type { AnnotatorUnit } from "./state";

const HUES = 8;
const KEYS = "123456789abcdefghijklmnopqrstuvwxyz";

export interface Labels {
  name: (label: string) => string;
  /** The description; empty if nobody has written one. */
  about: (label: string) => string;
  hue: (label: string) => string;
  /** The key that gives it; none where there are too many. */
  key: (label: string) => string | undefined;
}

export function labelsOf({ labels, words, endings }: AnnotatorUnit["item"]): Labels {
  const place = (label: string) => {
    const at = labels.indexOf(label);
    return at < 0 ? labels.indexOf(ended(label, endings)[0]) : at;
  };
  return {
    name: (label) => {
      const [base, ending] = ended(label, endings);
      const name = words[label]?.name ?? words[base]?.name ?? base;
      return ending ? `${name} · ${t(`annotate.ending.${ending as "accept" | "reject"}`)}` : name;
    },
    about: (label) => words[label]?.description ?? "",
    hue: (label) => `hue-${Math.max(0, place(label)) % HUES}`,
    key: (label) => KEYS[place(label)],
  };
}

/** The capital letters that add acts: the first one of each act's name that is free. */
export function actKeys(acts: string[]): Map<string, string> {
  const keys = new Map<string, string>();
  for (const act of acts) {
    const letters = act.toUpperCase().match(/[A-Z]/g) ?? [];
    const key = letters.find((letter) => !keys.has(letter));
    if (key) keys.set(key, act);
  }
  return keys;
}

/** "THANK_YOU" as "thank you". */
export const actName = (act: string): string => spaced(act).toLowerCase();
