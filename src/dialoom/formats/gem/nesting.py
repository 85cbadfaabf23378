"""Converts the parallel lists of GEM's data card to SGD's objects and back.

    {"act": [4, 13], "slot": ["city", "date"], "values": [["Bonn"], []], "canonical_values": …}
    [{"act": "INFORM", "slot": "city", "values": ["Bonn"], …}, {"act": "REQUEST", …}]

A call or state that an SGD frame lacks is an object of empty values in the lists. Lists of actions
or spans may differ in length: the objects at the end then lack a key. Lists that objects would not
give back are kept as they are, in a form that SGD does not have: {"lists": …} instead of a list of
objects, […] instead of an object.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any

from dialoom.errors import FormatError
from dialoom.formats.base.values import Json, alike
from dialoom.schema.service import ACTS

SPEAKERS = ("USER", "SYSTEM")
"""The numbers of speakers, as positions in a tuple."""

LISTS = "lists"
"""The key for lists that cannot be converted to objects."""

_TURN = ("frames", "speaker", "utterance")
_ACTION: Json = {"act": "", "canonical_values": [], "slot": "", "values": []}
_SLOT: Json = {"exclusive_end": 0, "slot": "", "start": 0}
_FRAME = ("actions", "service", "service_call", "service_results", "slots", "state")
_PARAMETERS = ("parameter_canonical_value", "parameter_slot_name")
_ENTITY = ("service_canonical_value", "service_slot_name")
_VALUES = ("slot_value_list", "slot_name")
_RESULTS = "service_results_list"

_ABSENT = object()


def to_sgd(value: Any, fail: Callable[[str], FormatError]) -> Any:
    """Return a dialogue of GEM's form in SGD's; `fail` makes errors of incomplete turns."""
    if not isinstance(value, dict):
        raise fail("a dialogue is not a JSON object")
    turns = value.get("turns")
    if not isinstance(turns, dict) or not all(isinstance(turns.get(k), list) for k in _TURN):
        raise fail("turns is not an object with the lists frames, speaker and utterance")
    others = ", ".join(sorted(turns.keys() - set(_TURN)))
    if others:
        raise fail(f"turns has more lists than the card documents: {others}")
    if len(turns["speaker"]) != len(turns["utterance"]):
        raise fail("the lists speaker and utterance of the turns differ in length")
    if len(turns["frames"]) > len(turns["speaker"]):
        raise fail("the turns have more frames than utterances")
    rows = zip_longest(turns["frames"], turns["speaker"], turns["utterance"], fillvalue=_ABSENT)
    return value | {"turns": [_turn(*row, fail) for row in rows]}


def _turn(frames: Any, speaker: Any, utterance: Any, fail: Callable[[str], FormatError]) -> Json:
    if type(speaker) is int and 0 <= speaker < len(SPEAKERS):
        speaker = SPEAKERS[speaker]
    elif not isinstance(speaker, str) or speaker in SPEAKERS:
        raise fail("a speaker is neither 0 (USER) nor 1 (SYSTEM) nor another's name")
    turn: Json = {"speaker": speaker, "utterance": utterance}
    if frames is not _ABSENT:
        turn["frames"] = _or_kept(_frames(frames), frames, flat_frames, {LISTS: frames})
    return turn


def _or_kept(made: Any, lists: Any, back: Callable[[Any], Any], kept: Any) -> Any:
    """Return the objects of lists if they convert back to the same lists, else the kept lists."""
    return made if made is not None and alike(back(made), lists) else kept


def _frames(lists: Any) -> list[Json] | None:
    rows = _rows(lists)
    if rows is None or any(row.keys() != set(_FRAME) for row in rows):
        return None
    return [_frame(row) for row in rows]


def _rows(lists: Any) -> list[Json] | None:
    """Return the objects of parallel lists; the last ones may lack a key."""
    if not isinstance(lists, dict) or not all(isinstance(held, list) for held in lists.values()):
        return None
    rows = zip_longest(*lists.values(), fillvalue=_ABSENT)
    return [
        {key: held for key, held in zip(lists, row, strict=True) if held is not _ABSENT}
        for row in rows
    ]


def _frame(row: Json) -> Json:
    actions, slots = row["actions"], row["slots"]
    frame: Json = {
        "actions": _or_kept(_actions(actions), actions, flat_actions, {LISTS: actions}),
        "service": row["service"],
        "slots": _or_kept(_rows(slots), slots, flat_slots, {LISTS: slots}),
    }
    called = not alike(row["service_call"], flat_call(None))
    if called:
        frame["service_call"] = _call(row["service_call"])
    if called or not alike(row["service_results"], flat_results(None)):
        results = row["service_results"]
        frame["service_results"] = _or_kept(
            _results(results), results, flat_results, {LISTS: results}
        )
    if not alike(row["state"], flat_state(None)):
        frame["state"] = _state(row["state"])
    return frame


def _actions(lists: Any) -> list[Json] | None:
    rows = _rows(lists)
    for row in rows or ():
        number = row.get("act")
        if type(number) is int and 0 <= number < len(ACTS):
            row["act"] = ACTS[number]
        elif number in ACTS:
            return None
    return rows


def _call(call: Any) -> Any:
    if not isinstance(call, dict) or "parameters" not in call:
        return [call]
    parameters = call["parameters"]
    pairs = _pairs(parameters, *_PARAMETERS)
    return call | {"parameters": _or_kept(pairs, parameters, flat_parameters, [parameters])}


def _pairs(lists: Any, values: str, names: str) -> Json | None:
    if not isinstance(lists, dict) or lists.keys() != {values, names}:
        return None
    keys, held = lists[names], lists[values]
    if not isinstance(keys, list) or not isinstance(held, list) or len(keys) != len(held):
        return None
    if not all(isinstance(key, str) for key in keys):
        return None
    return dict(zip(keys, held, strict=True))


def _results(lists: Any) -> list[Json] | None:
    if not isinstance(lists, dict) or not isinstance(lists.get(_RESULTS), list):
        return None
    items = [_pairs(entity, *_ENTITY) for entity in lists[_RESULTS]]
    return None if None in items else [item for item in items if item is not None]


def _state(state: Any) -> Any:
    if not isinstance(state, dict) or "slot_values" not in state:
        return [state]
    lists = state["slot_values"]
    pairs = _pairs(lists, *_VALUES)
    return state | {"slot_values": _or_kept(pairs, lists, flat_slot_values, [lists])}


def from_sgd(value: Json) -> Json:
    """Return a dialogue of SGD's published form in GEM's form."""
    turns = value["turns"]
    frames = [turn.get("frames", _ABSENT) for turn in turns]
    while frames and frames[-1] is _ABSENT:
        frames.pop()
    flat = {
        "frames": [flat_frames([] if each is _ABSENT else each) for each in frames],
        "speaker": [_numbered(turn["speaker"], SPEAKERS) for turn in turns],
        "utterance": [turn["utterance"] for turn in turns],
    }
    return value | {"turns": flat}


def _flat(rows: list[Json], absent: Json) -> Json:
    """Return objects as parallel lists; only the last values of a list may be missing."""
    others = sorted({key for row in rows for key in row} - absent.keys())
    lists: Json = {}
    for key in [*absent, *others]:
        column = [row.get(key, _ABSENT) for row in rows]
        while column and column[-1] is _ABSENT:
            column.pop()
        lists[key] = [absent.get(key) if held is _ABSENT else held for held in column]
    return lists


def flat_frames(frames: Any) -> Any:
    """Return the frames of a turn as parallel lists."""
    if isinstance(frames, dict):
        return frames.get(LISTS)
    columns = {
        "actions": (flat_actions, []),
        "service": (_same, ""),
        "service_call": (flat_call, None),
        "service_results": (flat_results, None),
        "slots": (flat_slots, []),
        "state": (flat_state, None),
    }
    return {
        key: [flat(frame.get(key, absent)) for frame in frames]
        for key, (flat, absent) in columns.items()
    }


def _same(value: Any) -> Any:
    return value


def flat_actions(actions: Any) -> Any:
    """Return actions as parallel lists, with integers for the acts of the data card."""
    if isinstance(actions, dict):
        return actions.get(LISTS)
    lists = _flat(actions, _ACTION)
    lists["act"] = [_numbered(act, ACTS) for act in lists["act"]]
    return lists


def _numbered(name: Any, names: tuple[str, ...]) -> Any:
    return names.index(name) if name in names else name


def flat_slots(slots: Any) -> Any:
    """Return spans as parallel lists."""
    return slots.get(LISTS) if isinstance(slots, dict) else _flat(slots, _SLOT)


def flat_call(call: Any) -> Any:
    """Return a call with its parameters as two lists."""
    if isinstance(call, list):
        return call[0]
    call = {"method": "", "parameters": {}} if call is None else call
    if "parameters" not in call:
        return call
    return call | {"parameters": flat_parameters(call["parameters"])}


def flat_parameters(parameters: Any) -> Any:
    """Return parameters as a list of names and one of values."""
    if isinstance(parameters, list):
        return parameters[0]
    return _flat_pairs(parameters, *_PARAMETERS)


def _flat_pairs(pairs: Json, values: str, names: str) -> Json:
    return {values: list(pairs.values()), names: list(pairs)}


def flat_results(results: Any) -> Any:
    """Return results as lists of names and values."""
    if isinstance(results, dict):
        return results.get(LISTS)
    return {_RESULTS: [_flat_pairs(item, *_ENTITY) for item in results or ()]}


def flat_state(state: Any) -> Any:
    """Return a state, with slots and their spoken variants as two lists."""
    if isinstance(state, list):
        return state[0]
    if state is None:
        state = {"active_intent": "", "requested_slots": [], "slot_values": {}}
    if "slot_values" not in state:
        return state
    return state | {"slot_values": flat_slot_values(state["slot_values"])}


def flat_slot_values(values: Any) -> Any:
    """Return slots and their spoken variants as two lists."""
    return values[0] if isinstance(values, list) else _flat_pairs(values, *_VALUES)
