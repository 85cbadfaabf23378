/** The states of services after a user's line: what is wanted, what was said, what is asked for. */

import { useState } from "preact/hooks";
import { t } from "../texts";
import { AddingTo, Choice, plainly, ValueField } from "./chips";
import type { MarkedState, Marks, Services } from "./state";

interface Props {
  marks: Marks;
  services: Services;
  /** The characters of the line that are chosen. */
  chosen: () => string;
  onChange: (marks: Marks) => void;
}

export function States({ marks, services, chosen, onChange }: Props) {
  const names = Object.keys(services);
  const [service, setService] = useState(marks.states[0]?.service ?? names[0] ?? "");
  const [slot, setSlot] = useState(Object.keys(services[service]?.slots ?? {})[0] ?? "");
  const [value, setValue] = useState("");
  const choices = services[service];
  if (!choices) return null;
  const listed = (choices.slots[slot] ?? []).map(String);
  const held = marks.states.find((each) => each.service === service) ?? { service };

  const put = (state: MarkedState) => onChange({ ...marks, states: others(marks, state) });
  const turn = (to: string) => {
    setService(to);
    setSlot(Object.keys(services[to]?.slots ?? {})[0] ?? "");
    setValue("");
  };
  /** Replaces the values of the slot, or adds one. */
  const set = (adds: boolean) => {
    const said = (value || (listed[0] ?? chosen())).trim();
    const kept = adds ? (held.values?.[slot] ?? []) : [];
    if (said) put({ ...held, values: { ...held.values, [slot]: [...new Set([...kept, said])] } });
    setValue("");
  };
  return (
    <AddingTo
      name="annotate.states"
      onAdd={() => set(false)}
      pieces={marks.states.flatMap((each) => pieces(each, put, `${each.service}: `))}
    >
      <div class="row">
        {names.length > 1 && (
          <Choice
            id="service"
            name={t("annotate.service")}
            value={service}
            options={plainly(names)}
            onChange={turn}
          />
        )}
        <Choice
          id="intent"
          name={t("annotate.intent")}
          value={held.intent ?? ""}
          options={[{ value: "", text: t("annotate.intent.none") }, ...plainly(choices.intents)]}
          onChange={(intent) => {
            const { intent: _, ...rest } = held;
            put(intent ? { ...rest, intent } : rest);
          }}
        />
      </div>
      <div class="row">
        <Choice
          id="state-slot"
          name={t("annotate.state.slot")}
          value={slot}
          options={plainly(Object.keys(choices.slots))}
          onChange={(to) => {
            setSlot(to);
            setValue("");
          }}
        />
        {listed.length ? (
          <Choice
            id="state-value"
            name={t("annotate.value")}
            value={value || (listed[0] ?? "")}
            options={plainly(listed)}
            onChange={setValue}
          />
        ) : (
          <ValueField
            id="state-value"
            value={value}
            placeholder={t("annotate.value.chosen")}
            onChange={setValue}
          />
        )}
        <button type="submit">{t("annotate.set")}</button>
        {listed.length === 0 && held.values?.[slot] && (
          <button type="button" onClick={() => set(true)}>
            {t("annotate.alternative")}
          </button>
        )}
        <button
          type="button"
          onClick={() => put({ ...held, requested: [...new Set([...asked(held), slot])] })}
        >
          {t("annotate.ask")}
        </button>
      </div>
    </AddingTo>
  );
}

const asked = (state: MarkedState): string[] => state.requested ?? [];

/** All states, one of them as it is now; one that says nothing is left out. */
function others({ states }: Marks, state: MarkedState): MarkedState[] {
  const empty = !state.intent && !asked(state).length && !Object.keys(state.values ?? {}).length;
  const rest = states.filter((each) => each.service !== state.service);
  return empty ? rest : [...rest, state];
}

function pieces(state: MarkedState, put: (state: MarkedState) => void, whose: string) {
  const values = Object.entries(state.values ?? {});
  return [
    ...values.map(([slot, said]) => ({
      text: `${whose}${slot} = ${said.join(" / ")}`,
      remove: () =>
        put({ ...state, values: Object.fromEntries(values.filter(([name]) => name !== slot)) }),
    })),
    ...asked(state).map((slot) => ({
      text: t("annotate.asked", { slot: `${whose}${slot}` }),
      remove: () => put({ ...state, requested: asked(state).filter((name) => name !== slot) }),
    })),
  ];
}

/** A state as text. */
export function stateText(state: MarkedState): string {
  const all = pieces(state, () => {}, "").map(({ text }) => text);
  return [`${state.service}: ${state.intent ?? t("annotate.intent.none")}`, ...all].join(", ");
}
