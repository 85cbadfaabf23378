/** Links into the study, single-use invites, and what no link can check. */

import { useId, useState } from "preact/hooks";
import { post } from "../api";
import { handing, Problem } from "../fields";
import type { Role } from "../seat";
import { languageName, maybe, t } from "../texts";
import { said, stageName } from "./said";
import type { Dashboard } from "./types";

const MOST = 100;

export function Links({ shown }: { shown: Dashboard }) {
  const { languages } = shown;
  return (
    <section id="links">
      <h2>{t("admin.part.links")}</h2>
      <div class="card">
        {Object.entries(shown.links).map(([role, link]) => (
          <Address
            key={role}
            label={maybe(`admin.link.${role}`, t("admin.link.stage", { stage: stageName(role) }))}
            text={link}
            rows={1}
          />
        ))}
        {languages.length > 1 && (
          <p class="soft small">
            {t("admin.links.language", {
              code: languages[0] ?? "",
              languages: languages.map((code) => `${languageName(code)} (${code})`).join(", "),
            })}
          </p>
        )}
      </div>
      <div class="twin links">
        <Invites />
      </div>
    </section>
  );
}

/** Addresses to be copied; a click selects all of them. */
function Address({ label, text, rows }: { label: string; text: string; rows: number }) {
  const id = useId();
  return (
    <div class="field">
      <div class="row apart">
        <label for={id}>{label}</label>
        <CopyButton text={text} />
      </div>
      <textarea
        id={id}
        class="address"
        rows={rows}
        readOnly
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  return (
    <span class="row">
      <span role="status" class="small">
        {done ? t("copied") : ""}
      </span>
      <button
        type="button"
        class="quiet small"
        onClick={() =>
          void navigator.clipboard?.writeText(text).then(
            () => setDone(true),
            () => setDone(false),
          )
        }
      >
        {t("admin.copy")}
      </button>
    </span>
  );
}

function Invites() {
  const [role, setRole] = useState<"" | Role>("");
  const [count, setCount] = useState(1);
  const [workers, setWorkers] = useState("");
  const [links, setLinks] = useState<string[]>([]);
  const [problem, setProblem] = useState("");
  const make = async () => {
    setProblem("");
    try {
      const ids = workers.split("\n").filter((id) => id.trim());
      const body = { role: role || null, ...(ids.length ? { workers: ids } : { count }) };
      setLinks((await post<{ links: string[] }>("/api/admin/invites", body)).links);
    } catch (error) {
      setProblem(said(error));
    }
  };
  return (
    <div class="card">
      <h3>{t("admin.invites")}</h3>
      <p class="soft small">{t("admin.invites.text")}</p>
      <form class="row" onSubmit={handing(make)}>
        <label for="invite-role">{t("admin.invites.role")}</label>
        <select
          id="invite-role"
          class="short"
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as "" | Role)}
        >
          <option value="">{t("ready.any")}</option>
          <option value="user">{t("chat.from.user")}</option>
          <option value="wizard">{t("chat.from.wizard")}</option>
        </select>
        <label for="invite-count">{t("admin.invites.count")}</label>
        <input
          id="invite-count"
          class="short"
          type="number"
          min={1}
          max={MOST}
          value={count}
          onInput={(event) => setCount(Number(event.currentTarget.value))}
        />
        <button type="submit">{t("admin.invites.make")}</button>
        <label for="invite-workers">{t("admin.invites.workers")}</label>
        <textarea
          id="invite-workers"
          class="address"
          rows={2}
          value={workers}
          onInput={(event) => setWorkers(event.currentTarget.value)}
        />
      </form>
      <Problem text={problem} />
      {links.length > 0 && (
        <Address
          label={t("admin.invites.made", { count: links.length })}
          text={links.join("\n")}
          rows={Math.min(6, links.length + 1)}
        />
      )}
    </div>
  );
}
