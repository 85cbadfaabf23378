"""MultiWOZ 2.2 as the Hugging Face Hub has it: the turns of a dialogue as parallel lists.

    {"dialogue_id": "SNG01.json", "services": ["hotel"], "turns": {"turn_id": ["0", "1"],
      "speaker": [0, 1], "utterance": ["In the east.", "Which?"], "frames": [{"service": ["hotel"],
        "state": [{"active_intent": "find_hotel", "requested_slots": [], "slots_values":
          {"slots_values_name": ["hotel-area"], "slots_values_list": [["east"]]}}],
        "slots": [{"slot": […], "start": […], "exclusive_end": […], "value": […], …}]}, …],
      "dialogue_acts": [{"dialog_act": {"act_type": ["Hotel-Inform"], "act_slots":
        [{"slot_name": ["area"], "slot_value": ["east"]}]}, "span_info": {"act_type": […], …}}, …]}}

The lists become the objects of MultiWOZ 2.2, which are read like SGD's, and its acts as a layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dialoom.dialogue import Dialogue, Origin
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Fields, reading
from dialoom.formats.base.values import Json, at, without
from dialoom.formats.sgd import TRAITS, lenient
from dialoom.formats.sgd.dialog_acts import with_acts

_SPEAKERS = ("USER", "SYSTEM")
_SPAN = ("act_type", "act_slot_name", "act_slot_value", "span_start", "span_end")
_COPIED = ("copy_from", "copy_from_value")


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    turns = raw.object("turns")
    texts = turns.needed("utterance", list)
    columns = [_column(turns, name, texts) for name in ("speaker", "frames", "dialogue_acts")]
    made: list[Json] = []
    acts: Json = {}
    for index, (text, who, frames, marks) in enumerate(zip(texts, *columns, strict=True)):
        speaker = _SPEAKERS[who] if who in (0, 1) else who
        made.append({"speaker": speaker, "utterance": text, "frames": list(_frames(frames))})
        acts[str(index)] = _acts(marks)
    whole = {**raw.rest, "turns": made}
    return with_acts(lenient.dialogue(whole, raw.place.file, origin), acts, raw.place)


def _column(turns: Fields, name: str, texts: list[Any]) -> list[Any]:
    found = turns.needed(name, list)
    if len(found) != len(texts):
        raise turns.place.error(f"turns: {name!r} has {len(found)} entries; expected {len(texts)}")
    return found


def _rows(lists: Any) -> Iterator[Json]:
    columns = {name: each for name, each in at(lists, dict).items() if isinstance(each, list)}
    for row in zip(*columns.values(), strict=False):
        yield dict(zip(columns, row, strict=True))


def _frames(lists: Any) -> Iterator[Json]:
    for frame in _rows(lists):
        state, spans = frame.get("state"), list(_rows(frame.get("slots")))
        made: Json = {"service": frame.get("service"), "actions": [], "slots": []}
        for span in spans:
            slot = without(span, *_COPIED)
            if source := span.get(_COPIED[0]):
                slot = {
                    "slot": span.get("slot"),
                    "copy_from": source,
                    "value": span.get(_COPIED[1]),
                }
            made["slots"].append(slot)
        if isinstance(state, dict):
            pairs = (tuple(each.values()) for each in _rows(state.get("slots_values")))
            known = (pair for pair in pairs if len(pair) == 2 and isinstance(pair[0], str))
            values = {pair[0]: pair[1] for pair in known}
            made["state"] = {**without(state, "slots_values"), "slot_values": values}
        yield made


def _acts(marks: Any) -> Json:
    held = at(marks, dict)
    acts = {
        row["act_type"]: [list(pair.values()) for pair in _rows(row.get("act_slots"))]
        for row in _rows(held.get("dialog_act"))
        if isinstance(row.get("act_type"), str)
    }
    spans = [[row.get(name) for name in _SPAN] for row in _rows(held.get("span_info"))]
    return {"dialog_act": acts, "span_info": spans}


FORMAT = reading(
    "multiwoz-columns",
    _dialogue,
    Signs("turns.dialogue_acts", "turns.speaker", "turns.utterance", "turns.frames"),
    traits=TRAITS,
)
