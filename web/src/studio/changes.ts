/** Files that change on the disk while they are shown. */

import { useEffect, useRef } from "preact/hooks";

export interface Change {
  path: string;
  /** Whether the file is still there. */
  there: boolean;
}

/** Calls back whenever one of the files is written, made or removed. */
export function useChanges(paths: string[], onChange: (change: Change) => void): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  const watched = paths.join("\n");
  useEffect(() => {
    if (!watched) return;
    const asked = new URLSearchParams(watched.split("\n").map((path) => ["path", path]));
    const source = new EventSource(`/api/events?${asked}`);
    source.addEventListener("changed", ({ data }) => latest.current(JSON.parse(data) as Change));
    return () => source.close();
  }, [watched]);
}
