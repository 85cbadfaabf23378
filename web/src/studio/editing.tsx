/** Shared parts of the views that edit files: the bar, the editor, the tabs next to it. */

import { useCallback, useEffect, useRef } from "preact/hooks";
import { t } from "../texts";
import { href } from "./address";
import { Editor } from "./tasks/editor";
import type { Schema } from "./tasks/grammar";
import type { EditedFile } from "./tasks/saving";
import type { ViewSettings } from "./views";
import "./tasks/tasks.css";

/** Windows in which the text and what it does take turns. */
export const narrow = matchMedia("(max-width: 60rem)");

/** The tab of the address; else the first in narrow windows, and the second in wide ones. */
export function useTab<Tab extends string>(
  query: URLSearchParams,
  tabs: Record<Tab, string>,
): [Tab, (tab: Tab) => void] {
  const names = Object.keys(tabs) as Tab[];
  const asked = query.get("tab") as Tab;
  const tab = names.includes(asked) ? asked : (names[narrow.matches ? 0 : 1] as Tab);
  const setTab = useCallback((next: Tab) => {
    const [place = "", search = ""] = location.hash.split("?");
    const kept = new URLSearchParams(search);
    kept.set("tab", next);
    for (const name of ["line", "node"]) kept.delete(name);
    location.replace(`${place}?${kept}`);
  }, []);
  return [tab, setTab];
}

/** The editor of a file. */
export function Text({
  file,
  editor,
  onLine,
  schema,
  begins = false,
  hidden = false,
}: {
  file: EditedFile;
  /** A new file: one wants to write. */
  begins?: boolean;
  editor: { current: Editor | null };
  onLine: (line: number) => void;
  schema: () => Promise<Schema>;
  hidden?: boolean;
}) {
  const host = useRef<HTMLDivElement>(null);
  const listeners = useRef({ file, onLine });
  listeners.current = { file, onLine };
  const { given } = file;
  useEffect(() => {
    if (!given || !host.current) return;
    if (editor.current) {
      editor.current.setText(given.text);
      return;
    }
    editor.current = new Editor(host.current, given.text, {
      onText: (text) => listeners.current.file.edit(text),
      onLine: (line) => listeners.current.onLine(line),
      onSave: () => void listeners.current.file.save(),
    });
    if (begins) editor.current.focus();
    const { known } = editor.current;
    void schema().then((found) => {
      known.schema = found;
    });
  }, [given, begins, editor, schema]);
  useEffect(
    () => () => {
      editor.current?.close();
      editor.current = null;
    },
    [editor],
  );
  return <div class="editor" ref={host} hidden={hidden} />;
}

export function Bar({
  path,
  file,
  view,
}: {
  path: string;
  file: EditedFile;
  view: ViewSettings["name"];
}) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "s" || event.defaultPrevented) return;
      event.preventDefault();
      void file.save();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [file.save]);
  return (
    <div class="file">
      <nav aria-label={t("studio.place")}>
        <a href={href(view)}>{t(`studio.view.${view}`)}</a> / <b>{path}</b>
      </nav>
      <span class="soft small" role="status">
        {file.saving ? t("studio.saving") : file.dirty ? t("studio.unsaved") : t("studio.saved")}
      </span>
      {view === "tasks" && (
        <a class="small" href={href("runs", "", { task: path })}>
          {t("studio.make.link")}
        </a>
      )}
      <button
        type="button"
        class="main small"
        disabled={!file.dirty || file.saving}
        onClick={() => void file.save()}
      >
        {t("studio.save")} <kbd>{t("studio.save.keys")}</kbd>
      </button>
    </div>
  );
}

export function Notices({ file, failure }: { file: EditedFile; failure: string }) {
  const { other, resolve } = file;
  const wrong = file.failure || failure;
  if (!other && !wrong) return null;
  return (
    <div class={`notice ${wrong ? "bad" : ""}`} role="alert">
      {wrong && <p>{wrong}</p>}
      {other && (
        <>
          <p>{other.tag ? t("studio.other.changed") : t("studio.other.removed")}</p>
          <div class="row">
            <button type="button" class="small" onClick={() => resolve(true)}>
              {t("studio.other.keep")}
            </button>
            <button type="button" class="small" onClick={() => resolve(false)}>
              {t("studio.other.take")}
            </button>
            <span class="soft small">{t("studio.other.about")}</span>
          </div>
          <details class="small">
            <summary>{t("studio.other.text")}</summary>
            <pre>{other.text}</pre>
          </details>
        </>
      )}
    </div>
  );
}

/** The way back to the tabs, past the text. */
export function backToTabs(event: KeyboardEvent): void {
  const offering = event.target instanceof HTMLTextAreaElement; // its Escape hides what is offered
  if (event.key !== "Escape" || event.defaultPrevented || offering) return;
  document.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
}

/** The tabs; the first is for narrow windows alone, in which the left side is one of them. */
export function Tabs<Tab extends string>({
  tabs,
  tab,
  onTab,
}: {
  tabs: Record<Tab, string>;
  tab: Tab;
  onTab: (tab: Tab) => void;
}) {
  const names = Object.keys(tabs) as Tab[];
  const shown = tab === names[0] && !narrow.matches ? names[1] : tab;
  useEffect(() => {
    document.getElementById(`tab-${shown}`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [shown]);
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault(); // past the text, which takes Tab
      document.querySelector<HTMLElement>("[role=tabpanel]")?.focus();
    }
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const usable = narrow.matches ? names : names.slice(1);
    // the focused one: with keys in quick succession, `shown` is still the one before
    const here = usable.findIndex((name) => document.activeElement?.id === `tab-${name}`);
    const next = usable[(here + step + usable.length) % usable.length];
    if (!next) return;
    onTab(next);
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label={t("studio.tabs")} onKeyDown={pressed}>
      {names.map((name) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          class={`quiet ${name === names[0] ? "words" : ""}`}
          aria-selected={name === shown}
          tabIndex={name === shown ? 0 : -1}
          onClick={() => onTab(name)}
        >
          {tabs[name]}
        </button>
      ))}
    </div>
  );
}
