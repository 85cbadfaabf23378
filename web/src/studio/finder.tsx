/** Goes to any file of the folder by a part of its name (Ctrl+K). */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../dialog";
import { t } from "../texts";
import { go } from "./address";
import { described } from "./entries";
import type { Entry } from "./folder";

const MOST = 12;

/** Entries whose path has all the typed words, those with them in the name first. */
function matches(entries: Entry[], typed: string): Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const named = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const fit = entries.filter(
    ({ path, view }) => view && words.every((word) => path.toLowerCase().includes(word)),
  );
  const rank = ({ path }: Entry) => (words.every((word) => named(path).includes(word)) ? 0 : 1);
  return fit.sort((one, other) => rank(one) - rank(other)).slice(0, MOST);
}

interface Props {
  entries: Entry[];
  /** Files that other programs have written are wanted too. */
  onOpen: () => void;
}

export function Finder({ entries, onOpen }: Props) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (open) onOpen();
  }, [open, onOpen]);
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return (
    <>
      <button type="button" class="small find" onClick={() => setOpen(true)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="6.5" cy="6.5" r="4.5" />
          <path d="M10 10l4.5 4.5" />
        </svg>
        <span>{t("studio.find")}</span> <kbd>Ctrl K</kbd>
      </button>
      {open && <Search entries={entries} onClose={() => setOpen(false)} />}
    </>
  );
}

function Search({ entries, onClose }: { entries: Entry[]; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const shown = matches(entries, typed);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    go(entry.view, entry.path);
  };
  const pressed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((now) => Math.min(Math.max(now + step, 0), shown.length - 1));
    else if (event.key === "Enter") choose(shown[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("studio.find.title")} onClose={onClose}>
      <input
        ref={field}
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: only with a list would it be one by itself
        role="combobox"
        aria-label={t("studio.find.part")}
        aria-expanded="true"
        aria-controls="finder-found"
        list={undefined}
        aria-activedescendant={shown[at] && `finder-${at}`}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={pressed}
      />
      <div id="finder-found" role="listbox" aria-label={t("studio.files")} class="found">
        {shown.map((entry, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          <div
            key={entry.path}
            id={`finder-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            onClick={() => choose(entry)}
          >
            {entry.path} <span class="soft small">{described(entry)}</span>
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="soft small">{t("studio.find.none")}</p>}
    </Dialog>
  );
}
