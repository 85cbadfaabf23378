/** What a browser keeps for a page; without storage it lives as long as the page. */

const AREAS = {
  /** Of one tab, over a reload. */
  tab: () => sessionStorage,
  /** Of the browser. */
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

export function kept(area: Area, key: string): string | null {
  return storage(area)?.getItem(`dialoom:${key}`) ?? null;
}

export function keep(area: Area, key: string, text: string): void {
  try {
    storage(area)?.setItem(`dialoom:${key}`, text);
  } catch {
    // It may be full.
  }
}
