/** A form that changes, adds or removes an annotation; the corpus itself is never written. */

import { useState } from "preact/hooks";
import { post } from "../../api";
import { Dialog } from "../../dialog";
import { Choice } from "./list";
import type { Form, Line, Note, Opened } from "./types";

const NAME = "dialoom-author";

export type Mending = { note: Note } | { line: Line };

interface Props {
  path: string;
  opened: Opened;
  mending: Mending;
  onDone: (opened: Opened) => void;
  onClose: () => void;
}

const EMPTY: Form = { kind: "act", name: "", lines: "", asked: "", start: 0, end: 0 };

/** A form with all its fields; the server leaves empty ones out. */
const whole = (form: Partial<Form> | null): Form => ({ ...EMPTY, ...form });

export function Mend({ path, opened, mending, onDone, onClose }: Props) {
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
    const { number, dialogue } = opened;
    post<Opened>("/api/corpora/mend", {
      path,
      number,
      version: dialogue.version,
      who,
      note,
      pointer,
      form: made,
    }).then(onDone, (error: Error) => setProblem(error.message));
  };
  return (
    <Dialog title={old ? "Change the annotation" : "Add an annotation"} onClose={onClose}>
      <form
        class="mend"
        onSubmit={(event) => {
          event.preventDefault();
          save(form);
        }}
      >
        {!old && (
          <Choice
            title="What"
            value={form.kind}
            options={[
              ["act", "Dialogue act"],
              ["span", "Span of the text"],
              ["state", "State"],
            ]}
            onChange={(kind) => set({ ...EMPTY, kind: kind as Form["kind"] })}
          />
        )}
        {form.kind === "span" && text && <Chosen text={text} form={form} onChange={set} />}
        <Fields form={form} onChange={set} />
        <label class="small">
          Your name
          <input
            required
            value={who}
            onInput={({ currentTarget }) => setWho(currentTarget.value)}
          />
        </label>
        <label class="small">
          Why (if you like)
          <input value={note} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
        </label>
        <p class="soft small">
          Is written to <code>{opened.overlay}</code>; the corpus stays as it is.
        </p>
        {problem && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        <div class="row">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          {old && (
            <button type="button" onClick={() => save(null)}>
              Remove it
            </button>
          )}
          <button type="submit" class="main">
            Save
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

const NAMES = { act: "Name", span: "Labels, with commas", state: "Intent" };

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
          Slots and values, one a line: city = Rome or Milan
          <textarea
            rows={Math.min(8, 2 + form.lines.split("\n").length)}
            value={form.lines}
            onInput={({ currentTarget }) => onChange({ lines: currentTarget.value })}
          />
        </label>
      )}
      {form.kind === "state" && (
        <label class="small">
          Slots that the user asks for, with commas
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
      Select the words: {chosen ? <strong>{chosen}</strong> : "none yet"}
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
