"""WOZ 2.0 and cleaned DSTC2 (Mrkšić et al. 2017), and MultiWOZ as trackers prepare it.

    [{"dialogue_idx": 0, "dialogue": [
      {"turn_idx": 0, "system_transcript": "", "system_acts": [],
       "transcript": "Cheap food in the south", "asr": [["Cheap food in the south", 1.0]],
       "turn_label": [["area", "south"], ["request", "phone"]],
       "belief_state": [{"act": "inform", "slots": [["area", "south"]]}]}]}]

An exchange has the system's utterance and the user's after it; one without text is none. The slot
of an act of the system is one that it asks for, a pair is what it confirms. A turn's label is the
user's acts, the belief state the state after them. Hypotheses of a recogniser go to `extra`.
"""

from __future__ import annotations

from typing import Any

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, State
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import (
    Annotation,
    Fields,
    argument,
    reading,
    said,
    state_of,
    with_text,
)
from dialoom.formats.base.values import Json, at, without


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = raw.scalar("dialogue_idx") or key or str(origin.index)
    events: list[Event] = []
    for turn in raw.objects("dialogue", "turn", name):
        reply = turn.take("system_transcript", str)
        speech = turn.needed("transcript", str)
        if reply:
            marks = Annotation()
            for act in turn.each("system_acts", lambda act: isinstance(act, str) or _is_pair(act)):
                kind, slots = ("request", [act]) if isinstance(act, str) else ("confirm", act)
                marks.act(None, kind, argument(*slots))
            events.append(said(SYSTEM, reply, marks, None if speech else turn))
        if speech:
            marks = Annotation()
            for slot, value in turn.each("turn_label", _is_pair):
                if slot == "request":
                    marks.act(None, "request", argument(value))
                else:
                    marks.act(None, "inform", argument(slot, value))
            if "belief_state" in turn.rest:
                marks.state(None, _belief(turn))
            events.append(said(USER, speech, marks, turn))
    domains = raw.take("domains", list)
    return raw.dialogue(name, events, origin, map(str, domains))


def _is_pair(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str)


def _belief(turn: Fields) -> State:
    values: dict[str, list[Any]] = {}
    requests: list[str] = []
    for entry in turn.each("belief_state", lambda e: at(e, str, "act") in ("inform", "request")):
        for slot, value in _pairs(entry):
            if entry["act"] == "request":
                requests.append(str(value))
            else:
                values.setdefault(slot, []).append(value)
        if _other(entry):
            turn.rest.setdefault("belief_state", []).append(entry)
    slots = {slot: each[0] if len(each) == 1 else each for slot, each in values.items()}
    return state_of(slots, requested=requests)


def _pairs(act: Json) -> list[Any]:
    return list(filter(_is_pair, at(act, list, "slots")))


def _other(act: Json) -> Json:
    whole = act.get("slots", []) == _pairs(act)
    return without(act, "act", *(["slots"] if whole else []))


def slot_acts(fields: Fields, name: str, marks: Annotation) -> None:
    """Add a list of acts with slots; a slot called `slot` has the slot that an act is about."""
    for act in fields.each(name, with_text("act")):
        slots = [argument(v) if s == "slot" else argument(s, v) for s, v in _pairs(act)]
        marks.act(None, act["act"], *slots, extra=_other(act))


FORMAT = reading(
    "woz", _dialogue, Signs("dialogue[].transcript", "dialogue[].system_transcript", "dialogue_idx")
)
