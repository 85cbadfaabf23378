/** The states of services after a user's line: what is wanted, what was said, what is asked for. */

import { useState } from "preact/hooks";
import { t } from "../texts";
import { AddingTo, Choice, plainly, ValueField } from "./chips";
import type { MarkedState, Marks, Services } from "./state";
import { actName, type Labels } from "./words";

interface Props {
  marks: Marks;
  services: Services;
  labels: Labels;
  /** The characters of the line that are chosen. */
  chosen: string;
  onChange: (marks: Marks) => void;
}

export function States({ marks, services, labels, chosen, onChange }: Props) {
  const names = Object.keys(services);
  const [service, setService] = useState(marks.states[0]?.service ?? names[0] ?? "");
  const [slot, setSlot] = useState("");
  const [value, setValue] = useState("");
  const choices = services[service];
  if (!choices) return null;
  const listed = (choices.slots[slot] ?? []).map(String);
  const held = marks.states.find((each) => each.service === service) ?? { service };

  const put = (state: MarkedState) => onChange({ ...marks, states: others(marks, state) });
  const turn = (to: string) => {
    setService(to);
    setSlot("");
    setValue("");
  };
  /** A slot with listed values: one of these is chosen. */
  const said = (value || (listed.length ? "" : chosen)).trim();
  const named = (name: string) => labels.name(`${service}.${name}`);
  /** Replaces the values of the slot, or adds one. */
  const set = (adds: boolean) => {
    if (!slot || !said) return;
    const kept = adds ? (held.values?.[slot] ?? []) : [];
    put({ ...held, values: { ...held.values, [slot]: [...new Set([...kept, said])] } });
    setSlot("");
    setValue("");
  };
  const ask = () => {
    if (slot) put({ ...held, requested: [...new Set([...asked(held), slot])] });
    setSlot("");
  };
  return (
    <AddingTo
      name="annotate.states"
      onAdd={() => set(false)}
      pieces={marks.states.flatMap((each) => pieces(each, put, labels))}
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
          options={[
            { value: "", text: t("annotate.intent.none") },
            ...choices.intents.map((each) => ({ value: each, text: actName(each) })),
          ]}
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
          options={[
            { value: "", text: t("annotate.state.choose") },
            ...Object.keys(choices.slots).map((each) => ({ value: each, text: named(each) })),
          ]}
          onChange={(to) => {
            setSlot(to);
            setValue("");
          }}
        />
        <ValueOf {...{ listed, value, setValue, chosen }} />
        <button type="submit" aria-disabled={!slot || !said}>
          {slot ? t(said ? "annotate.set" : "annotate.set.value") : t("annotate.set.slot")}
        </button>
        {listed.length === 0 && said && held.values?.[slot] && (
          <button type="button" onClick={() => set(true)}>
            {t("annotate.alternative")}
          </button>
        )}
        {slot && (
          <button type="button" onClick={ask}>
            {t("annotate.ask")}
          </button>
        )}
      </div>
    </AddingTo>
  );
}

interface ValueProps {
  /** The values of a slot that lists them. */
  listed: string[];
  value: string;
  setValue: (value: string) => void;
  chosen: string;
}

function ValueOf({ listed, value, setValue, chosen }: ValueProps) {
  if (listed.length)
    return (
      <Choice
        id="state-value"
        name={t("annotate.value")}
        value={value}
        options={[{ value: "", text: t("annotate.value") }, ...plainly(listed)]}
        onChange={setValue}
      />
    );
  return (
    <ValueField
      id="state-value"
      value={value}
      placeholder={chosen || t("annotate.value.chosen")}
      onChange={setValue}
    />
  );
}

const asked = (state: MarkedState): string[] => state.requested ?? [];

/** All states, one of them as it is now; one that says nothing is left out. */
function others({ states }: Marks, state: MarkedState): MarkedState[] {
  const empty = !state.intent && !asked(state).length && !Object.keys(state.values ?? {}).length;
  const rest = states.filter((each) => each.service !== state.service);
  return empty ? rest : [...rest, state];
}

function pieces(state: MarkedState, put: (state: MarkedState) => void, labels: Labels) {
  const values = Object.entries(state.values ?? {});
  const named = (slot: string) => labels.name(`${state.service}.${slot}`);
  return [
    ...values.map(([slot, said]) => ({
      text: `${named(slot)} = ${said.join(" / ")}`,
      remove: () =>
        put({ ...state, values: Object.fromEntries(values.filter(([name]) => name !== slot)) }),
    })),
    ...asked(state).map((slot) => ({
      text: t("annotate.asked", { slot: named(slot) }),
      remove: () => put({ ...state, requested: asked(state).filter((name) => name !== slot) }),
    })),
  ];
}

/** A state as text. */
export function stateText(state: MarkedState, labels: Labels): string {
  const all = pieces(state, () => {}, labels).map(({ text }) => text);
  return [state.intent ? actName(state.intent) : t("annotate.intent.none"), ...all].join(", ");
}
