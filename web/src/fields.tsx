/** The pieces of forms: what is handed in, one of several, a line of text. */

import type { ComponentChildren, Ref } from "preact";
import { t } from "./texts";

/** Letters of a text at most. */
export const LONGEST = 2000;

/** Handles a form on the page, which posts nothing. */
export const handing = (act: () => unknown) => (event: Event) => {
  event.preventDefault();
  void act();
};

interface RadiosProps<T> {
  name: string;
  /** Values and what is said of them; `off` can no longer be chosen. */
  options: readonly { value: T; text: ComponentChildren; off?: boolean }[];
  value: T | undefined;
  onChange: (value: T) => void;
  /** Of the first. */
  id?: string;
  /** The field of a form that it fills in. */
  field?: string;
}

/** One of several; its group stands around it. */
export function Radios<T>({ name, options, value, onChange, id, field }: RadiosProps<T>) {
  return options.map((each, place) => (
    <label class="choice" key={String(each.value)}>
      <input
        type="radio"
        name={name}
        id={place === 0 ? id : undefined}
        data-field={field}
        checked={value === each.value}
        disabled={each.off}
        onChange={() => onChange(each.value)}
      />
      <span>{each.text}</span>
    </label>
  ));
}

export const yesNo = () => [true, false].map((value) => ({ value, text: t(value ? "yes" : "no") }));

/** Numbers from 1 on. */
export const upTo = (most: number) =>
  Array.from({ length: most }, (_, place) => ({ value: place + 1, text: String(place + 1) }));

/** What is wrong, where something is. */
export function Problem({ text }: { text: string | null }) {
  return text ? (
    <p class="wrongly small" role="alert">
      {text}
    </p>
  ) : null;
}

interface SayProps {
  field: Ref<HTMLTextAreaElement>;
  rows: number;
  value: string;
  placeholder?: string;
  disabled?: boolean;
  onChange: (text: string) => void;
  /** Enter says it; with Shift it begins another line. */
  onEnter: () => void;
}

/** Where somebody types what is said. */
export function SayField({ field, onChange, onEnter, ...more }: SayProps) {
  return (
    <textarea
      {...more}
      id="say"
      ref={field}
      dir="auto"
      maxLength={LONGEST}
      onInput={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}
