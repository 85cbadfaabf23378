"""GEM's generation task (Gehrmann et al. 2021): from a user turn and the system's acts, its words.

    {"gem_id": "sgd-1_00000-1", "gem_parent_id": "sgd-1_00000-1", "dialog_id": "1_00000",
     "turn_id": 1, "service": "Cafes_1", "prompt": "A table for two?",
     "context": ["A table for two?"], "dialog_acts": [{"act": 13, "slot": "time", "values": []}],
     "target": "When?", "references": ["When?"]}

An item is an utterance of the system that has acts, one a line of `generation.jsonl`. Acts are the
card's integers, and names where it has none. It is written only; the loss report tells what of a
dialogue it leaves out.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.dialogue import GOLD, SYSTEM, Act, Argument, Dialogue, Layer, Part, Utterance
from dialoom.dialogue.views import gold
from dialoom.formats.base.export_only import ExportOnly
from dialoom.schema.service import ACTS
from dialoom.schema.task import TaskSchema

FILE = "generation.jsonl"

_NUMBERS: dict[str, int] = {name: number for number, name in enumerate(ACTS)}


class DialogAct(msgspec.Struct, frozen=True):
    """An act with at most one slot, as the card numbers it."""

    act: int | str
    slot: str
    values: tuple[Any, ...]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One item.

    Attributes:
        gem_id: Names the item.
        gem_parent_id: Names the item it was made from: itself, unless it is of a challenge set.
        dialog_id: The dialogue's id.
        turn_id: The index of the utterance among the dialogue's utterances.
        service: The service of the first act; empty where there is none.
        prompt: The utterance before it; empty where there is none.
        context: All utterances before it.
        dialog_acts: What the system is to say.
        target: What it said.
        references: The texts that a generated one is compared with.
    """

    gem_id: str
    gem_parent_id: str
    dialog_id: str
    turn_id: int
    service: str
    prompt: str
    context: tuple[str, ...]
    dialog_acts: tuple[DialogAct, ...]
    target: str
    references: tuple[str, ...]


def records(dialogue: Dialogue) -> Iterator[Record]:
    """Yield an item for each utterance of the system that has acts."""
    said: list[str] = []
    for event in dialogue.events:
        if not isinstance(event, Utterance):
            continue
        parts = _parts(event)
        if parts:
            name = f"sgd-{dialogue.id}-{len(said)}"
            yield Record(
                gem_id=name,
                gem_parent_id=name,
                dialog_id=dialogue.id,
                turn_id=len(said),
                service=parts[0].service or "",
                prompt=said[-1] if said else "",
                context=tuple(said),
                dialog_acts=tuple(
                    spelled for part in parts for act in part.acts or () for spelled in _acts(act)
                ),
                target=event.text,
                references=(event.text,),
            )
        said.append(event.text)


def _parts(utterance: Utterance) -> list[Part]:
    """Return the parts with acts of an utterance of the system; none for other utterances."""
    layer = gold(utterance) or next(iter(utterance.layers), None)
    if utterance.agent != SYSTEM or layer is None:
        return []
    return [part for part in layer.parts if part.acts]


def _acts(act: Act) -> Iterator[DialogAct]:
    number = _NUMBERS.get(act.name, act.name)
    for argument in act.arguments or (Argument(""),):
        yield DialogAct(number, argument.slot, argument.values)


class GenerationFormat(ExportOnly):
    """Writes generation items."""

    name = "gem-generation"
    why = "its items stand without their dialogues"

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write the items of all dialogues into one file."""
        with (target / FILE).open("wb") as file:
            for dialogue in dialogues:
                file.write(self.render_file([dialogue]))
            file.flush()
            os.fsync(file.fileno())

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the items of these dialogues, one a line."""
        items = (record for dialogue in dialogues for record in records(dialogue))
        return b"".join(msgspec.json.encode(record) + b"\n" for record in items)

    def kept(self, dialogue: Dialogue) -> Dialogue:
        """Return what of a dialogue its items tell: who said what is known as far as they go."""
        spoken = [event for event in dialogue.events if isinstance(event, Utterance)]
        last = max((n for n, each in enumerate(spoken) if _parts(each)), default=-1)
        return Dialogue(id=dialogue.id, events=tuple(map(_told, spoken[: last + 1])))


def _told(utterance: Utterance) -> Utterance:
    parts = tuple(
        Part(part.service if number == 0 else None, tuple(map(_plain, part.acts or ())))
        for number, part in enumerate(_parts(utterance))
    )
    layers = (Layer(GOLD, parts),) if parts else ()
    return Utterance(agent=utterance.agent, text=utterance.text, layers=layers)


def _plain(act: Act) -> Act:
    arguments = tuple(Argument(each.slot, each.values) for each in act.arguments)
    return replace(act, arguments=arguments, extra={})


FORMAT = GenerationFormat()
"""The format, for the registry."""
