/** A form of a study's settings, drawn from their JSON Schema. */

import { useContext, useState } from "preact/hooks";
import { maybe, t } from "../../texts";
import {
  About,
  Box,
  Boxes,
  Choice,
  FormContext,
  idOf,
  Labelled,
  listed,
  mapping,
  type Pointer,
  type Props,
  type Setting,
  shown,
  spelled,
  Typed,
  useControl,
  type Values,
  words,
} from "./controls";

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
          <Tool
            text={t("studio.study.remove")}
            title={each}
            onClick={() => change({ pointer: [...at, each], value: null })}
          />
        </div>
      ))}
      <div class="row">
        <label for={`${id}-key`}>{t("studio.study.key")}</label>
        <input
          id={`${id}-key`}
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

function Tool({ text, title, onClick }: { text: string; title: string; onClick: () => void }) {
  return (
    <button type="button" class="small" onClick={onClick}>
      {text} <span class="heard">{title}</span>
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
                <Tool
                  text={t("studio.study.up")}
                  title={title}
                  onClick={() => change({ pointer: [...at, place - 1], after: true })}
                />
              )}
              {place + 1 < items.length && (
                <Tool
                  text={t("studio.study.down")}
                  title={title}
                  onClick={() => change({ pointer: here, after: true })}
                />
              )}
              <Tool
                text={t("studio.study.remove")}
                title={title}
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
