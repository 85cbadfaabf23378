/** The task files of the folder, and a new one. */

import { useEffect, useState } from "preact/hooks";
import { get } from "../../api";
import { t } from "../../texts";
import { go } from "../address";
import { Entries, Title } from "../entries";
import type { Folder } from "../folder";
import { unsaved } from "./saving";

export function TaskList({ folder }: { folder: Folder }) {
  const entries = folder.of("tasks").map((entry) => ({
    ...entry,
    what: unsaved(entry.path) ? t("studio.unsaved") : entry.what,
  }));
  return (
    <main class="page" id="main">
      <Title>{t("studio.view.tasks")}</Title>
      <Entries entries={entries} />
      <New taken={entries.map(({ path }) => path)} />
    </main>
  );
}

function New({ taken }: { taken: string[] }) {
  const [name, setName] = useState("");
  const [template, setTemplate] = useState("starter");
  const [bundled, setBundled] = useState<string[]>([]);
  useEffect(() => {
    get<string[]>("/api/tasks/templates").then(setBundled, () => setBundled([]));
  }, []);
  const file = name.trim().replace(/\.ya?ml$/, "");
  const right = /^([^/]+\/)*[a-z][a-z0-9_]*$/.test(file);
  const there = taken.includes(`${file}.yaml`);
  const begin = (event: Event) => {
    event.preventDefault();
    if (right) go("tasks", `${file}.yaml`, there ? {} : { template });
  };
  return (
    <form class="card new" onSubmit={begin}>
      <h2>{t("studio.new")}</h2>
      <div class="row">
        <label>
          {t("studio.new.name")}
          <input
            value={name}
            placeholder="pizza_order"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
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
