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

from typing import Any

from dialoom.dialogue import Dialogue, Origin
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Fields, reading
from dialoom.formats.base.values import BrokenError, Json, without
from dialoom.formats.sgd import TRAITS, lenient
from dialoom.formats.sgd.dialog_acts import with_acts

_SPEAKERS = ("USER", "SYSTEM")
_COLUMNS = ("utterance", "speaker", "frames", "dialogue_acts")
_SPAN = ("act_type", "act_slot_name", "act_slot_value", "span_start", "span_end")


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    lists = raw.object("turns")
    columns = {n: lists.needed(n, list) for n in dict.fromkeys((*_COLUMNS, *lists.rest))}
    records: list[Json] = []
    acts: Json = {}
    try:
        for index, turn in enumerate(_rows("turns", columns, *columns)):
            who, acts[str(index)] = turn.pop("speaker"), _acts(turn.pop("dialogue_acts"))
            turn["speaker"] = _SPEAKERS[who] if type(who) is int and who in (0, 1) else who
            turn["frames"] = list(map(_frame, _rows("frames", turn["frames"])))
            records.append(turn)
    except BrokenError as error:
        raise raw.place.error(str(error)) from error
    whole = {**raw.rest, "turns": records}
    return with_acts(lenient.dialogue(whole, raw.place.file, origin), acts, raw.place)


def _rows(name: str, lists: Any, *keys: str) -> list[Json]:
    """Return the objects of parallel lists without the empty ones; none for null.

    Args:
        keys: The keys that each object has; any if empty.

    Raises:
        BrokenError: It is no object of lists, or they differ in length.
    """
    columns = {} if lists is None else lists
    if not isinstance(columns, dict) or not all(type(each) is list for each in columns.values()):
        raise BrokenError(f"{name}: expected an object of lists")
    columns = {key: each for key, each in columns.items() if each}
    if len(set(map(len, columns.values()))) > 1:
        sizes = ", ".join(f"{len(each)} {key}" for key, each in columns.items())
        raise BrokenError(f"{name}: expected lists of one length, not {sizes}")
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if rows and keys and columns.keys() != set(keys):
        raise BrokenError(f"{name}: expected the lists {', '.join(keys)}")
    return rows


def _frame(frame: Json) -> Json:
    state, slots = frame.pop("state", None), _rows("slots", frame.pop("slots", None))
    record = {"actions": [], **frame, "slots": list(map(_slot, slots))}
    if isinstance(state, dict):
        names = ("slots_values_name", "slots_values_list")
        rows = _rows("slots_values", state.get("slots_values"), *names)
        pairs = [(row[names[0]], row[names[1]]) for row in rows]
        if not all(isinstance(slot, str) for slot, _ in pairs):
            raise BrokenError(f"{names[0]}: expected texts")
        state = {**without(state, "slots_values"), "slot_values": dict(pairs)}
    return record if state is None else record | {"state": state}


def _slot(slot: Json) -> Json:
    """Return the span or the copy that a slot is, without the unset fields of the other."""
    copied = slot.pop("copy_from_value", None)
    if not slot.get("copy_from"):
        return without(slot, "copy_from") | ({"copy_from_value": copied} if copied else {})
    return {key: each for key, each in slot.items() if each not in ("", -1, None)} | {
        "value": copied
    }


def _acts(marks: Any) -> Json:
    fields = dict(marks) if isinstance(marks, dict) else {}
    if not fields and marks:
        raise BrokenError("dialogue_acts: expected objects")
    acts: Json = {}
    for row in _rows("dialog_act", fields.get("dialog_act"), "act_type", "act_slots"):
        if not isinstance(row["act_type"], str):
            raise BrokenError("act_type: expected texts")
        pairs = _rows("act_slots", row["act_slots"], "slot_name", "slot_value")
        slots = [[pair["slot_name"], pair["slot_value"]] for pair in pairs]
        acts.setdefault(row["act_type"], []).extend(slots)
    rows = _rows("span_info", fields.get("span_info"), *_SPAN)
    spans = [[row[name] for name in _SPAN] for row in rows]
    return fields | {"dialog_act": acts, "span_info": spans}


FORMAT = reading(
    "multiwoz-columns",
    _dialogue,
    Signs("turns.dialogue_acts", "turns.speaker", "turns.utterance", "turns.frames"),
    traits=TRAITS,
)
