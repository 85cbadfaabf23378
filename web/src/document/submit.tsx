/** Handing in a document, and what it still lacks. */

import { useState } from "preact/hooks";
import { Problem, unsaved } from "../fields";
import { Announce, Meter, useWire } from "../parts";
import { type Key, maybe, reason, t } from "../texts";
import type { DocumentUnit } from "./state";

interface Props {
  unit: DocumentUnit;
  saved: boolean;
  /** Said where nothing is lacking. */
  ready: Key;
  /** Shows the part that a lack is about. */
  onShow?: (part: string) => void;
}

export function Submit({ unit, saved, ready, onShow }: Props) {
  const wire = useWire();
  const [problem, setProblem] = useState<string | null>(null);
  const [blocked, setBlocked] = useState(false);
  const [typed] = unsaved(unit.number);
  const [first] = unit.problems;
  const on = !first && saved;
  const submit = async () => {
    if (first) {
      if (first.part !== null) onShow?.(first.part);
      return;
    }
    const [part] = unsaved(unit.number);
    setBlocked(part !== undefined);
    if (part !== undefined) onShow?.(part);
    if (!on || part !== undefined) return;
    const answer = await wire.send("submit");
    if (!answer.ok) setProblem(reason(answer.refusal));
  };
  const count = String(unit.problems.length);
  const why = first
    ? maybe(`document.lacks.${first.code}`, "").replace("{count}", count)
    : t(saved ? ready : "document.saving");
  return (
    <section class="card finish">
      <ItemOf />
      <button
        type="button"
        id="submit"
        class={on ? "main" : ""}
        aria-disabled={!on}
        onClick={() => void submit()}
      >
        {t("document.submit")}
        <small id="submit-why">{why}</small>
      </button>
      <Announce text={why} />
      <Problem text={blocked && typed !== undefined ? t("text.unsaved") : problem} />
    </section>
  );
}

/** The place of the item at hand in an assignment of several. */
function ItemOf() {
  const items = useWire().state?.items;
  if (!items || items.wanted < 2) return null;
  const { done, wanted } = items;
  return (
    <div class="items small" role="status">
      {t("document.item", { number: done + 1, wanted })}
      <Meter share={done / wanted} />
    </div>
  );
}

/** Whether the guidelines fit next to the work. */
export const wide = (): boolean => !matchMedia("(max-width: 46rem)").matches;
