/**
 * The editor of a task file. It lives in a shadow root: there its style sheets are constructed ones,
 * which the Content-Security-Policy allows.
 */

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  undo,
} from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentService,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { t } from "../../texts";
import { completing, hovering, type Known } from "./completion";
import { indentAfter } from "./place";
import type { Finding } from "./types";

export interface Listeners {
  onText: (text: string) => void;
  /** The cursor is in another line now. */
  onLine: (line: number) => void;
  onSave: () => void;
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--link)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.attributeValue], color: "var(--hue-1)" },
  { tag: [tags.number, tags.bool, tags.keyword], color: "var(--hue-3)" },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: "var(--soft)" },
]);

const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

const THEME = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--card)" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: MONO, lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    backgroundColor: "var(--card)",
    color: "var(--soft)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--user) 55%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--chosen)",
  },
  ".cm-selectionBackground": { backgroundColor: "var(--chosen)" },
  ".cm-selectionMatch": { backgroundColor: "var(--user)" },
  ".cm-placeholder": { color: "var(--soft)" },
  ".cm-tooltip": {
    maxWidth: "32rem",
    border: "1px solid var(--edge)",
    borderRadius: "8px",
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    boxShadow: "0 0.4rem 1.2rem var(--shade)",
  },
  ".cm-about, .cm-completionInfo": { padding: "0.35rem 0.6rem", maxWidth: "22rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.15rem 0.5rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "0.8" },
  ".cm-panels": { backgroundColor: "var(--page)", color: "var(--ink)" },
  ".cm-panels input, .cm-panels button": { color: "inherit", background: "var(--card)" },
  ".cm-diagnosticText": { fontFamily: "system-ui, sans-serif" },
});

export class Editor {
  readonly known: Known = { schema: null, names: {} };
  private readonly view: EditorView;
  private line = 1;

  constructor(host: HTMLElement, text: string, listeners: Listeners) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.replaceChildren();
    const changes = EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged) listeners.onText(state.doc.toString());
      const line = state.doc.lineAt(state.selection.main.head).number;
      if ((selectionSet || docChanged) && line !== this.line) {
        this.line = line;
        listeners.onLine(line);
      }
    });
    const saving = {
      key: "Mod-s",
      preventDefault: true,
      run: () => {
        listeners.onSave();
        return true;
      },
    };
    const keys = [
      saving,
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...defaultKeymap.filter(({ key }) => key !== "Ctrl-k"),
      indentWithTab,
    ];
    const state = EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        foldGutter(),
        history(),
        drawSelection(),
        indentUnit.of("  "),
        indentService.of((context, at) => indentAfter(context.lineAt(at, -1).text)),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        EditorView.lineWrapping,
        yaml(),
        syntaxHighlighting(COLOURS),
        autocompletion({ override: [completing(this.known)], icons: false }),
        hovering(this.known),
        placeholder(t("studio.editor.empty")),
        EditorView.contentAttributes.of({ "aria-label": t("studio.editor.about"), tabindex: "0" }),
        keymap.of(keys),
        THEME,
        changes,
      ],
    });
    this.view = new EditorView({ state, root, parent: root });
    const { contentDOM } = this.view;
    contentDOM.addEventListener(
      "keydown",
      ({ key, shiftKey }) => {
        // after the Escape that hides suggestions, Shift+Tab still takes indentation away
        if (key === "Tab" && shiftKey) this.view.setTabFocusMode(false);
      },
      true,
    );
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  undo(): void {
    undo(this.view);
  }

  /** Puts another text in, as one step that can be undone; the cursor stays where it can. */
  setText(text: string): void {
    const before = this.text;
    if (text === before) return;
    let from = 0;
    while (from < before.length && from < text.length && before[from] === text[from]) from += 1;
    let after = 0;
    const most = Math.min(before.length, text.length) - from;
    while (after < most && before.at(-1 - after) === text.at(-1 - after)) after += 1;
    this.view.dispatch({
      changes: { from, to: before.length - after, insert: text.slice(from, text.length - after) },
      annotations: isolateHistory.of("full"),
    });
  }

  mark(findings: Finding[]): void {
    const { doc } = this.view.state;
    this.view.dispatch(
      setDiagnostics(
        this.view.state,
        findings.map((each) => marked(doc, each)),
      ),
    );
  }

  goTo(line: number): void {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const indent = at.text.length - at.text.trimStart().length;
    this.view.dispatch({
      selection: { anchor: at.from + indent },
      effects: EditorView.scrollIntoView(at.from, { y: "center" }),
    });
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  close(): void {
    this.view.destroy();
  }
}

/** A finding from its column to the end of the word or text there. */
function marked(doc: Text, { line, column, severity, code, message }: Finding): Diagnostic {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(at.from + Math.max(column - 1, 0), at.to);
  const word = /^[^\s:,\]}]+/.exec(doc.sliceString(from, at.to))?.[0] ?? "";
  return {
    from,
    to: Math.min(from + Math.max(word.length, 1), at.to),
    severity: severity === "information" ? "info" : severity,
    source: code,
    message,
  };
}
