/** The view of task files: the text on one side, what it does on the other. */

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../api";
import { t } from "../../texts";
import { type Answer, useAnswer } from "../answer";
import { Bar, backToTabs, Notices, narrow, Tabs, Text, useTab } from "../editing";
import { Title } from "../entries";
import type { ViewProps } from "../views";
import { Chart } from "./chart";
import { Dialogues } from "./dialogues";
import type { Editor } from "./editor";
import { counted, Findings } from "./findings";
import type { Schema } from "./grammar";
import { FileList } from "./list";
import { type Diagnosis, Doctor, Understand, Values } from "./panels";
import { useEditedFile } from "./saving";
import { Talk } from "./talk";
import type { Checked, TaskText } from "./types";
import "../../style/flow.css";

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

const grammar = () => get<Schema>("/api/tasks/grammar");

export function View({ path, query, folder }: ViewProps) {
  if (!path) return <FileList folder={folder} view="tasks" />;
  return <Workbench path={path} query={query} folder={folder} />;
}

function Workbench({ path, query, folder }: ViewProps) {
  const template = useRef(query.get("template") ?? "").current;
  const file = useEditedFile("tasks", path, template);
  const { text } = file;
  const asked = useMemo(() => (text === null ? null : { path, text }), [path, text]);
  const answer = useAnswer<Checked>("/api/tasks/check", asked, CHECK_DELAY);
  const { value: checked, failure } = answer;
  const [tab, setTab] = useTab(query, TABS);
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
      <Bar path={path} file={file} view="tasks" />
      <Notices file={file} failure={failure} />
      <Tabs tabs={TABS} tab={tab} onTab={setTab} />
      <section class="text" aria-label={t("studio.text")}>
        <Text
          file={file}
          begins={template !== ""}
          editor={editor}
          onLine={setLine}
          schema={grammar}
        />
        <details class="found" open onKeyDown={backToTabs}>
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
