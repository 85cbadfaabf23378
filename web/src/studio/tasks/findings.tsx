/** Findings as a list; each leads to its line. */

import { t } from "../../texts";
import type { Finding } from "./types";

const SIGNS = { error: "✕", warning: "!", information: "i" };

interface Props {
  findings: Finding[];
  onLine: (line: number, pointer: string) => void;
}

export function Findings({ findings, onLine }: Props) {
  return (
    <ul class="findings plain">
      {findings.map(({ code, severity, line, column, message, pointer }) => (
        <li key={`${code}${line}:${column}${message}`}>
          <button type="button" class="quiet" onClick={() => onLine(line, pointer)}>
            <span class={`sign ${severity}`} aria-hidden="true">
              {SIGNS[severity]}
            </span>
            <span>
              <span class="soft number">
                <span class="heard">{severity}, </span>
                {t("studio.line", { number: line })}
              </span>{" "}
              {message} <span class="soft small">{code}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function counted(findings: Finding[]): string {
  const parts = (["error", "warning", "information"] as const).flatMap((severity) => {
    const count = findings.filter((each) => each.severity === severity).length;
    return count ? [t(`studio.${count === 1 ? "one" : "many"}.${severity}`, { count })] : [];
  });
  return parts.join(", ") || t("studio.findings.none");
}
