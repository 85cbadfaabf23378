/** How far a corpus is indexed: streamed by the server, which also looks for changed files. */

import { useEffect, useState } from "preact/hooks";
import { t } from "../../texts";
import { asked, type IndexState } from "./types";

const WORDS: Record<IndexState["phase"], string> = {
  opening: t("studio.index.opening"),
  reading: t("studio.index.reading"),
  checking: t("studio.index.checking"),
  done: "",
  failed: "",
};

export function useIndex(path: string): IndexState | null {
  const [state, setState] = useState<IndexState | null>(null);
  useEffect(() => {
    setState(null);
    const source = new EventSource(`/api/corpora/progress?${asked({ path })}`);
    source.addEventListener("index", ({ data }) => setState(JSON.parse(data) as IndexState));
    return () => source.close();
  }, [path]);
  return state;
}

export function Progress({ state }: { state: IndexState | null }) {
  if (state?.phase === "failed")
    return (
      <p class="notice bad" role="alert">
        {state.what}
      </p>
    );
  if (!state || !WORDS[state.phase]) return null;
  return (
    <p class="progress small" role="status">
      <label for="index-progress">{WORDS[state.phase]}</label>
      <progress id="index-progress" value={state.phase === "opening" ? undefined : state.share} />
      <span class="soft">{t("studio.index.meanwhile")}</span>
    </p>
  );
}
