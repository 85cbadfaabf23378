/** The view of task files: the text on one side, what it does on the other. */

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../api";
import { t } from "../../texts";
import { href } from "../address";
import { type Answer, useAnswer } from "../answer";
import { Title } from "../entries";
import type { ViewProps } from "../views";
import { Chart } from "./chart";
import { Dialogues } from "./dialogues";
import { Editor } from "./editor";
import { counted, Findings } from "./findings";
import type { Schema } from "./grammar";
import { TaskList } from "./list";
import { type Diagnosis, Doctor, Understand, Values } from "./panels";
import { type TaskFile, useTaskFile } from "./saving";
import { Talk } from "./talk";
import type { Checked, TaskText } from "./types";
import "../../style/flow.css";
import "./tasks.css";

const CHECK_DELAY = 60;
const DOCTOR_DELAY = 800;

const TABS = {
  text: t("studio.tab.text"),
  chart: t("studio.tab.chart"),
  dialogues: t("studio.tab.dialogues"),
  talk: t("studio.tab.talk"),
  understand: t("studio.tab.understand"),
  values: t("studio.tab.values"),
  doctor: t("studio.tab.doctor"),
};
type Tab = keyof typeof TABS;

export function View({ path, query, folder }: ViewProps) {
  if (!path) return <TaskList folder={folder} />;
  return <Workbench path={path} query={query} folder={folder} />;
}

function Workbench({ path, query, folder }: ViewProps) {
  const template = useRef(query.get("template") ?? "").current;
  const file = useTaskFile(path, template);
  const { text } = file;
  const asked = useMemo(() => (text === null ? null : { path, text }), [path, text]);
  const answer = useAnswer<Checked>("/api/tasks/check", asked, CHECK_DELAY);
  const { value: checked, failure } = answer;
  const [tab, setTab] = useTab(query);
  const [line, setLine] = useState(1);
  const editor = useRef<Editor | null>(null);
  const goTo = useCallback(
    (to: number) => {
      if (narrow.matches) setTab("text");
      // the text is drawn first where it was hidden
      requestAnimationFrame(() => editor.current?.goTo(to));
    },
    [setTab],
  );
  const { sound, chart, names } = useSound(answer);
  const doctor = useAnswer<Diagnosis>(
    "/api/tasks/doctor",
    tab === "doctor" ? sound : null,
    DOCTOR_DELAY,
  );
  useEffect(() => {
    if (editor.current) editor.current.known.names = names;
    if (checked) editor.current?.mark(checked.findings);
  }, [checked, names]);
  useJump(query, names, file.text !== null, goTo);
  const saved = useRef(file.dirty);
  useEffect(() => {
    if (saved.current && !file.dirty) void folder.refresh();
    saved.current = file.dirty;
  }, [file.dirty, folder]);
  const findings = checked?.findings ?? [];
  const panel = { sound, names, onLine: goTo };
  return (
    <main class="workbench" id="main" data-tab={tab}>
      <Title hidden>{path}</Title>
      <Bar path={path} file={file} />
      <Notices file={file} failure={failure} />
      <Tabs tab={tab} onTab={setTab} />
      <section class="text" aria-label={t("studio.text")}>
        <Text file={file} begins={template !== ""} editor={editor} onLine={setLine} />
        <details class="found" open>
          <summary aria-live="polite">{checked ? counted(findings) : t("studio.checking")}</summary>
          <Findings findings={findings} onLine={goTo} />
        </details>
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <div class="side" role="tabpanel" tabIndex={0} aria-label={TABS[tab]} onKeyDown={backToTabs}>
        {(tab === "chart" || tab === "text") && (
          <Chart
            chart={chart}
            old={checked?.chart === null}
            names={names}
            findings={doctor.value ? [...findings, ...doctor.value.findings] : findings}
            line={line}
            onLine={goTo}
          />
        )}
        {tab === "dialogues" && <Dialogues {...panel} />}
        {tab === "talk" && <Talk {...panel} />}
        {tab === "understand" && <Understand {...panel} />}
        {tab === "values" && <Values {...panel} />}
        {tab === "doctor" && <Doctor answer={doctor} sound={sound} onLine={goTo} />}
      </div>
    </main>
  );
}

/** Windows in which the text and what it does take turns. */
const narrow = matchMedia("(max-width: 60rem)");

function useTab(query: URLSearchParams): [Tab, (tab: Tab) => void] {
  const asked = query.get("tab") ?? "";
  const tab = asked in TABS ? (asked as Tab) : narrow.matches ? "text" : "chart";
  const setTab = useCallback((next: Tab) => {
    const [place = "", search = ""] = location.hash.split("?");
    const kept = new URLSearchParams(search);
    kept.set("tab", next);
    for (const name of ["line", "node"]) kept.delete(name);
    location.replace(`${place}?${kept}`);
  }, []);
  return [tab, setTab];
}

/** The last text without errors, with its chart; names stay while the text is no YAML. */
function useSound({ value: checked, asked }: Answer<Checked>) {
  const [sound, setSound] = useState<TaskText | null>(null);
  const last = useRef<{ chart: string | null; names: Checked["names"] }>({
    chart: null,
    names: {},
  });
  useEffect(() => {
    if (checked && checked.task !== null) setSound(asked as TaskText);
  }, [checked, asked]);
  if (checked?.chart) last.current.chart = checked.chart;
  if (checked && Object.keys(checked.names).length > 0) last.current.names = checked.names;
  return { sound, ...last.current };
}

/** Goes to the line or node of the address, once. */
function useJump(
  query: URLSearchParams,
  names: Checked["names"],
  ready: boolean,
  goTo: (line: number) => void,
): void {
  const node = query.get("node");
  const line = Number(query.get("line")) || (node && names.flow?.[node]) || 0;
  useEffect(() => {
    if (ready && line > 0) goTo(line);
  }, [ready, line, goTo]);
}

function Text({
  file,
  begins,
  editor,
  onLine,
}: {
  file: TaskFile;
  /** A new file: one wants to write. */
  begins: boolean;
  editor: { current: Editor | null };
  onLine: (line: number) => void;
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
    void get<Schema>("/api/tasks/grammar").then((schema) => {
      known.schema = schema;
    });
  }, [given, begins, editor]);
  useEffect(
    () => () => {
      editor.current?.close();
      editor.current = null;
    },
    [editor],
  );
  return <div class="editor" ref={host} />;
}

function Bar({ path, file }: { path: string; file: TaskFile }) {
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
        <a href={href("tasks")}>{t("studio.view.tasks")}</a> / <b>{path}</b>
      </nav>
      <span class="soft small" role="status">
        {file.saving ? t("studio.saving") : file.dirty ? t("studio.unsaved") : t("studio.saved")}
      </span>
      <a class="small" href={href("runs", "", { task: path })}>
        {t("studio.make.link")}
      </a>
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

function Notices({ file, failure }: { file: TaskFile; failure: string }) {
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
function backToTabs(event: KeyboardEvent): void {
  const offering = event.target instanceof HTMLTextAreaElement; // its Escape hides what is offered
  if (event.key !== "Escape" || event.defaultPrevented || offering) return;
  document.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
}

function Tabs({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  const names = Object.keys(TABS) as Tab[];
  const shown = tab === "text" && !narrow.matches ? "chart" : tab;
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
          class={`quiet ${name === "text" ? "words" : ""}`}
          aria-selected={name === shown}
          tabIndex={name === shown ? 0 : -1}
          onClick={() => onTab(name)}
        >
          {TABS[name]}
        </button>
      ))}
    </div>
  );
}
