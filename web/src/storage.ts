/** The browser's storage for a page; without storage it lives as long as the page. */

const AREAS = {
  /** The storage of one tab, over a reload. */
  tab: () => sessionStorage,
  /** The storage of the browser. */
  browser: () => localStorage,
};

export type Area = keyof typeof AREAS;

/** The storage; undefined where it is switched off. */
export function storage(area: Area): Storage | undefined {
  try {
    return AREAS[area]();
  } catch {
    return undefined;
  }
}

/** Values that the storage could not take. */
const held = new Map<string, string>();

const named = (area: Area, key: string): string => `${area}:${key}`;

export function kept(area: Area, key: string): string | null {
  return held.get(named(area, key)) ?? storage(area)?.getItem(`dialoom:${key}`) ?? null;
}

/** Keeps a text, or with null none any more. */
export function keep(area: Area, key: string, text: string | null): void {
  const place = storage(area);
  held.delete(named(area, key));
  try {
    if (text === null) place?.removeItem(`dialoom:${key}`);
    else if (place) place.setItem(`dialoom:${key}`, text);
    else held.set(named(area, key), text);
  } catch {
    held.set(named(area, key), text ?? ""); // it may be full
  }
}

/** The ends of the keys of a tab's kept texts that begin so. */
export function endings(start: string): string[] {
  const stored = Object.keys(storage("tab") ?? {}).filter((key) => key.startsWith("dialoom:"));
  return [...stored.map((key) => key.slice("dialoom:".length)), ...here()]
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length));
}

const here = () => [...held.keys()].flatMap((key) => (key.startsWith("tab:") ? key.slice(4) : []));
