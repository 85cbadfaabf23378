"""M2M's simulated dialogues sim-R and sim-M (Shah et al. 2018): a list of exchanges.

    [{"dialogue_id": "restaurant_01", "turns": [
      {"system_acts": [{"type": "REQUEST", "slot": "time"}],
       "system_utterance": {"text": "at what time ?", "tokens": ["at", …], "slots": []},
       "user_intents": ["FIND_RESTAURANT"], "user_acts": [{"type": "INFORM"}],
       "user_utterance": {"text": "at 6 pm", "tokens": ["at", "6", "pm"],
                          "slots": [{"slot": "time", "start": 1, "exclusive_end": 3}]},
       "dialogue_state": [{"slot": "time", "value": "6 pm"}]}]}]

An exchange has the system's utterance, except the first, and the user's after it. Spans are given
by words, and become those of characters. The state is that after the user's utterance.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, State, Utterance
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import (
    Annotation,
    Fields,
    argument,
    reading,
    said,
    span_of,
    state_of,
    token_spans,
    with_text,
)
from dialoom.formats.base.values import without


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = raw.needed("dialogue_id", str)
    events: list[Event] = []
    for turn in raw.objects("turns", "turn", name):
        if "system_utterance" in turn.rest:
            events.append(_said(turn, "system", SYSTEM, Annotation()))
        marks = Annotation()
        marks.state(None, _state(turn))
        spoken = _said(turn, "user", USER, marks)
        events.append(replace(spoken, extra=spoken.extra | turn.rest))
    return raw.dialogue(name, events, origin)


def _said(turn: Fields, side: str, agent: str, marks: Annotation) -> Utterance:
    for act in turn.each(f"{side}_acts", with_text("type")):
        rest, slots = without(act, "type"), []
        if with_text("slot")(act):
            value = [rest.pop("value")] if "value" in act else []
            slots.append(argument(rest.pop("slot"), *value))
        marks.act(None, act["type"], *slots, extra=rest)
    spoken = turn.object(f"{side}_utterance")
    text = spoken.needed("text", str)
    words = spoken.take("tokens", list)
    at = token_spans(map(str, words), text)
    if words and " ".join(map(str, words)) != text:
        spoken.rest["tokens"] = words
    for slot in spoken.take("slots", list):
        span = _span(slot, at, text)
        if span is None:
            spoken.rest.setdefault("slots", []).append(slot)
        else:
            marks.span(None, span)
    return said(agent, text, marks, spoken)


def _span(slot: Any, at: list[tuple[int, int]], text: str) -> Any:
    if not with_text("slot")(slot):
        return None
    first, end = slot.get("start"), slot.get("exclusive_end")
    if type(first) is not int or type(end) is not int or not 0 <= first < end <= len(at):
        return None
    span = span_of(text, at[first][0], at[end - 1][1], slot["slot"])
    return replace(span, extra=without(slot, "slot", "start", "exclusive_end")) if span else None


def _state(turn: Fields) -> State:
    pairs = {}
    for each in turn.each("dialogue_state", with_text("slot")):
        if "value" in each:
            pairs[each["slot"]] = each["value"]
        if each.keys() != {"slot", "value"}:
            turn.rest.setdefault("dialogue_state", []).append(each)
    names = list(turn.each("user_intents", lambda each: isinstance(each, str)))
    more = {"intents": names[1:]} if len(names) > 1 else {}
    return state_of(pairs, intent=names[0] if names else None, **more)


FORMAT = reading("m2m", _dialogue, Signs("turns[].user_utterance.text", "turns[].user_acts"))
