/** Controls of single settings, drawn from their JSON Schema. */

import { type ComponentChildren, createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { t } from "../../texts";
import type { Schema } from "../tasks/grammar";

/** The schema of a setting, with what the form needs (src/dialoom/collect/settings_schema.py). */
export interface Setting extends Schema {
  properties?: Record<string, Setting>;
  additionalProperties?: Setting | boolean;
  items?: Setting;
  anyOf?: Setting[];
  default?: unknown;
  /** Why a study that has begun keeps it. */
  fixed?: string;
  long?: boolean;
  /** The kinds of work that use it. */
  kinds?: string[];
  rare?: boolean;
  /** The setting next to it whose keys it chooses from. */
  among?: string;
}

export type Pointer = (string | number)[];

/** A new value; null removes it. With `after`, an item changes places with the next one. */
export interface Change {
  pointer: Pointer;
  value?: unknown;
  after?: boolean;
}

interface FormState {
  change: (change: Change) => void;
  /** Pointer, as text, to what is wrong there. */
  wrong: Map<string, string>;
}

export const FormContext = createContext<FormState>({ change: () => {}, wrong: new Map() });

export type Values = Record<string, unknown>;

export interface Props {
  name: string;
  schema: Setting;
  at: Pointer;
  value: unknown;
  /** The settings around it. */
  holder: Values;
}

export const idOf = (pointer: string): string => pointer.replace(/\s/g, "_");
export const spelled = (at: Pointer) => `/${at.join("/")}`;
export const words = (name: string) => name.replaceAll("_", " ");
export const mapping = (value: unknown): Values =>
  typeof value === "object" && value !== null ? (value as Values) : {};
export const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A heading or label, a control, and what there is to say of a setting. */
export function Labelled({ name, schema, at, children }: Props & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={idOf(spelled(at))}>{words(name)}</label>
      {children}
      <About at={at} schema={schema} />
    </div>
  );
}

export function About({ at, schema }: { at: Pointer; schema: Setting }) {
  const { wrong } = useContext(FormContext);
  const what = wrong.get(spelled(at));
  return (
    <div id={`${idOf(spelled(at))}-about`} class="small">
      {what && <p class="wrongly">{what}</p>}
      <p class="soft">
        <span lang="en">
          {schema.description
            ?.split("`")
            .map((part, place) => (place % 2 ? <code key={part}>{part}</code> : part))}
        </span>
        {schema.fixed && <em> {t("studio.study.fixed")}</em>}
      </p>
    </div>
  );
}

export function useControl({ at, schema, holder, name }: Props) {
  const { change, wrong } = useContext(FormContext);
  const id = idOf(spelled(at));
  return {
    control: { id, "aria-describedby": `${id}-about`, "aria-invalid": wrong.has(spelled(at)) },
    /** A value that is the default is left out unless it was written. */
    put: (value: unknown) => {
      const same = JSON.stringify(value) === JSON.stringify(schema.default);
      change({ pointer: at, value: same && !(name in holder) ? null : value });
    },
  };
}

export const shown = (value: unknown): string =>
  Array.isArray(value) ? value.join("\n") : value === null || value === undefined ? "" : `${value}`;

/** The value of a typed text: lines of a list, a number, or itself; null leaves it out. */
function meant(text: string, schema: Setting, needed: boolean): unknown {
  if (schema.type === "array") {
    const lines = text.split("\n").filter((line) => line.trim());
    return lines.length > 0 ? lines.map((line) => number(line) ?? line) : null;
  }
  if (!text.trim() && !needed) return null;
  return schema.type === "string" ? text : (number(text) ?? text);
}
const number = (text: string) => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null);

export function Typed(props: Props) {
  const { schema, value, name } = props;
  const { control, put } = useControl(props);
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? shown(value);
  const typed = {
    ...control,
    value: text,
    placeholder: shown(schema.default).replaceAll("\n", ", "),
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setDraft(currentTarget.value);
      put(meant(currentTarget.value, schema, schema.default === undefined));
    },
    onBlur: () => setDraft(null),
  };
  const lines = text.split("\n").length;
  const large = schema.long || schema.type === "array";
  return (
    <Labelled {...props}>
      {large ? (
        <textarea dir="auto" rows={lines + 1} {...typed} />
      ) : (
        <input dir="auto" {...typed} />
      )}
      {schema.type === "array" && <p class="soft small">{t("studio.study.lines", { name })}</p>}
    </Labelled>
  );
}

export function Choice(props: Props) {
  const { schema, value } = props;
  const { control, put } = useControl(props);
  return (
    <Labelled {...props}>
      <select
        {...control}
        value={shown(value ?? schema.default)}
        onChange={({ currentTarget }) => put(currentTarget.value)}
      >
        {schema.enum?.map((each) => (
          <option key={String(each)} value={String(each)}>
            {String(each) || t("studio.study.none")}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export function Box(props: Props) {
  const { name, schema, at, value } = props;
  const { control, put } = useControl(props);
  return (
    <div class="field">
      <label class="choice">
        <input
          type="checkbox"
          {...control}
          checked={Boolean(value ?? schema.default)}
          onChange={({ currentTarget }) => put(currentTarget.checked)}
        />
        {words(name)}
      </label>
      <About at={at} schema={schema} />
    </div>
  );
}

/** Boxes for the items of a list; with `lone`, a list of one is written without brackets. */
export function Boxes({ names, lone, ...props }: Props & { names: string[]; lone?: boolean }) {
  const { name, schema, at, value } = props;
  const { control, put } = useControl(props);
  const given = value ?? schema.default;
  const chosen = typeof given === "string" ? [given] : listed(given).map(String);
  const toggle = (one: string) => {
    const next = names.filter((each) => chosen.includes(each) !== (each === one));
    put(lone && next.length === 1 ? next[0] : next);
  };
  return (
    <fieldset class="field" {...control} tabIndex={-1}>
      <legend>{words(name)}</legend>
      <div class="choices">
        {names.map((each) => (
          <label key={each} class="choice">
            <input type="checkbox" checked={chosen.includes(each)} onChange={() => toggle(each)} />
            {each}
          </label>
        ))}
      </div>
      <About at={at} schema={schema} />
    </fieldset>
  );
}
