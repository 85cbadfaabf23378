"""Schema-guided dialogues (SGD): several services in one dialogue, carried state, calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    Dialogue,
    Event,
    Layer,
    Part,
    Query,
    Result,
    Span,
    State,
    Utterance,
    decode,
    encode,
)
from dialoom.dialogue.views import state_at

Json = dict[str, Any]
RAW: Json = json.loads(Path(__file__).with_name("data").joinpath("sgd.json").read_text())[0]
NO_INTENT = "NONE"


def from_json(raw: Json) -> Dialogue:
    events: list[Event] = []
    for turn in raw["turns"]:
        for frame in turn["frames"]:
            events += read_call(frame, str(len(events)))
        parts = tuple(read_part(frame) for frame in turn["frames"])
        agent = USER if turn["speaker"] == "USER" else SYSTEM
        events.append(Utterance(agent=agent, text=turn["utterance"], layers=(Layer(GOLD, parts),)))
    return Dialogue(id=raw["dialogue_id"], services=tuple(raw["services"]), events=tuple(events))


def read_call(frame: Json, number: str) -> Iterator[Event]:
    if call := frame.get("service_call"):
        constraints = tuple(Constraint(k, "equal", (v,)) for k, v in call["parameters"].items())
        service = frame["service"]
        yield Query(id=number, api=call["method"], service=service, constraints=constraints)
        yield Result(query=number, items=tuple(frame["service_results"]))


def read_part(frame: Json) -> Part:
    state = frame.get("state")
    return Part(
        service=frame["service"],
        acts=tuple(read_act(action) for action in frame["actions"]),
        spans=tuple(Span(s["start"], s["exclusive_end"], (s["slot"],)) for s in frame["slots"]),
        state=None if state is None else read_state(state),
    )


def read_act(action: Json) -> Act:
    if not action["slot"]:
        return Act(action["act"])
    values, canonical = tuple(action["values"]), tuple(action["canonical_values"])
    differs = None if values == canonical else canonical
    return Act(action["act"], (Argument(action["slot"], values, differs),))


def read_state(state: Json) -> State:
    return State(
        intent=None if state["active_intent"] == NO_INTENT else state["active_intent"],
        requested=tuple(state["requested_slots"]),
        values={slot: tuple(variants) for slot, variants in state["slot_values"].items()},
    )


def to_json(dialogue: Dialogue) -> Json:
    turns: list[Json] = []
    calls: dict[str | None, tuple[Query, Result]] = {}
    results = {e.query: e for e in dialogue.events if isinstance(e, Result)}
    for event in dialogue.events:
        if isinstance(event, Query):
            calls[event.service] = (event, results[event.id])
        elif isinstance(event, Utterance):
            frames = [write_part(p) | write_call(calls, p.service) for p in event.layers[0].parts]
            speaker = "USER" if event.agent == USER else "SYSTEM"
            turns.append({"frames": frames, "speaker": speaker, "utterance": event.text})
            calls = {}
    return {"dialogue_id": dialogue.id, "services": list(dialogue.services), "turns": turns}


def write_call(calls: dict[str | None, tuple[Query, Result]], service: str | None) -> Json:
    if service not in calls:
        return {}
    query, result = calls[service]
    parameters = {constraint.slot: constraint.value for constraint in query.constraints}
    return {
        "service_call": {"method": query.api, "parameters": parameters},
        "service_results": list(result.items),
    }


def write_part(part: Part) -> Json:
    spans = [
        {"exclusive_end": span.end, "slot": span.labels[0], "start": span.start}
        for span in part.spans or ()
    ]
    actions = [write_act(act) for act in part.acts or ()]
    frame = {"actions": actions, "service": part.service, "slots": spans}
    return frame if part.state is None else frame | {"state": write_state(part.state)}


def write_act(act: Act) -> Json:
    argument = act.arguments[0] if act.arguments else Argument("")
    canonical = argument.values if argument.canonical is None else argument.canonical
    return {
        "act": act.name,
        "canonical_values": list(canonical),
        "slot": argument.slot,
        "values": list(argument.values),
    }


def write_state(state: State) -> Json:
    return {
        "active_intent": state.intent or NO_INTENT,
        "requested_slots": list(state.requested),
        "slot_values": {slot: list(variants) for slot, variants in state.values.items()},
    }


def test_there_and_back() -> None:
    assert to_json(from_json(RAW)) == RAW


def test_there_and_back_through_a_native_line() -> None:
    line = encode(from_json(RAW))
    # The same bytes: order of keys included, since one parser and printer made both.
    assert json.dumps(to_json(decode(line)), sort_keys=True) == json.dumps(RAW, sort_keys=True)
    assert b'"extra"' not in line


def test_one_changed_word_changes_that_word_only() -> None:
    line = encode(from_json(RAW))
    assert line.count(b"Never mind") == 1
    changed = to_json(decode(line.replace(b"Never mind", b"No matter")))
    assert json.dumps(changed) == json.dumps(to_json(from_json(RAW))).replace(
        "Never mind", "No matter"
    )


def test_one_changed_canonical_value_changes_that_value_only() -> None:
    dialogue = from_json(RAW)
    line = encode(dialogue)
    assert line.count(b'"canonical":["7.5"]') == 1
    changed = to_json(decode(line.replace(b'"canonical":["7.5"]', b'"canonical":["7.50"]')))
    assert json.dumps(changed) == json.dumps(to_json(dialogue)).replace('["7.5"]', '["7.50"]')


def test_calls_are_events_joined_by_id() -> None:
    query, empty = [e for e in from_json(RAW).events if not isinstance(e, Utterance)][2:]
    assert isinstance(query, Query)
    assert (query.service, query.api) == ("Taxis_2", "OrderTaxi")
    assert empty == Result(query=query.id)


def test_acts_keep_order_services_and_several_values() -> None:
    utterances = [e for e in from_json(RAW).events if isinstance(e, Utterance)]
    ask = utterances[1].layers[0].parts[0]
    assert ask.acts == (Act("REQUEST", (Argument("town", ("Harwick", "Ostby")),)),)
    assert ask.state is None
    both = utterances[6].layers[0].parts
    assert [part.service for part in both] == ["Plays_1", "Taxis_2"]
    assert utterances[11].layers[0].parts[0].acts == (Act("REQ_MORE"),)


def test_state_is_carried_and_keeps_variants() -> None:
    dialogue = from_json(RAW)
    state = state_at(dialogue.events, len(dialogue.events), "Plays_1")
    assert state is not None
    assert state.intent is None
    assert state.values["theatre_name"] == ("Corn Hall", "the Corn Hall")
    assert state_at(dialogue.events, 4, "Taxis_2") is None
