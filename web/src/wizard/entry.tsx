/** The input of a field, by the field's type. */

import { Radios } from "../fields";
import type { Field } from "../state";
import { t } from "../texts";

/** The content of one field: a text, or the ticked categories. */
export interface Value {
  operator: string;
  value: string | string[];
}

/** Whether the field is a list of boxes to tick. */
export function ticked(field: Field, operator: string): boolean {
  if (field.type === "CategoricalMultiple") return true;
  return field.type === "Categorical" && operator === "one_of";
}

interface Props {
  field: Field;
  id: string;
  value: Value;
  wrong: boolean;
  onChange: (value: Value) => void;
}

export function Entry(props: Props) {
  const { field, value } = props;
  if (ticked(field, value.operator)) return <Ticks {...props} />;
  switch (field.type) {
    case "Categorical":
      return <Select {...props} options={field.categories} />;
    case "Boolean":
      return <Select {...props} options={["true", "false"]} />;
    case "RequestType":
      return <Requests {...props} />;
    default:
      return <Typed {...props} />;
  }
}

const label = (field: Field, category: string): string => {
  if (field.type === "Boolean") return t(category === "true" ? "yes" : "no");
  return field.labels[category] ?? category;
};

function common({ field, id, wrong }: Props) {
  return {
    id,
    "data-field": field.name,
    "aria-describedby": `${id}-mark`,
    "aria-invalid": wrong,
    "aria-required": field.need === "required",
  };
}

function Select(props: Props & { options: string[] }) {
  const { field, value, onChange, options } = props;
  return (
    <select
      {...common(props)}
      value={value.value as string}
      onChange={(event) => onChange({ ...value, value: event.currentTarget.value })}
    >
      <option value="">{t("query.any")}</option>
      {options.map((category) => (
        <option key={category} value={category}>
          {label(field, category)}
        </option>
      ))}
    </select>
  );
}

function Ticks({ field, id, value, wrong, onChange }: Props) {
  const chosen = Array.isArray(value.value) ? value.value : [];
  return (
    <fieldset
      class="ticks"
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-mark`}
      aria-invalid={wrong}
    >
      {field.categories.map((category, place) => (
        <label class="choice" key={category}>
          <input
            type="checkbox"
            id={place === 0 ? id : undefined}
            data-field={field.name}
            checked={chosen.includes(category)}
            onChange={(event) =>
              onChange({
                ...value,
                value: event.currentTarget.checked
                  ? [...chosen, category]
                  : chosen.filter((each) => each !== category),
              })
            }
          />
          <span>{label(field, category)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Requests({ field, id, value, onChange }: Props) {
  return (
    <div class="choices" role="radiogroup" aria-labelledby={`${id}-label`}>
      <Radios
        name={id}
        id={id}
        field={field.name}
        options={field.categories.map((each) => ({ value: each, text: label(field, each) }))}
        value={value.value}
        onChange={(category) => onChange({ ...value, value: category })}
      />
    </div>
  );
}

/** Text, number, date or time; a date that is a word ("Monday") can be typed as well. */
function Typed(props: Props) {
  const { field, value, onChange } = props;
  const text = value.value as string;
  const change = (event: { currentTarget: { value: string } }) =>
    onChange({ ...value, value: event.currentTarget.value });
  if (field.type === "LongString") {
    return <textarea {...common(props)} rows={2} value={text} onInput={change} />;
  }
  const number = field.type === "Integer" && value.operator !== "one_of";
  const shared = {
    ...common(props),
    placeholder: example(field, value.operator),
    autocomplete: "off",
    value: text,
    onInput: change,
  } as const;
  if (!number) return <input {...shared} type="text" />;
  return (
    <input
      {...shared}
      type="number"
      min={field.minimum ?? undefined}
      max={field.maximum ?? undefined}
      step={field.step ?? undefined}
    />
  );
}

function example(field: Field, operator: string): string {
  if (operator === "one_of") return t("query.list");
  if (field.type === "Date") return t("query.date");
  if (field.type === "Time") return t("query.time");
  const { minimum, maximum } = field;
  if (field.type === "Integer" && minimum !== null && maximum !== null) {
    return `${minimum}–${maximum}${field.unit ? ` ${field.unit}` : ""}`;
  }
  return "";
}
