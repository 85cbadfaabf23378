/** The form of an API: its fields with operators, and which of them are wanted. */

import { useRef, useState } from "preact/hooks";
import { handing, Problem } from "../fields";
import { useWire } from "../parts";
import type { Field, Form } from "../state";
import { maybe, t } from "../texts";
import { Entry, ticked, type Value } from "./entry";

export type Values = Record<string, Value>;

/** Fields of a form that are all shown, and how many are shown first in a longer one. */
const FEW = 12;
const FIRST = 9;

interface Props {
  form: Form;
  values: Values;
  onChange: (values: Values) => void;
  yours: boolean;
}

export function QueryForm({ form, values, onChange, yours }: Props) {
  const wire = useWire();
  const element = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<string[]>([]);
  const [problem, setProblem] = useState("");
  const busy = wire.outbox.some((message) => message.type === "ask");

  const ask = async () => {
    const lacking = form.fields
      .filter((field) => wanted(field, values) && !filled(values[field.name]))
      .map(({ name }) => name);
    setMissing(lacking);
    setProblem(lacking.length > 0 ? t("query.missing") : "");
    if (lacking[0]) {
      element.current?.querySelector<HTMLElement>(`[data-field="${lacking[0]}"]`)?.focus();
      return;
    }
    const answer = await wire.send("ask", { api: form.api, conditions: conditions(form, values) });
    if (answer.ok) return;
    const { code, what, field, fields } = answer.refusal;
    setMissing([...(fields ?? []), ...(field ? [field] : [])]);
    setProblem(what || maybe(`refused.${code}`, code));
  };

  const long = form.fields.length > FEW;
  const first = long ? form.fields.slice(0, FIRST) : form.fields;
  const more = long ? form.fields.slice(FIRST) : [];
  const shown = ({ name }: Field) => filled(values[name]) || missing.includes(name);
  const row = (field: Field) => (
    <Row
      key={field.name}
      field={field}
      form={form}
      values={values}
      wrong={missing.includes(field.name)}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
    />
  );

  return (
    <form ref={element} noValidate onSubmit={handing(() => yours && !busy && ask())}>
      {first.map(row)}
      {more.length > 0 && (
        <details class="more" open={more.some(shown) || undefined}>
          <summary>{t("query.more", { count: more.length })}</summary>
          {more.map(row)}
        </details>
      )}
      <Problem text={problem} />
      <div class="row">
        <button type="submit" class="main" aria-disabled={!yours || busy}>
          {t("query.ask")}
        </button>
        <button type="button" class="quiet small" onClick={() => onChange({})}>
          {t("query.clear")}
        </button>
      </div>
    </form>
  );
}

interface RowProps {
  field: Field;
  form: Form;
  values: Values;
  wrong: boolean;
  onChange: (value: Value) => void;
}

function Row({ field, form, values, wrong, onChange }: RowProps) {
  const id = `field-${field.name}`;
  const value = values[field.name] ?? start(field);
  const grouped = ticked(field, value.operator) || field.type === "RequestType";
  const several = field.operators.length > 1 && field.type !== "RequestType";
  return (
    <div class="form-row">
      <div class="head">
        <span>
          {grouped ? (
            <span class="label" id={`${id}-label`}>
              {field.readable}
            </span>
          ) : (
            <label for={id}>{field.readable}</label>
          )}
          {field.hint && field.hint !== field.readable && <span class="hint"> {field.hint}</span>}
          {(field.step ?? 1) > 1 && (
            <span class="hint">
              {" · "}
              {t("query.step", { step: field.step ?? 1, unit: unitOf(field) })}
            </span>
          )}
        </span>
        <span
          class={wrong ? "mark wrongly" : wanted(field, values) ? "mark required" : "mark"}
          id={`${id}-mark`}
        >
          {mark(field, form, values)}
        </span>
      </div>
      <div class={several ? "entry compared" : "entry"}>
        {several && (
          <select
            aria-label={t("query.operator", { field: field.readable })}
            value={value.operator}
            onChange={(event) => onChange(start(field, event.currentTarget.value, value))}
          >
            {field.operators.map((operator) => (
              <option key={operator} value={operator}>
                {maybe(`operator.${operator}`, operator)}
              </option>
            ))}
          </select>
        )}
        <Entry field={field} id={id} value={value} wrong={wrong} onChange={onChange} />
      </div>
    </div>
  );
}

const unitOf = ({ unit, type }: Field): string =>
  unit ?? (type === "Time" ? t("query.minutes") : "");

/** An empty value for an operator; a text is kept when only the operator changes. */
function start(field: Field, operator = field.operators[0] ?? "equal", before?: Value): Value {
  const list = ticked(field, operator);
  if (list) return { operator, value: Array.isArray(before?.value) ? before.value : [] };
  return { operator, value: typeof before?.value === "string" ? before.value : "" };
}

const filled = (value: Value | undefined): boolean =>
  value !== undefined &&
  (Array.isArray(value.value) ? value.value.length > 0 : !!value.value.trim());

/** Whether the field has to be filled in, by the other fields. */
function wanted(field: Field, values: Values): boolean {
  if (field.need === "required") return true;
  if (field.need === "optional") return false;
  if (field.required_when) {
    return Object.entries(field.required_when).some(([other, wishes]) => {
      const value = values[other]?.value;
      const given = Array.isArray(value) ? value : [value];
      return wishes.some((wish) => given.includes(String(wish)));
    });
  }
  return field.required_unless !== null && !filled(values[field.required_unless]);
}

function mark(field: Field, form: Form, values: Values): string {
  if (field.need === "required") return t("mark.required");
  if (field.need === "optional") return t("mark.optional");
  const readable = (name: string) =>
    form.fields.find((each) => each.name === name)?.readable ?? name;
  if (field.required_when) {
    const when = Object.entries(field.required_when)
      .map(([name, wishes]) => `${readable(name)}: ${wishes.join(", ")}`)
      .join("; ");
    return t(wanted(field, values) ? "mark.now" : "mark.when", { when });
  }
  if (field.required_unless) return t("mark.unless", { field: readable(field.required_unless) });
  return t("mark.optional");
}

/** The fields that are filled in, as the server takes them. */
function conditions(
  form: Form,
  values: Values,
): { name: string; operator: string; value: unknown }[] {
  return form.fields.flatMap((field) => {
    const given = values[field.name];
    if (!given || !filled(given)) return [];
    return [{ name: field.name, operator: given.operator, value: typed(field, given) }];
  });
}

function typed(field: Field, { operator, value }: Value): unknown {
  if (Array.isArray(value)) return value;
  if (field.type === "Boolean") return value === "true";
  if (operator === "one_of") {
    return value
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean);
  }
  const text = value.trim();
  return field.type === "Integer" && /^-?\d+$/.test(text) ? Number(text) : text;
}
