/** The text of a file between the editor and the disk. Nothing is written but by `save`. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get, post, Refusal } from "../../api";
import { useChanges } from "../changes";
import { reason } from "../reason";

interface Content {
  text: string;
  /** The digest of the file on the disk; "" where there is none. */
  tag: string;
}

/** Texts that are not saved, by file: they outlast other views of the page. */
const drafts = new Map<string, { text: string; disk: Content }>();

export const unsaved = (path: string): boolean => drafts.has(path);

addEventListener("beforeunload", (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export interface EditedFile {
  /** The text as it is in the editor; null until it is there. */
  text: string | null;
  dirty: boolean;
  saving: boolean;
  /** The file after another program's change, while the text here is not saved. */
  other: Content | null;
  failure: string;
  /** A text to put into the editor: it grows with each. */
  given: { text: string; number: number } | null;
  edit: (text: string) => void;
  save: () => Promise<void>;
  /** Takes the other program's text, or keeps this one. */
  resolve: (mine: boolean) => void;
}

export function useEditedFile(view: "tasks" | "studies", path: string, template = ""): EditedFile {
  const [text, setText] = useState<string | null>(null);
  const [disk, setDisk] = useState<Content | null>(null);
  const [other, setOther] = useState<Content | null>(null);
  const [failure, setFailure] = useState("");
  const [saving, setSaving] = useState(false);
  const [given, setGiven] = useState<EditedFile["given"]>(null);
  const now = useRef({ text, disk });
  now.current = { text, disk };

  const fetched = useCallback(
    () => get<Content>(`/api/${view}/file?${new URLSearchParams({ path, template })}`),
    [view, path, template],
  );
  const give = useCallback((content: Content, shown: string) => {
    now.current = { text: shown, disk: content };
    setDisk(content);
    setText(shown);
    setOther(null);
    setFailure("");
    setGiven((before) => ({ text: shown, number: (before?.number ?? 0) + 1 }));
  }, []);

  /** Takes up what is on the disk; edits of this page stay, with the other text next to them. */
  const takeUp = useCallback(async () => {
    try {
      const content = await fetched();
      const { text: mine, disk: known } = now.current;
      if (content.tag === known?.tag) return;
      if (mine === null || known === null || mine === known.text || mine === content.text) {
        give(content, content.text);
      } else setOther(content);
    } catch (error) {
      setFailure(reason(error));
    }
  }, [fetched, give]);

  useEffect(() => {
    const draft = drafts.get(path);
    if (draft) give(draft.disk, draft.text);
    void takeUp();
  }, [path, give, takeUp]);
  useChanges([path], () => void takeUp());

  const dirty = text !== null && disk !== null && (text !== disk.text || disk.tag === "");
  useEffect(() => {
    if (dirty && text !== null && disk) drafts.set(path, { text, disk });
    else if (text !== null) drafts.delete(path);
  }, [path, dirty, text, disk]);

  const save = useCallback(async () => {
    const { text: mine, disk: known } = now.current;
    if (mine === null || known === null) return;
    setSaving(true);
    try {
      const { tag } = await post<{ tag: string }>(`/api/${view}/save`, {
        path,
        text: mine,
        tag: known.tag,
      });
      setDisk({ text: mine, tag });
      now.current = { ...now.current, disk: { text: mine, tag } };
      setFailure("");
    } catch (error) {
      if (error instanceof Refusal && error.code === "changed") await takeUp();
      else setFailure(reason(error));
    } finally {
      setSaving(false);
    }
  }, [view, path, takeUp]);

  const edit = (typed: string) => {
    now.current = { ...now.current, text: typed };
    setText(typed);
  };
  const resolve = (mine: boolean) => {
    if (!other) return;
    if (mine) {
      setDisk(other);
      setOther(null);
    } else give(other, other.text);
  };
  return {
    text,
    dirty,
    saving,
    other,
    failure,
    given,
    edit,
    save,
    resolve,
  };
}
