/** The view of study files: a form on one side, the text and the pages on the other. */

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, post } from "../../api";
import { maybe, t } from "../../texts";
import { useAnswer } from "../answer";
import { Bar, backToTabs, Notices, narrow, Tabs, Text, useTab } from "../editing";
import { Title } from "../entries";
import { reason } from "../reason";
import type { Editor } from "../tasks/editor";
import { counted, Findings } from "../tasks/findings";
import { FileList } from "../tasks/list";
import { useEditedFile } from "../tasks/saving";
import type { Finding } from "../tasks/types";
import type { ViewProps } from "../views";
import { type Change, FormContext, idOf, type Setting } from "./controls";
import { Fields } from "./form";
import { Pages } from "./pages";
import "./studies.css";

const CHECK_DELAY = 60;
const CHANGE_DELAY = 150;

const TABS = {
  text: t("studio.tab.form"),
  yaml: t("studio.tab.text"),
  pages: t("studio.tab.pages"),
};

interface Checked {
  findings: Finding[];
  /** The settings; null where the text is no YAML. */
  value: Record<string, unknown> | null;
}

interface Grammar {
  schema: Setting & { properties: Record<string, Setting> };
  sections: Record<string, string[]>;
}

let known: Promise<Grammar> | undefined;
const grammar = () => {
  known ??= get<Grammar>("/api/studies/grammar");
  return known;
};
const schema = async () => (await grammar()).schema;

export function View({ path, query, folder }: ViewProps) {
  if (!path) return <FileList folder={folder} view="studies" />;
  return <Workbench path={path} query={query} folder={folder} />;
}

function Workbench({ path, query }: ViewProps) {
  const file = useEditedFile("studies", path);
  const { text } = file;
  const asked = useMemo(() => (text === null ? null : { path, text }), [path, text]);
  const {
    value: checked,
    asked: about,
    failure,
  } = useAnswer<Checked>("/api/studies/check", asked, CHECK_DELAY);
  const [tab, setTab] = useTab(query, TABS);
  const editor = useRef<Editor | null>(null);
  const form = useForm(path, editor, sameText(about, asked) ? checked : null);
  const findings = checked?.findings ?? [];
  useEffect(() => {
    if (checked) editor.current?.mark(checked.findings);
  }, [checked]);
  const goTo = (line: number, pointer: string) => {
    const field = document.getElementById(idOf(pointer));
    if (!field?.closest(".form")) {
      setTab("yaml");
      requestAnimationFrame(() => editor.current?.goTo(line));
      return;
    }
    for (let fold = field.closest("details"); fold; fold = up(fold)) fold.open = true;
    field.focus();
    field.scrollIntoView({ block: "center" });
  };
  const saved = { ...file, save: () => form.settled().then(file.save) };
  return (
    <main class="workbench study" id="main" data-tab={tab}>
      <Title hidden>{path}</Title>
      <Bar path={path} file={saved} view="studies" />
      <Notices file={file} failure={failure || form.failure} />
      <Tabs tabs={TABS} tab={tab} onTab={setTab} />
      <section class="text" aria-label={t("studio.tab.form")}>
        <Form
          value={form.value}
          broken={checked?.value === null}
          findings={findings}
          change={form.change}
          onUndo={() => editor.current?.undo()}
        />
        <details class="found" open={!narrow.matches}>
          <summary aria-live="polite">{checked ? counted(findings) : t("studio.checking")}</summary>
          <Findings findings={findings} onLine={goTo} />
        </details>
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <div class="side" role="tabpanel" tabIndex={0} aria-label={TABS[tab]} onKeyDown={backToTabs}>
        <Text
          file={saved}
          editor={editor}
          onLine={() => {}}
          schema={schema}
          hidden={tab === "pages"}
        />
        {tab === "pages" && <Pages asked={checked?.findings.length === 0 ? about : null} />}
      </div>
    </main>
  );
}

const up = (fold: HTMLElement) => fold.parentElement?.closest("details") ?? null;
const sameText = (one: object | null, other: object | null) =>
  JSON.stringify(one) === JSON.stringify(other);

/** The settings as the form shows them, which the text follows. */
function useForm(path: string, editor: { current: Editor | null }, checked: Checked | null) {
  const [value, setValue] = useState<Record<string, unknown> | null>(null);
  const [failure, setFailure] = useState("");
  const waiting = useRef<Change[]>([]);
  const going = useRef<Promise<void> | null>(null);
  const timer = useRef(0);
  const latest = useRef(value);
  if (checked?.value) latest.current = checked.value;
  useEffect(() => {
    if (checked?.value && !waiting.current.length && !going.current) setValue(checked.value);
  }, [checked]);
  const carryOut = useCallback(async () => {
    const changes = waiting.current;
    const text = editor.current?.text ?? "";
    waiting.current = [];
    try {
      const changed = await post<{ text: string }>("/api/studies/change", { path, text, changes });
      // what was typed into the text meanwhile is changed again
      if (editor.current?.text !== text) waiting.current = [...changes, ...waiting.current];
      else editor.current.setText(changed.text);
      setFailure("");
    } catch (error) {
      setFailure(reason(error));
      setValue(latest.current);
    }
  }, [path, editor]);
  const settled = useCallback(async () => {
    clearTimeout(timer.current);
    while (going.current || waiting.current.length) {
      going.current ??= carryOut().finally(() => {
        going.current = null;
      });
      await going.current;
    }
  }, [carryOut]);
  const change = (one: Change) => {
    const last = waiting.current.at(-1);
    if (last && !one.after && sameText(last.pointer, one.pointer) && one.value && last.value) {
      waiting.current.pop();
    }
    waiting.current.push(one);
    setValue((before) => applied(before ?? {}, one.pointer, one) as Record<string, unknown>);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void settled(), CHANGE_DELAY);
  };
  return { value, failure, change, settled };
}

function applied(value: unknown, [key = "", ...below]: Change["pointer"], change: Change): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as unknown[];
  const at = key as number;
  if (below.length > 0) copy[at] = applied(copy[at], below, change);
  else if (change.after) [copy[at], copy[at + 1]] = [copy[at + 1], copy[at]];
  else if (change.value !== null) copy[at] = change.value;
  else if (Array.isArray(value)) copy.splice(at, 1);
  else delete copy[at];
  return copy;
}

interface FormProps {
  value: Record<string, unknown> | null;
  broken: boolean;
  findings: Finding[];
  change: (change: Change) => void;
  onUndo: () => void;
}

function Form({ value, broken, findings, change, onUndo }: FormProps) {
  const [{ schema, sections }, setGrammar] = useState<Partial<Grammar>>({});
  useEffect(() => void grammar().then(setGrammar), []);
  const wrong = new Map(findings.map(({ pointer, message }) => [pointer, message]));
  const context = useMemo(() => ({ change, wrong }), [change, findings]);
  if (!schema || !value) return <div class="form">{broken && <Broken />}</div>;
  return (
    <FormContext.Provider value={context}>
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <div class="row apart">
          <p class="soft small">{t("studio.study.applies")}</p>
          <button type="button" class="small" onClick={onUndo}>
            {t("studio.study.undo")}
          </button>
        </div>
        {broken && <Broken />}
        <fieldset disabled={broken}>
          {Object.entries(sections ?? {}).map(([name, keys]) => (
            <Section
              key={name}
              name={name}
              open={name === "about" || keys.some((key) => key in value)}
            >
              <Fields
                properties={Object.fromEntries(
                  keys.map((key) => [key, schema.properties[key] as Setting]),
                )}
                holder={value}
              />
            </Section>
          ))}
        </fieldset>
      </form>
    </FormContext.Provider>
  );
}

function Section({
  name,
  open,
  children,
}: {
  name: string;
  open: boolean;
  children: ComponentChildren;
}) {
  const [begun] = useState(open);
  return (
    <details class="card" open={begun}>
      <summary>
        <h2>{maybe(`studio.study.section.${name}`, name)}</h2>
      </summary>
      {children}
    </details>
  );
}

function Broken() {
  return (
    <p class="notice bad" role="alert">
      {t("studio.study.broken")}
    </p>
  );
}
