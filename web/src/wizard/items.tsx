/** The knowledge base's answer, and the item before the wizard. */

import { useEffect, useRef } from "preact/hooks";
import { useWire } from "../parts";
import type { Listed, WizardRoom } from "../state";
import { maybe, shown, spaced, t } from "../texts";

const KINDS = ["primary", "secondary"] as const;

/** Values that the query did not ask for come first: they are the answer. */
export function answered(room: WizardRoom, { api, item }: Listed): [string, unknown][] {
  const forms = room.tasks.flatMap(({ forms }) => forms.filter((form) => form.api === api));
  const asked = new Set(forms.flatMap(({ fields }) => fields.map(({ name }) => name)));
  return Object.entries(item).filter(([name, value]) => !asked.has(name) && there(value));
}

const there = (value: unknown): boolean => value !== null && value !== undefined && value !== "";

export function Items({ room }: { room: WizardRoom }) {
  // The newest query's first, each query's own in the order of its answer.
  const order = [...new Set(room.results.toReversed().flatMap((result) => result.items))];
  const items = order.flatMap((index) => room.items.filter((listed) => listed.index === index));
  const section = useRef<HTMLElement>(null);
  const before = useRef(room.results.length);
  const asked = room.results.length;
  // The result of a query may lie below the form.
  useEffect(() => {
    if (asked > before.current) section.current?.scrollIntoView({ block: "nearest" });
    before.current = asked;
  }, [asked]);
  return (
    <section class="card" ref={section}>
      <h2>{t("items.title")}</h2>
      {items.length === 0 && <p class="soft">{t("items.none")}</p>}
      <ol class="plain">
        {items.map((listed) => (
          <Row key={listed.index} listed={listed} room={room} />
        ))}
      </ol>
    </section>
  );
}

function Row({ listed, room }: { listed: Listed; room: WizardRoom }) {
  const wire = useWire();
  const { index, item } = listed;
  const yours = room.turn === "wizard";
  const first = answered(room, listed);
  const facts = Object.entries(item).filter(
    ([name, value]) => there(value) && !first.some(([each]) => each === name),
  );
  return (
    <li class={room.primary === index ? "item primary" : "item"}>
      <div class="row">
        <strong>{t("items.item", { number: index + 1 })}</strong>
        {KINDS.map((kind) => {
          const on = room[kind] === index;
          return (
            <button
              type="button"
              key={kind}
              class="small"
              aria-pressed={on}
              aria-disabled={!yours}
              onClick={() => yours && void wire.send("choose", { kind, item: on ? null : index })}
            >
              {t(`items.${kind}`)}
            </button>
          );
        })}
      </div>
      <dl class="facts">
        {[...first, ...facts].map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    </li>
  );
}

function Fact({ name, value }: { name: string; value: unknown }) {
  return (
    <>
      <dt>{spaced(name)}</dt>
      <dd dir="auto">
        {typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.entries(value).map(([part, each]) => (
              <span class="part" key={part}>
                <span class="soft">{maybe(`item.${part}`, spaced(part))}</span> {shown(each)}
              </span>
            ))
          : shown(value)}
      </dd>
    </>
  );
}
