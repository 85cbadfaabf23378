/** A form that changes, adds or removes an annotation; the corpus itself is never written. */

import { useState } from "preact/hooks";
import { Dialog } from "../../dialog";
import { t } from "../../texts";
import { Problem } from "../entries";
import { Choice } from "./list";
import type { Form, Line, Note, Opened } from "./types";

const NAME = "dialoom-author";

export type Mending = { note: Note } | { line: Line };

/** Sends a change of the dialogue that is shown. */
export type Send = (change: object) => Promise<void>;

interface Props {
  opened: Opened;
  mending: Mending;
  send: Send;
  onClose: () => void;
}

const EMPTY: Form = { kind: "act", name: "", lines: "", asked: "", start: 0, end: 0 };

/** A form with all its fields; the server leaves empty ones out. */
const whole = (form: Partial<Form> | null): Form => ({ ...EMPTY, ...form });

export function Mend({ opened, mending, send, onClose }: Props) {
  const old = "note" in mending ? whole(mending.note.form) : null;
  const [form, setForm] = useState<Form>(old ?? EMPTY);
  const [who, setWho] = useState(() => localStorage.getItem(NAME) ?? opened.who);
  const [note, setNote] = useState("");
  const [problem, setProblem] = useState("");
  const set = (values: Partial<Form>) => setForm({ ...form, ...values });
  const text = "line" in mending ? mending.line.pieces.map(([piece]) => piece).join("") : "";
  const save = (made: Form | null) => {
    localStorage.setItem(NAME, who);
    const pointer = "note" in mending ? mending.note.pointer : `/events/${mending.line.index}`;
    send({ who, note, pointer, form: made }).catch((error: Error) => setProblem(error.message));
  };
  return (
    <Dialog title={old ? t("studio.mend.change") : t("studio.mend.add")} onClose={onClose}>
      <form
        class="mend"
        onSubmit={(event) => {
          event.preventDefault();
          save(form);
        }}
      >
        {!old && (
          <Choice
            title={t("studio.mend.what")}
            value={form.kind}
            options={[
              ["act", t("studio.mend.act")],
              ["span", t("studio.mend.span")],
              ["state", t("studio.mend.state")],
            ]}
            onChange={(kind) => set({ ...EMPTY, kind: kind as Form["kind"] })}
          />
        )}
        {form.kind === "span" && text && <Chosen text={text} form={form} onChange={set} />}
        <Fields form={form} onChange={set} />
        <label class="small">
          {t("studio.mend.who")}
          <input
            required
            value={who}
            onInput={({ currentTarget }) => setWho(currentTarget.value)}
          />
        </label>
        <label class="small">
          {t("studio.mend.why")}
          <input value={note} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
        </label>
        <p class="soft small">
          {t("studio.mend.written")} <code>{opened.overlay}</code>. {t("studio.mend.stays")}
        </p>
        <Problem what={problem} />
        <div class="row">
          <button type="button" onClick={onClose}>
            {t("studio.mend.cancel")}
          </button>
          {old && (
            <button type="button" onClick={() => save(null)}>
              {t("studio.mend.remove")}
            </button>
          )}
          <button type="submit" class="main">
            {t("studio.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldProps {
  form: Form;
  onChange: (values: Partial<Form>) => void;
}

const NAMES = {
  act: t("studio.mend.name"),
  span: t("studio.mend.labels"),
  state: t("studio.mend.intent"),
};

function Fields({ form, onChange }: FieldProps) {
  return (
    <>
      <label class="small">
        {NAMES[form.kind]}
        <input
          required={form.kind !== "state"}
          value={form.name}
          onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
      </label>
      {form.kind !== "span" && (
        <label class="small">
          {t("studio.mend.slots")}
          <textarea
            rows={Math.min(8, 2 + form.lines.split("\n").length)}
            value={form.lines}
            onInput={({ currentTarget }) => onChange({ lines: currentTarget.value })}
          />
        </label>
      )}
      {form.kind === "state" && (
        <label class="small">
          {t("studio.mend.asked")}
          <input
            value={form.asked}
            onInput={({ currentTarget }) => onChange({ asked: currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}

/** The text, in which words are chosen with the mouse, or with Shift and the arrow keys. */
function Chosen({ text, form, onChange }: FieldProps & { text: string }) {
  const points = (end: number) => Array.from(text.slice(0, end)).length;
  const chosen = Array.from(text).slice(form.start, form.end).join("");
  return (
    <label class="small">
      {t("studio.mend.select")} {chosen ? <strong>{chosen}</strong> : t("studio.mend.none")}
      <textarea
        readOnly
        rows={3}
        value={text}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
          onChange({ start: points(selectionStart), end: points(selectionEnd) })
        }
      />
    </label>
  );
}
