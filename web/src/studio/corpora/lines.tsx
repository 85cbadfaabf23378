/** The lines of a dialogue: text with its spans, annotations, changes of states, findings. */

import type { ComponentChildren } from "preact";
import { t } from "../../texts";
import type { Line, Note, Remark } from "./types";

interface Props {
  lines: Line[];
  /** Opens an annotation to be mended; without it they are only shown. */
  onMend?: ((note: Note) => void) | undefined;
  /** Adds an annotation to a line. */
  onAdd?: ((line: Line) => void) | undefined;
  /** The line that the address names. */
  at?: number | null;
  /** Further content below a line. */
  below?: (line: Line) => ComponentChildren;
}

export function Lines({ lines, onMend, onAdd, at, below }: Props) {
  return (
    <ol class="lines plain">
      {lines.map((line) => (
        <li
          key={line.index}
          id={`line-${line.index}`}
          class={`line kind-${line.kind} from-${line.speaker}${line.index === at ? " here" : ""}`}
        >
          <span class="speaker">
            <span class="place">{line.index}</span> {line.speaker}
          </span>
          <div class="content">
            <Text line={line} />
            {line.more.length > 0 && (
              <details class="small">
                <summary>{t("studio.more", { count: line.more.length })}</summary>
                <ul class="plain">
                  {line.more.map((item, place) => (
                    <li key={place}>{item}</li>
                  ))}
                </ul>
              </details>
            )}
            <Notes line={line} onMend={onMend} onAdd={onAdd} />
            <Remarks remarks={line.findings} />
            {below?.(line)}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Text({ line }: { line: Line }) {
  return (
    <p class="said" dir="auto">
      {line.pieces.map(([text, labels], place) =>
        labels ? (
          <mark key={place} title={labels}>
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </p>
  );
}

type NotesProps = { line: Line } & Pick<Props, "onMend" | "onAdd">;

/** Spans next to acts, and whole states, are folded. */
function Notes({ line, onMend, onAdd }: NotesProps) {
  const acts = line.notes.some(({ kind }) => kind === "act");
  const folds = ({ kind }: Note) => kind === "state" || (kind === "span" && acts);
  const folded = line.notes.filter(folds);
  const adds = onAdd && line.kind === "utterance";
  if (!line.notes.length && !adds) return null;
  return (
    <div class="noted">
      <Chips notes={line.notes.filter((note) => !folds(note))} onMend={onMend} />
      {folded.length > 0 && (
        <details>
          <summary class="small soft">{counted(folded)}</summary>
          <Chips notes={folded} onMend={onMend} />
        </details>
      )}
      {adds && (
        <button
          type="button"
          class="chip add"
          aria-label={t("studio.label.event", { number: line.index })}
          onClick={() => onAdd(line)}
        >
          {t("studio.label")}
        </button>
      )}
    </div>
  );
}

function counted(notes: Note[]): string {
  const spans = notes.filter(({ kind }) => kind === "span").length;
  const shown =
    spans > 0 ? [spans === 1 ? t("studio.span.one") : t("studio.spans", { count: spans })] : [];
  return [...shown, ...(spans < notes.length ? [t("studio.state")] : [])].join(", ");
}

function Chips({ notes, onMend }: { notes: Note[]; onMend: Props["onMend"] }) {
  return (
    <ul class="notes plain">
      {notes.map((note, place) => (
        <li key={place} class={`of-${note.kind}`}>
          {onMend && note.form ? (
            <button type="button" class="chip" onClick={() => onMend(note)}>
              <span class="heard">{t("studio.change")} </span>
              {note.text}
            </button>
          ) : (
            <span class="chip">{note.text}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

export function Remarks({ remarks }: { remarks: Remark[] }) {
  if (!remarks.length) return null;
  return (
    <ul class="remarks plain small">
      {remarks.map(({ code, severity, message }, place) => (
        <li key={place} class={severity}>
          <strong>{code}</strong> {message}
        </li>
      ))}
    </ul>
  );
}
