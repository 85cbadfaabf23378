/** The heading of a view, and the list of what it can open. */

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { currentLanguage, t } from "../texts";
import { href } from "./address";
import type { Entry } from "./folder";

let opened = false;

/** The heading, which is the window's title too; it takes the focus that went with another view. */
export function Title({ children, hidden }: { children: string; hidden?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (opened && document.activeElement === document.body) heading.current?.focus();
    opened = true;
  }, []);
  useLayoutEffect(() => {
    document.title = `${children} · dialoom studio`;
  }, [children]);
  return (
    <h1 class={hidden ? "heard" : ""} ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

export const ago = (seconds: number): string => {
  const days = (Date.now() / 1000 - seconds) / 86_400;
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: "auto" });
  if (days < 1 / 24) return format.format(-Math.round(days * 1440), "minute");
  return days < 1
    ? format.format(-Math.round(days * 24), "hour")
    : format.format(-Math.round(days), "day");
};

/** Why something has failed, if it has. */
export function Problem({ what }: { what: string }) {
  return (
    what && (
      <p class="notice bad" role="alert">
        {what}
      </p>
    )
  );
}

export const described = ({ kind, name }: Entry): string => t(`studio.kind.${kind}`, { name });

/** The entries of a view; `note` comes in place of a description. */
export function Entries({ entries }: { entries: (Entry & { note?: string })[] }) {
  if (!entries.length) return <p class="soft">{t("studio.nothing")}</p>;
  return (
    <ul class="entries plain">
      {entries.map((entry) => {
        const { path, view, changed, note } = entry;
        const cut = path.lastIndexOf("/") + 1;
        return (
          <li key={path}>
            <a href={href(view, path)}>
              <span class="soft">{path.slice(0, cut)}</span>
              <span class="name">{path.slice(cut)}</span>
            </a>
            <span class="soft small">
              {note ?? described(entry)}, {ago(changed)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
