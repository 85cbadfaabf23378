/** A run of play, a result of bench, or a study. */

import { t } from "../../texts";
import { Title } from "../entries";
import type { ViewProps } from "../views";
import { PlayedDialogue, PlayedRun } from "./played";
import { BenchResult } from "./result";
import "./runs.css";

export function View(props: ViewProps) {
  const { path, query, folder } = props;
  const what = folder.of("runs").find((entry) => entry.path === path)?.what ?? "";
  return (
    <main class={query.has("id") ? "run opened" : "page run"} id="main">
      {what.startsWith("run of") &&
        (query.has("id") ? <PlayedDialogue {...props} /> : <PlayedRun {...props} />)}
      {what.startsWith("result of") && <BenchResult {...props} />}
      {what === "study" && <Study path={path} />}
      {!what && (
        <>
          <Title>{path}</Title>
          <p class="notice">{t("studio.runs.nothing")}</p>
        </>
      )}
    </main>
  );
}

function Study({ path }: { path: string }) {
  return (
    <>
      <Title>{path}</Title>
      <p>{t("studio.study")}</p>
      <pre>
        <code>dialoom collect --db {path}</code>
      </pre>
      <p class="soft small">{t("studio.study.where")}</p>
    </>
  );
}
