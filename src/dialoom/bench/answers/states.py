"""States: a folder in SGD's layout, lines of `bench --predictions`, or MultiWOZ's predictions.

    dialogues_001.json           # the corpus's file with the predicted state in each frame
    {"holdout": "dev", "dialogue": "1_00000", "turn": 2, "service": "Hotels_1",
     "slot_values": {"area": ["north"]}, "intent": "SearchHotel", "requested": []}
    {"mul0001": [{"state": {"hotel": {"area": "north"}}, "response": "Which?"}, …], …}

MultiWOZ's have an entry for each user turn, in order; a service without a state there is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dialoom import formats
from dialoom.bench.answers.matching import GivenAnswer
from dialoom.bench.core.protocol import Plan
from dialoom.corpus.files import read_bytes
from dialoom.dialogue import USER, Dialogue, Prediction, State
from dialoom.dialogue.views import parts, utterances
from dialoom.errors import FormatError
from dialoom.formats.base.codec import NOTED, is_note
from dialoom.formats.base.framing import values
from dialoom.schema.service import NO_INTENT
from dialoom.schema.task import TaskSchema

UNSET = frozenset({"", "none", "not mentioned"})
"""The values by which MultiWOZ's files say that a slot has none (Budzianowski et al. 2018)."""

VALUES = "slot_values"
"""The key of a state in SGD's layout under which its values are."""

Turns = dict[int, list[str]]


class _StateRow(msgspec.Struct, frozen=True):
    dialogue: int | str
    turn: int
    service: str
    slot_values: dict[str, tuple[Any, ...]]
    intent: str | None = None
    requested: tuple[str, ...] = ()
    holdout: str = ""
    unreadable: str = ""

    def given(self) -> GivenAnswer:
        intent = None if self.intent == NO_INTENT else self.intent
        state = State(intent, self.requested, self.slot_values)
        place = str(self.dialogue), self.turn, self.service
        states = {} if self.unreadable else {self.service: state}  # as the run scores it
        return GivenAnswer(place, Prediction(states), self.holdout, self.unreadable)


def states(path: Path, plan: Plan) -> Iterator[GivenAnswer]:
    """Yield the states of a file or folder; `FormatError` for an unknown layout."""
    entries = [] if path.is_dir() else values(read_bytes(path), path)
    first = entries[0] if entries else None
    if isinstance(first, dict) and VALUES in first:
        for number, row in enumerate(entries, 1):
            try:
                yield msgspec.convert(row, _StateRow).given()
            except msgspec.ValidationError as error:
                what = f"not a prediction of a state: {error}"
                raise FormatError(f"{path}, answer {number}", what) from error
    elif len(entries) == 1 and isinstance(first, dict) and _is_multiwoz(first):
        yield from _multiwoz(first, path, plan)
    else:
        yield from _annotated(path)


def _annotated(path: Path) -> Iterator[GivenAnswer]:
    for dialogue in formats.load(path, "sgd").dialogues():
        for turn, (_, event) in enumerate(utterances(dialogue)):
            for part in parts(event) if event.agent == USER else ():
                if part.service is not None and part.state is not None:
                    _check_read(part.state, path, dialogue, turn)
                    place = dialogue.id, turn, part.service
                    yield GivenAnswer(place, Prediction({part.service: part.state}))


def _check_read(state: State, path: Path, dialogue: Dialogue, turn: int) -> None:
    """Raise `FormatError` for a state whose values the format keeps as a note, unread."""
    note = state.extra.get(VALUES)
    if state.values or not is_note(note) or not note[NOTED]:
        return
    slots = note[NOTED].items() if isinstance(note[NOTED], dict) else ()
    culprit = next((slot for slot, value in slots if not isinstance(value, list)), VALUES)
    file = path / dialogue.origin.file if path.is_dir() and dialogue.origin else path
    what = f"{culprit}: expected a list of values for each slot, such as {{'area': ['north']}}"
    raise FormatError(file, what, dialogue=dialogue.id, event=turn)


def _is_multiwoz(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(isinstance(turns, list) for turns in value.values())


def _multiwoz(value: Mapping[str, Any], path: Path, plan: Plan) -> Iterator[GivenAnswer]:
    places: dict[str, Turns] = {}
    for each in plan.holdouts:
        for target in each.test:
            turns = places.setdefault(target.source, {})
            turns.setdefault(target.event, []).extend(target.asked.services)
    names = {_plain_id(name): name for name in places}
    for name, entries in value.items():
        key = names.get(_plain_id(name))
        if key is None:
            raise FormatError(
                path, f"answers dialogue {name}, about which nothing is asked", code="not-asked"
            )
        if len(entries) != len(places[key]):
            what = f"has {len(entries)} turns; {len(places[key])} turns of its user are asked about"
            raise FormatError(path, what, dialogue=name)
        for entry, (turn, services) in zip(entries, sorted(places[key].items()), strict=True):
            beliefs = _said(entry, path, name, plan.schemas)
            for service in dict.fromkeys(services):
                state = State(values=beliefs.get(service, {}))
                yield GivenAnswer((key, turn, service), Prediction({service: state}))


def _plain_id(name: str) -> str:
    """Return an id as files of other systems spell it: lower case, without `.json`."""
    return name.lower().removesuffix(".json")


def _said(
    entry: Any, path: Path, name: str, schemas: Mapping[str, TaskSchema]
) -> dict[str, dict[str, tuple[Any, ...]]]:
    state = entry.get("state") if isinstance(entry, dict) else None
    if not isinstance(state, dict):
        raise FormatError(path, "expected an object `state` in each turn", dialogue=name)
    beliefs: dict[str, dict[str, tuple[Any, ...]]] = {}
    for key, value in state.items():
        domain, _, slot = key.partition("-")
        for label, one in value.items() if isinstance(value, dict) else ((slot, value),):
            several = tuple(one) if isinstance(one, list) else (one,)
            if one is None or all(str(each).lower() in UNSET for each in several):
                continue
            schema = schemas.get(domain)
            match = _slot(label, schema) if schema else None
            if match is None:
                what = f"{domain} {label}: the corpus's schema has no such service and slot"
                raise FormatError(path, what, dialogue=name)
            beliefs.setdefault(domain, {})[match] = several
    return beliefs


def _slot(label: str, task: TaskSchema) -> str | None:
    """Return the slot with a label's letters, or with these at its beginning or end.

    MultiWOZ's versions and scripts spell one slot `hotel-bookday`, `book day` and `day`.
    """
    plain = _letters(label)
    prefix = _letters(task.id)
    bare = {slot: _letters(slot).removeprefix(prefix) for slot in task.slots}
    same = [slot for slot, letters in bare.items() if letters == plain.removeprefix(prefix)]
    near = [slot for slot, letters in bare.items() if letters.startswith(plain)]
    near += [slot for slot, letters in bare.items() if letters.endswith(plain)]
    matches = same or near
    return matches[0] if len(set(matches)) == 1 else None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
