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
  /** Whether the keys of this list are on: the focus is in it. */
  onFocus: (inside: boolean) => void;
}

const REPLY = "button.reply";

export function Suggestions({ first, candidates, onPick, onEdit, onClose, onFocus }: Props) {
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
    <ol
      class="suggestions"
      aria-label={t("replies.title")}
      onKeyDown={keys}
      onFocusIn={() => onFocus(true)}
      onFocusOut={() => onFocus(false)}
    >
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
              <bdi>{candidate.text ?? candidate.id}</bdi>
              {candidate.permitted === false && <span class="label">{t("replies.off")}</span>}
            </span>
          </button>
          <button
            type="button"
            class="quiet small"
            title={t("replies.edit")}
            onClick={() => onEdit(candidate)}
          >
            <Pencil />
            <span class="heard">
              {t("replies.edit")}: {candidate.text ?? candidate.id}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

const Pencil = () => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M2 14l.8-3.4L11 2.4a1.4 1.4 0 0 1 2 0l.6.6a1.4 1.4 0 0 1 0 2L5.4 13.2z M9.6 3.8l2.6 2.6" />
  </svg>
);
