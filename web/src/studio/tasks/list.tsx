/** The task or study files of the folder, and a new one. */

import { useEffect, useState } from "preact/hooks";
import { get } from "../../api";
import { t } from "../../texts";
import { go } from "../address";
import { Entries, Title } from "../entries";
import type { Folder } from "../folder";
import { unsaved } from "./saving";

type View = "tasks" | "studies";

export function FileList({ folder, view }: { folder: Folder; view: View }) {
  const entries = folder.of(view).map((entry) => ({
    ...entry,
    ...(unsaved(entry.path) && { note: t("studio.unsaved") }),
  }));
  return (
    <main class="page" id="main">
      <Title>{t(`studio.view.${view}`)}</Title>
      <Entries entries={entries} />
      <New view={view} taken={entries.map(({ path }) => path)} />
    </main>
  );
}

function New({ taken, view }: { taken: string[]; view: View }) {
  const [name, setName] = useState("");
  const [template, setTemplate] = useState("starter");
  const [bundled, setBundled] = useState<string[]>([]);
  useEffect(() => {
    if (view === "tasks")
      get<string[]>("/api/tasks/templates").then(setBundled, () => setBundled([]));
  }, [view]);
  const file = name.trim().replace(/\.ya?ml$/, "");
  const right = /^([^/]+\/)*[a-z][a-z0-9_]*$/.test(file);
  const there = taken.includes(`${file}.yaml`);
  const begin = (event: Event) => {
    event.preventDefault();
    const begins = view === "tasks" && !there;
    if (right) go(view, `${file}.yaml`, begins ? { template } : {});
  };
  return (
    <form class="card new" onSubmit={begin}>
      <h2>{t(`studio.new.${view}`)}</h2>
      <div class="row">
        <label>
          {t("studio.new.name")}
          <input
            value={name}
            placeholder={view === "tasks" ? "pizza_order" : "my_study"}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        {view === "tasks" && (
          <label>
            {t("studio.new.template")}
            <select
              value={template}
              onChange={({ currentTarget }) => setTemplate(currentTarget.value)}
            >
              <option value="starter">{t("studio.new.example")}</option>
              <option value="empty">{t("studio.new.empty")}</option>
              {bundled.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="submit" class="main" disabled={!right}>
          {t(there ? "studio.new.open" : "studio.new.begin")}
        </button>
      </div>
      <p class="soft small" role="status">
        {file && !right ? t("studio.new.wrong") : t("studio.new.unwritten")}
      </p>
    </form>
  );
}
