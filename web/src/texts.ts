/**
 * Texts in the language of the study: one catalogue per language, all with the same keys. English
 * is in seven: what everybody reads, and what tutorials, the wizard's page, work on documents, speech,
 * the admin's page and the studio add.
 */

import en from "./lang/en.json";
import type { Refusal } from "./state";

type Documents = typeof import("./document/document.en.json");
type Learn = typeof import("./learn/learn.en.json");
type Admin = typeof import("./admin/admin.en.json");
type Spoken = typeof import("./spoken/spoken.en.json");
type Studio = typeof import("./studio/studio.en.json");
type Wizard = typeof import("./wizard/wizard.en.json");
export type Key =
  | keyof typeof en
  | keyof Learn
  | keyof Documents
  | keyof Admin
  | keyof Spoken
  | keyof Studio
  | keyof Wizard;
type Catalogue = Record<string, string>;

const catalogues = import.meta.glob<{ default: Catalogue }>(["./lang/*.json", "!./lang/en.json"]);

let english: Catalogue = en;
let catalogue: Catalogue = {};
let language = "en";

/** The language now in use, as an HTML `lang`. */
export const currentLanguage = (): string => language;

/** Reads the catalogue of a language; English stays where there is none. */
export async function speak(wanted: string): Promise<void> {
  const code = wanted.toLowerCase().split("-")[0] ?? "en";
  if (code === language) return;
  const load = catalogues[`./lang/${code}.json`];
  if (!load && code !== "en") return;
  catalogue = load ? (await load()).default : {};
  language = code;
  document.documentElement.lang = code;
  await Promise.all(added.map(learn));
}

type Load = () => Promise<{ default: Catalogue }>;

/** Reads a file of a page's texts in a language; none where there is none. */
const added: ((language: string) => Load | undefined)[] = [];

/** Adds the texts of a page that is loaded when it is wanted: the English ones, and the others. */
export async function teach(
  more: Catalogue,
  others: (typeof added)[number] = () => undefined,
): Promise<void> {
  english = { ...english, ...more };
  added.push(others);
  await learn(others);
}

async function learn(others: (typeof added)[number]): Promise<void> {
  const more = await others(language)?.();
  if (more) catalogue = { ...catalogue, ...more.default };
}

/** The text of a key, its `{places}` filled. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return fill(maybe(key, key), values);
}

/** Why the server refused something. */
export function reason({ code, what, ...more }: Refusal): string {
  const counts = Object.entries(more).filter(([, value]) => typeof value === "number");
  const values = counts.map(([name, value]) => [name, whole(value as number)]);
  return fill(maybe(`refused.${code}`, what), Object.fromEntries(values));
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** The text of a key that is put together; `fallback` where the catalogue has none. */
export function maybe(key: string, fallback: string): string {
  return catalogue[key] ?? english[key] ?? fallback;
}

let currency = "USD";

/** Counts money in the study's currency from now on. */
export function payIn(code: string): void {
  currency = code;
}

/** An amount of money in cents. */
export function money(cents: number): string {
  return new Intl.NumberFormat(language, { style: "currency", currency }).format(cents / 100);
}

/** The pay of a person who leaves a dialogue before its end, in the same words everywhere. */
export function partPay(cents: number): string {
  return cents > 0 ? t("part.some", { amount: money(cents) }) : t("part.none");
}

/** A language's own name: "Deutsch". */
export const languageName = (code: string): string =>
  new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;

/** Minutes and seconds of a span in ms, never below zero. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A whole number with its separators. */
export const whole = (number: number): string => new Intl.NumberFormat(language).format(number);

export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined) return "–";
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(
    share,
  );
}

export function moment(ms: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" }).format(ms);
}

/** "AveragePrice" as "Average price", "open_on" as "Open on". */
export function spaced(name: string): string {
  const words = name
    .replace(/_/g, " ")
    .replace(/([a-z\d])([A-Z])/g, (_, one: string, two: string) => `${one} ${two.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A JSON value as a person reads it. */
export function shown(value: unknown): string {
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([name, each]) => `${spaced(name)}: ${shown(each)}`)
      .join("; ");
  }
  return String(value);
}
