/** Keys of a page. */

import { useLayoutEffect } from "preact/hooks";

/** Keys that do something on a page while nobody types, from the moment that it is drawn. */
export function useKeys(keys: Record<string, () => void>): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, altKey, metaKey } = event;
      const types = (target as Element).closest(
        "input:not([type=checkbox]), select, textarea, dialog",
      );
      const act = keys[key];
      if (!act || types || ctrlKey || altKey || metaKey) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}
