/** A form of a study's settings, drawn from their JSON Schema. */

import { type ComponentChildren, createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { maybe, t } from "../../texts";
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

type Values = Record<string, unknown>;

interface Props {
  name: string;
  schema: Setting;
  at: Pointer;
  value: unknown;
  /** The settings around it. */
  holder: Values;
}

export const idOf = (pointer: string): string => pointer.replace(/\s/g, "_");
const spelled = (at: Pointer) => `/${at.join("/")}`;
const words = (name: string) => name.replaceAll("_", " ");
const mapping = (value: unknown): Values =>
  typeof value === "object" && value !== null ? (value as Values) : {};
const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The alternative of a setting that is no null, with what is known of the setting. */
function plain(schema: Setting): Setting {
  const [only, ...more] = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  return only && more.length === 0 ? { ...only, ...schema, ...shape(only) } : schema;
}
const shape = ({ type, properties, items }: Setting): Partial<Setting> =>
  Object.fromEntries(Object.entries({ type, properties, items }).filter(([, each]) => each));

function Field(props: Props) {
  const schema = plain(props.schema);
  const own = { ...props, schema };
  if (schema.properties) return <Group {...own} />;
  if (typeof schema.additionalProperties === "object") return <Mapped {...own} />;
  if (schema.items?.properties) return <Cards {...own} />;
  if (schema.anyOf?.[1]?.items?.properties) return <Either {...own} />;
  if (schema.among) {
    return <Boxes {...own} names={Object.keys(mapping(props.holder[schema.among]))} lone />;
  }
  if (schema.items?.enum) return <Boxes {...own} names={schema.items.enum.map(String)} />;
  if (schema.type === "boolean") return <Box {...own} />;
  return schema.enum ? <Choice {...own} /> : <Typed {...own} />;
}

/** A heading or label, a control, and what there is to say of a setting. */
function Labelled({ name, schema, at, children }: Props & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={idOf(spelled(at))}>{words(name)}</label>
      {children}
      <About at={at} schema={schema} />
    </div>
  );
}

function About({ at, schema }: { at: Pointer; schema: Setting }) {
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

function useControl({ at, schema, holder, name }: Props) {
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

const shown = (value: unknown): string =>
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

function Typed(props: Props) {
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

function Choice(props: Props) {
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

function Box(props: Props) {
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
function Boxes({ names, lone, ...props }: Props & { names: string[]; lone?: boolean }) {
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

/** Settings within a setting; one that may be missing is added first. */
function Group(props: Props) {
  const { name, schema, at, value } = props;
  const { change } = useContext(FormContext);
  const [open] = useState(value !== undefined);
  const missing = value === undefined || value === null;
  const optional = schema.default === null;
  return (
    <details class="group" open={open} id={idOf(spelled(at))} tabIndex={-1}>
      <summary>{words(name)}</summary>
      <About at={at} schema={schema} />
      {optional && (
        <button
          type="button"
          class="small"
          onClick={() => change({ pointer: at, value: missing ? {} : null })}
        >
          {t(missing ? "studio.study.use" : "studio.study.drop", { name: words(name) })}
        </button>
      )}
      {!(optional && missing) && (
        <Fields properties={schema.properties ?? {}} at={at} holder={mapping(value)} />
      )}
    </details>
  );
}

const empty = ({ properties, type }: Setting) => (properties ? {} : type === "array" ? [] : "");

/** Names of one's own, each with a value. */
function Mapped(props: Props) {
  const { name, schema, at, value } = props;
  const { change } = useContext(FormContext);
  const [key, setKey] = useState("");
  const held = mapping(value);
  const inner = schema.additionalProperties as Setting;
  const next = "abcdefghijklmnopqrstuvwxyz"[Object.keys(held).length] ?? "";
  const wanted = key.trim() || (name === "options" ? next : "");
  const add = () => {
    if (!wanted || wanted in held) return;
    change({ pointer: [...at, wanted], value: empty(inner) });
    setKey("");
  };
  const id = idOf(spelled(at));
  return (
    <fieldset class="group" id={id} tabIndex={-1}>
      <legend>{words(name)}</legend>
      <About at={at} schema={schema} />
      {Object.entries(held).map(([each, one]) => (
        <div key={each} class="entry">
          <Field name={each} schema={inner} at={[...at, each]} value={one} holder={held} />
          <Remove name={each} onClick={() => change({ pointer: [...at, each], value: null })} />
        </div>
      ))}
      <div class="row">
        <label for={`${id}-key`}>{t("studio.study.key")}</label>
        <input
          id={`${id}-key`}
          class="short"
          value={key}
          placeholder={wanted}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <button type="button" class="small" disabled={!wanted} onClick={add}>
          {t("studio.study.add", { name: words(name) })}
        </button>
      </div>
    </fieldset>
  );
}

function Remove({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" class="small" onClick={onClick}>
      {t("studio.study.remove")} <span class="heard">{name}</span>
    </button>
  );
}

/** Stages or questions: a card for each, which comes, goes and changes places. */
function Cards({ name, schema, at, value, headed = true }: Props & { headed?: boolean }) {
  const { change, wrong } = useContext(FormContext);
  const { properties = {}, required = [] } = schema.items ?? {};
  const items = listed(value).map(mapping);
  const kind = maybe(`studio.study.item.${name}`, words(name));
  const begun = Object.fromEntries(required.map((key) => [key, first(properties[key])]));
  const number = items.length + 1;
  const named =
    "name" in begun ? { name: `stage-${number}` } : "id" in begun && { id: `q${number}` };
  const add = { ...begun, ...named };
  return (
    <div class="cards" id={idOf(spelled(at))} tabIndex={-1}>
      {headed && <h3>{words(name)}</h3>}
      {headed && <About at={at} schema={schema} />}
      {items.map((item, place) => {
        const here = [...at, place];
        const title = `${kind} ${place + 1}: ${shown(item.name ?? item.text)}`;
        return (
          <fieldset key={place} class="card" id={idOf(spelled(here))} tabIndex={-1}>
            <legend>{title}</legend>
            <div class="row tools">
              {place > 0 && (
                <Move
                  title={title}
                  up
                  onClick={() => change({ pointer: [...at, place - 1], after: true })}
                />
              )}
              {place + 1 < items.length && (
                <Move title={title} onClick={() => change({ pointer: here, after: true })} />
              )}
              <Remove
                name={title}
                onClick={() => change({ pointer: items.length > 1 ? here : at, value: null })}
              />
            </div>
            {wrong.has(spelled(here)) && <p class="wrongly small">{wrong.get(spelled(here))}</p>}
            <Fields properties={properties} at={here} holder={item} />
          </fieldset>
        );
      })}
      <button
        type="button"
        onClick={() =>
          change(
            items.length
              ? { pointer: [...at, items.length], value: add }
              : { pointer: at, value: [add] },
          )
        }
      >
        {t("studio.study.add", { name: kind })}
      </button>
    </div>
  );
}

function Move({ title, up, onClick }: { title: string; up?: boolean; onClick: () => void }) {
  return (
    <button type="button" class="small" onClick={onClick}>
      {t(up ? "studio.study.up" : "studio.study.down")} <span class="heard">{title}</span>
    </button>
  );
}

/** The value with which a required setting begins. */
const first = (schema: Setting | undefined): unknown =>
  schema?.type === "object" ? { a: "", b: "" } : schema?.among ? "a" : "";

/** A word, or a list of one's own. */
function Either(props: Props) {
  const { schema, value } = props;
  const { control, put } = useControl(props);
  const [choice, list] = schema.anyOf as [Setting, Setting];
  const own = Array.isArray(value);
  return (
    <>
      <Labelled {...props}>
        <select
          {...control}
          value={own ? "" : shown(value ?? schema.default)}
          onChange={({ currentTarget }) => put(currentTarget.value || [{ name: "talk" }])}
        >
          {choice.enum?.map((each) => (
            <option key={String(each)}>{String(each)}</option>
          ))}
          <option value="">{t("studio.study.own")}</option>
        </select>
      </Labelled>
      {own && <Cards {...props} schema={list} headed={false} />}
    </>
  );
}

/** The settings of a mapping that its kind of work uses; rare ones that are not set are folded. */
export function Fields({
  properties,
  at = [],
  holder,
}: {
  properties: Record<string, Setting>;
  at?: Pointer;
  holder: Values;
}) {
  const kind = shown(holder.kind ?? properties.kind?.default);
  const used = Object.entries(properties).filter(
    ([name, { kinds }]) => !kinds || kinds.includes(kind) || name in holder,
  );
  const field = ([name, schema]: [string, Setting]) => (
    <Field
      key={name}
      name={name}
      schema={schema}
      at={[...at, name]}
      value={holder[name]}
      holder={holder}
    />
  );
  const folded = used.filter(([name, { rare }]) => rare && !(name in holder));
  return (
    <>
      {used.filter((each) => !folded.includes(each)).map(field)}
      {folded.length > 0 && (
        <details class="group">
          <summary>{t("studio.study.more")}</summary>
          {folded.map(field)}
        </details>
      )}
    </>
  );
}
