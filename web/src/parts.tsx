/** Small parts that several pages share. */

import { type ComponentChild, createContext, type RefObject } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "./dialog";
import { span, t } from "./texts";
import { title } from "./title";
import type { Wire } from "./wire";

export const WireContext = createContext<Wire | null>(null);

/** The connection; the component is drawn anew whenever something changed. */
export function useWire(): Wire {
  const wire = useContext(WireContext);
  if (!wire) throw new Error("no connection around this component");
  const [, draw] = useState(0);
  // Before anything else can come: a frame between drawing and subscribing would be missed.
  useLayoutEffect(() => wire.subscribe(() => draw((n) => n + 1)), [wire]);
  return wire;
}

/** Draws anew each second while `on`. */
export function useTick(on = true): void {
  const [, draw] = useState(0);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => draw((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [on]);
}

/** The time left until a moment of the server's clock. */
export function Countdown({ until }: { until: number }) {
  const wire = useWire();
  useTick();
  return (
    <span class="number" role="timer" aria-live="off">
      {span(until - wire.clock())}
    </span>
  );
}

/**
 * A text that is no longer needed once the dialogue has begun folds away then, in windows that
 * match; it opens at a touch.
 */
export function useFolded(windows: string): [boolean, (open: boolean) => void] {
  const { events } = useWire();
  const begun = events.some(({ event }) => event.kind === "say");
  const [open, setOpen] = useState(true);
  useEffect(() => {
    const query = matchMedia(windows);
    const fold = () => begun && setOpen(!query.matches);
    if (query.matches) fold();
    query.addEventListener("change", fold);
    return () => query.removeEventListener("change", fold);
  }, [begun]);
  return [open, setOpen];
}

/** A piece of a page that is read, with its texts, when it is wanted; nothing until it is there. */
export function lazy<M extends object, P extends object>(
  load: () => Promise<M>,
  piece: (module: M) => (shown: P) => ComponentChild,
) {
  return (shown: P) => {
    const [Loaded, setLoaded] = useState<((shown: P) => ComponentChild) | null>(null);
    useEffect(() => {
      void load().then(async (module) => {
        if ("ready" in module) await module.ready;
        setLoaded(() => piece(module));
      });
    }, []);
    return Loaded && <Loaded {...shown} />;
  };
}

/** Shows whose turn it is in the window's title, and puts the keyboard where it is needed. */
export function useTurn(yours: boolean, field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    title(t(yours ? "room.title.yours" : "room.title"));
    const { activeElement } = document;
    const lost = activeElement === document.body || activeElement === null;
    const used = activeElement?.closest("input, select, textarea, dialog");
    if (lost || (yours && !used)) field.current?.focus();
  }, [yours]);
}

/** Sets the window's title, and puts the keyboard's focus on the heading of a new page. */
export function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // with the drawing and not after it: a key pressed in between would lose its focus to the heading
  useLayoutEffect(() => {
    title(children);
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [children]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  yes: string;
  onYes: () => void;
  onClose: () => void;
}

export function Confirm({ title, text, yes, onYes, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="row">
        <button type="button" onClick={onClose}>
          {t("back")}
        </button>
        <button type="button" class="main" onClick={onYes}>
          {yes}
        </button>
      </div>
    </Dialog>
  );
}

/** The button that leaves, after a question. */
export function Leave({ text, label }: { text: string; label?: string }) {
  const wire = useWire();
  const [asked, setAsked] = useState(false);
  if (!wire.state?.can_leave) return null;
  return (
    <>
      <button type="button" class="quiet small" onClick={() => setAsked(true)}>
        {label ?? t("leave")}
      </button>
      {asked && (
        <Confirm
          title={t("leave.title")}
          text={text}
          yes={label ?? t("leave")}
          onYes={() => {
            setAsked(false);
            void wire.send("leave");
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

/** A line that is a picture, such as ![A chart](https://…), as one; null for others. */
function picture(line = ""): ComponentChild {
  const [, words, address] = /^!\[([^\]]*)\]\((\S+)\)\s*$/.exec(line) ?? [];
  return address === undefined ? null : <img class="picture" src={address} alt={words} />;
}

/** A task's text: lines with a dash become a list of what is known, others may be pictures. */
export function TaskText({ text }: { text: string }) {
  const blocks: { facts: boolean; lines: string[] }[] = [];
  for (const line of text.split("\n").filter((each) => each.trim())) {
    const facts = line.startsWith("- ");
    const last = blocks.at(-1);
    if (last && last.facts === facts && facts) last.lines.push(line.slice(2));
    else blocks.push({ facts, lines: [facts ? line.slice(2) : line] });
  }
  return (
    <div class="task-text">
      {blocks.map((block) =>
        block.facts ? (
          <dl class="facts">
            {block.lines.map((line) => {
              const [name, ...value] = line.split(": ");
              return (
                <>
                  <dt>{name}</dt>
                  <dd>{value.join(": ")}</dd>
                </>
              );
            })}
          </dl>
        ) : (
          (picture(block.lines[0]) ?? <p dir="auto">{block.lines[0]}</p>)
        ),
      )}
    </div>
  );
}

/** Says something to screen readers when it changes, or says it anew when `mark` does. */
export function Announce({ text, mark }: { text: string; mark?: number | undefined }) {
  return (
    <div class="heard" role="status" aria-live="polite">
      <span key={mark}>{text}</span>
    </div>
  );
}

/** A text that is copied by a button; without a clipboard it is selected. */
export function Copy({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
    } catch {
      if (code.current) getSelection()?.selectAllChildren(code.current);
    }
  };
  return (
    <div class="row">
      <span class="code" translate={false} ref={code}>
        {text}
      </span>
      <button type="button" class="main" onClick={() => void copy()}>
        {label}
      </button>
      <span role="status">{done ? t("copied") : ""}</span>
    </div>
  );
}

/** How much of something is done, as a bar; the text next to it says the same. */
export function Meter({ share }: { share: number }) {
  const width = `${100 * Math.min(1, Math.max(0, share))}%`;
  return (
    <svg class="meter" aria-hidden="true">
      <rect class="rest" width="100%" height="100%" rx="4" />
      <rect class="done" width={width} height="100%" rx="4" />
    </svg>
  );
}
