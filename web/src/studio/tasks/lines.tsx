/** The lines of a dialogue; each leads to the node of the flow that it came from. */

import type { ComponentChildren } from "preact";
import type { Line, Names } from "./types";

interface Props {
  lines: Line[];
  names: Names;
  /** Texts to mark as new. */
  fresh?: Set<string> | undefined;
  onLine: (line: number) => void;
  /** Adds something below a line. */
  below?: (line: Line) => ComponentChildren;
}

export function Lines({ lines, names, fresh, onLine, below }: Props) {
  return (
    <ol class="lines plain">
      {lines.map((line) => {
        const at = line.node === null ? undefined : names.flow?.[line.node];
        const said = line.kind === "utterance";
        const kind = said ? line.speaker : "call";
        return (
          <li key={line.index} class={`${kind} ${fresh?.has(line.text) ? "fresh" : ""}`}>
            <span class="heard">{line.speaker}: </span>
            <span class="words" dir="auto">
              {said || line.speaker === "user" ? line.text : <code>{line.text}</code>}
            </span>
            {at !== undefined && (
              <button type="button" class="quiet node" onClick={() => onLine(at)}>
                {line.node}
              </button>
            )}
            {below?.(line)}
          </li>
        );
      })}
    </ol>
  );
}
