/** The ranked replies: numbers, or arrows and Enter, pick; E changes the text; Escape goes back. */

import type { RefObject } from "preact";
import type { Candidate } from "../state";
import { t } from "../texts";

interface Props {
  /** The first reply, for whoever wants to put the focus on it. */
  first: RefObject<HTMLButtonElement | null>;
  candidates: Candidate[];
  onPick: (candidate: Candidate) => void;
  onEdit: (candidate: Candidate) => void;
  onClose: () => void;
}

const REPLY = "button.reply";

export function Suggestions({ first, candidates, onPick, onEdit, onClose }: Props) {
  const keys = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const replies = [...event.currentTarget.querySelectorAll<HTMLElement>(REPLY)];
    const target = event.target as HTMLElement;
    const place = replies.findIndex((reply) => target.closest("li")?.contains(reply));
    const numbered = candidates[Number(event.key) - 1];
    const here = candidates[place];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowDown") replies[(place + 1) % replies.length]?.focus();
    else if (event.key === "ArrowUp") replies.at(place - 1)?.focus();
    else if (event.key === "Escape") onClose();
    else if (event.key.toLowerCase() === "e" && here) onEdit(here);
    else if (numbered) onPick(numbered);
    else return;
    event.preventDefault();
  };
  if (candidates.length === 0) return <p class="soft small">{t("replies.none")}</p>;
  return (
    <ol class="suggestions" aria-label={t("replies.title")} onKeyDown={keys}>
      {candidates.map((candidate, place) => (
        <li key={candidate.id} class="suggestion">
          <button
            type="button"
            class="reply"
            ref={place === 0 ? first : undefined}
            aria-keyshortcuts={String(place + 1)}
            onClick={() => onPick(candidate)}
          >
            <span class="key" aria-hidden="true">
              {place + 1}
            </span>
            <span class="text">
              {candidate.text ?? candidate.id}
              <span class="label">
                {candidate.id}
                {candidate.permitted === false && ` · ${t("replies.off")}`}
              </span>
            </span>
          </button>
          <button type="button" class="quiet small" onClick={() => onEdit(candidate)}>
            {t("replies.edit")}
            <span class="heard"> {candidate.text ?? candidate.id}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
