/** The pieces that layers of marks are made of on the page. */

import type { ComponentChildren } from "preact";
import { handing } from "../fields";
import { type Key, t } from "../texts";

/** The marks of one layer, under its name. */
export function LayerOf({ name, children }: { name: Key; children: ComponentChildren }) {
  return (
    <fieldset class="layer">
      <legend>{t(name)}</legend>
      {children}
    </fieldset>
  );
}

interface AddingProps extends ChipsProps {
  onAdd: () => void;
  children: ComponentChildren;
}

/** A layer whose pieces are added by a form. */
export function AddingTo({ name, pieces, onAdd, children }: AddingProps) {
  return (
    <LayerOf name={name}>
      <form onSubmit={handing(onAdd)}>
        {children}
        <Chips name={name} pieces={pieces} />
      </form>
    </LayerOf>
  );
}

interface ChipsProps {
  name: Key;
  /** The label of each piece, and the pieces that remain without it. */
  pieces: { text: string; remove: () => void }[];
}

/** The marks, each with a button that removes it. */
export function Chips({ name, pieces }: ChipsProps) {
  return (
    <ul class="plain chips" aria-label={t(name)}>
      {pieces.map(({ text, remove }) => (
        <li key={text} class="chip">
          <span>{text}</span>
          <button type="button" class="quiet small" onClick={remove}>
            {t("annotate.remove")}
            <span class="heard"> {text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ChoiceProps {
  id: string;
  /** Its label, where no other one is visible. */
  name?: string;
  value: string;
  options: { value: string; text: string }[];
  onChange: (value: string) => void;
}

/** One of several. */
export function Choice({ id, name, value, options, onChange }: ChoiceProps) {
  return (
    <>
      {name && (
        <label class="heard" for={id}>
          {name}
        </label>
      )}
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.text}
          </option>
        ))}
      </select>
    </>
  );
}

interface ValueProps {
  id: string;
  value: string;
  placeholder: string;
  onChange: (value: string) => void;
}

/** The field of a value. */
export function ValueField({ id, onChange, ...more }: ValueProps) {
  return (
    <>
      <label class="heard" for={id}>
        {t("annotate.value")}
      </label>
      <input {...more} id={id} onInput={(event) => onChange(event.currentTarget.value)} />
    </>
  );
}

export const plainly = (values: string[]) => values.map((value) => ({ value, text: value }));
