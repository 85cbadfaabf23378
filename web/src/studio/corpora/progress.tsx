/** How far a corpus is indexed: streamed by the server, which also looks for changed files. */

import { t } from "../../texts";
import { asked } from "../address";
import { Problem } from "../entries";
import { useEvents } from "../events";
import type { IndexState } from "./types";

const WORDS: Record<IndexState["phase"], string> = {
  opening: t("studio.index.opening"),
  reading: t("studio.index.reading"),
  checking: t("studio.index.checking"),
  done: "",
  failed: "",
};

export function useIndex(path: string): IndexState | null {
  return useEvents<IndexState>(`/api/corpora/progress?${asked({ path })}`, "index");
}

export function Progress({ state }: { state: IndexState | null }) {
  if (state?.phase === "failed") return <Problem what={state.what} />;
  if (!state || !WORDS[state.phase]) return null;
  return (
    <p class="progress small" role="status">
      <label for="index-progress">{WORDS[state.phase]}</label>
      <progress id="index-progress" value={state.phase === "opening" ? undefined : state.share} />
      <span class="soft">{t("studio.index.meanwhile")}</span>
    </p>
  );
}
