/** The pieces of forms: what is handed in, one of several, a line of text. */

import type { ComponentChildren, Ref, TextareaHTMLAttributes } from "preact";
import { useState } from "preact/hooks";
import type { Answer, Asked } from "./state";
import { endings, keep, kept } from "./storage";
import { t, whole } from "./texts";

/** Characters of a text at most. */
export const LONGEST = 2000;

/** The share of the most characters from which on it is shown how many there are. */
const NEAR = 0.9;

/** Characters as the server counts them: code points, without blanks at the ends. */
const characters = (text: string): number => Array.from(text.trim()).length;

export const tooLong = (text: string, most = LONGEST): boolean => characters(text) > most;

/** How long a text is, once it comes near to what it may have; all that is typed stays. */
export function Length({ text, most = LONGEST }: { text: string; most?: number }) {
  const count = characters(text);
  if (count <= NEAR * most) return null;
  const over = count > most;
  return (
    <p
      class={over ? "length wrongly small" : "length soft small"}
      role={over ? "alert" : undefined}
    >
      {over && t("text.too_long")}{" "}
      <span aria-live="off">{t("text.length", { count: whole(count), most: whole(most) })}</span>
    </p>
  );
}

/**
 * A text that is typed and not taken by the server yet. The tab keeps it over a reload and while
 * another part of the page is shown; `forget` ends that once the server has taken it.
 */
export function useDraft(key: string, start = ""): [string, (text: string) => void] {
  const [text, setText] = useState(kept("tab", draftKey(key)) ?? start);
  const change = (value: string) => {
    setText(value);
    const same = !value.trim() || value.trim() === start.trim();
    keep("tab", draftKey(key), same ? null : value);
  };
  return [text, change];
}

const draftKey = (key: string): string => `draft:${key}`;

/** The text of a draft is taken; what was typed after it stays. */
export function forget(key: string, taken: string): void {
  if (kept("tab", draftKey(key))?.trim() === taken.trim()) keep("tab", draftKey(key), null);
}

/** The parts of a unit of work that have a draft. */
export const unsaved = (unit: number): string[] => endings(draftKey(`unit-${unit}-`));

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
  /** The first one's. */
  id?: string;
  /** The field of a form that it fills in. */
  field?: string;
}

/** One of several; its group is around it. */
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

interface AskedFieldProps {
  asked: Asked;
  value: Answer | undefined;
  wrong?: boolean;
  onChange: (value: Answer) => void;
  onBlur?: () => void;
}

/** A question after a dialogue, with its answers or a field for a text. */
export function AskedField({ asked, value, wrong, onChange, onBlur }: AskedFieldProps) {
  const { id, text, required, options } = asked;
  const name = `q-${id}`;
  const title = required === false ? `${text} ${t("questions.optional")}` : text;
  const lack = wrong && <p class="wrongly small">{t("questions.missing")}</p>;
  if (options?.length === 0) {
    const typed = String(value ?? "");
    return (
      <div class="field">
        <label for={name}>{title}</label>
        <TextField
          id={name}
          name={name}
          rows={3}
          value={typed}
          onChange={onChange}
          onBlur={onBlur}
        />
        <Length text={typed} />
        {lack}
      </div>
    );
  }
  return (
    <fieldset class="field">
      <legend>{title}</legend>
      <div class="choices">
        <Radios<Answer>
          name={name}
          options={options ?? yesNo()}
          value={value}
          onChange={onChange}
        />
      </div>
      {lack}
    </fieldset>
  );
}

/** Numbers from 1 on. */
export const upTo = (most: number) =>
  Array.from({ length: most }, (_, place) => ({ value: place + 1, text: String(place + 1) }));

/** The fault, if there is one. */
export function Problem({ text }: { text: string | null }) {
  return text ? (
    <p class="wrongly small" role="alert">
      {text}
    </p>
  ) : null;
}

interface TextProps extends Omit<TextareaHTMLAttributes, "onChange" | "value" | "ref" | "onInput"> {
  field?: Ref<HTMLTextAreaElement>;
  value: string;
  onChange: (text: string) => void;
}

/** A field for text; `Length` belongs near it. */
export function TextField({ field, onChange, ...more }: TextProps) {
  return (
    <textarea
      dir="auto"
      {...more}
      ref={field ?? null}
      aria-invalid={tooLong(more.value)}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface SayProps extends TextProps {
  /** Enter says it; with Shift it begins another line. */
  onEnter: () => void;
}

/** The field of an utterance. */
export function SayField({ onEnter, ...more }: SayProps) {
  return (
    <TextField
      {...more}
      id="say"
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}
