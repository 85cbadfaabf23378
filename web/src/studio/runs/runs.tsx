/** A run of play, a result of bench, a study, or the list of them. */

import { useState } from "preact/hooks";
import { t } from "../../texts";
import { asked } from "../address";
import { useAsked } from "../asked";
import { Title } from "../entries";
import type { ViewProps } from "../views";
import { RunList } from "./making";
import { PlayedDialogue, PlayedRun } from "./played";
import { BenchResult } from "./result";
import "./runs.css";

export function View(props: ViewProps) {
  const { path, query, folder } = props;
  if (!path) return <RunList {...props} />;
  const kind = folder.of("runs").find((entry) => entry.path === path)?.kind;
  return (
    <main class={query.has("id") ? "run opened" : "page run"} id="main">
      {kind === "run" &&
        (query.has("id") ? <PlayedDialogue {...props} /> : <PlayedRun {...props} />)}
      {kind === "result" && <BenchResult {...props} />}
      {kind === "study" && <Study path={path} />}
      {!kind && (
        <>
          <Title>{path}</Title>
          <p class="notice">{t("studio.runs.nothing")}</p>
        </>
      )}
    </main>
  );
}

function Study({ path }: { path: string }) {
  const [looks, setLooks] = useState(0);
  const { found } = useAsked<{ admin: string | null }>(`/api/runs/study?${asked({ path })}`, looks);
  return (
    <>
      <Title>{path}</Title>
      {found?.admin && (
        <p>
          <a class="button main" href={found.admin} target="_blank" rel="noreferrer">
            {t("studio.study.admin")}
          </a>
        </p>
      )}
      {found && !found.admin && (
        <>
          <p>{t("studio.study")}</p>
          <pre>
            <code>dialoom collect --db {path}</code>
          </pre>
          <p class="soft small">{t("studio.study.where")}</p>
          <button type="button" onClick={() => setLooks(looks + 1)}>
            {t("studio.again")}
          </button>
        </>
      )}
    </>
  );
}
