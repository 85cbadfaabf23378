"""GEM's generation task (Gehrmann et al. 2021): the system's text, from its acts and the user turn.

    {"gem_id": "sgd-1_00000-1", "gem_parent_id": "sgd-1_00000-1", "dialog_id": "1_00000",
     "turn_id": 1, "service": "Cafes_1", "prompt": "A table for two?",
     "context": ["A table for two?"], "dialog_acts": [{"act": 13, "slot": "time", "values": []}],
     "target": "When?", "references": ["When?"]}

There is an item for each utterance of the system with acts, one on each line of `generation.jsonl`.
Acts are the integers of GEM's data card, or names if it has none. The format is only written; the
loss report has what the items lack.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.corpus.format import ExportOnly
from dialoom.dialogue import GOLD, SYSTEM, Act, Argument, Dialogue, Layer, Part, Utterance
from dialoom.dialogue.views import annotated_parts
from dialoom.schema.service import ACTS
from dialoom.schema.task import TaskSchema

FILE = "generation.jsonl"

_NUMBERS: dict[str, int] = {name: number for number, name in enumerate(ACTS)}


class DialogAct(msgspec.Struct, frozen=True):
    """A dialogue act with at most one slot; a number of the data card, or a name."""

    act: int | str
    slot: str
    values: tuple[Any, ...]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """An item.

    Attributes:
        gem_parent_id: The id of the item it is derived from; its own except in challenge sets.
        turn_id: The index of the utterance among the dialogue's utterances.
        service: The service of the first act; empty if there is none.
        prompt: The utterance before it; empty if there is none.
        context: All utterances before it.
        dialog_acts: The acts that the system has to express.
        references: The texts with which a generated one is compared.
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
    """Yield an item for each utterance of the system with acts."""
    history: list[str] = []
    for event in dialogue.events:
        if not isinstance(event, Utterance):
            continue
        parts = _parts(event)
        if parts:
            name = f"sgd-{dialogue.id}-{len(history)}"
            yield Record(
                gem_id=name,
                gem_parent_id=name,
                dialog_id=dialogue.id,
                turn_id=len(history),
                service=parts[0].service or "",
                prompt=history[-1] if history else "",
                context=tuple(history),
                dialog_acts=tuple(
                    entry for part in parts for act in part.acts or () for entry in _acts(act)
                ),
                target=event.text,
                references=(event.text,),
            )
        history.append(event.text)


def _parts(utterance: Utterance) -> list[Part]:
    return [part for part in annotated_parts(utterance) if part.acts and utterance.agent == SYSTEM]


def _acts(act: Act) -> Iterator[DialogAct]:
    number = _NUMBERS.get(act.name, act.name)
    for argument in act.arguments or (Argument(""),):
        yield DialogAct(number, argument.slot, argument.values)


class GenerationFormat(ExportOnly):
    """Writes generation items."""

    name = "gem-generation"
    why = "its items lack their dialogues"

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
        """Return the items of these dialogues, one on each line."""
        items = (record for dialogue in dialogues for record in records(dialogue))
        return b"".join(msgspec.json.encode(record) + b"\n" for record in items)

    def kept(self, dialogue: Dialogue) -> Dialogue:
        """Return the part of a dialogue that its items have: utterances up to the last item."""
        spoken = [event for event in dialogue.events if isinstance(event, Utterance)]
        last = max((n for n, each in enumerate(spoken) if _parts(each)), default=-1)
        return Dialogue(id=dialogue.id, events=tuple(map(_bare, spoken[: last + 1])))


def _bare(utterance: Utterance) -> Utterance:
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
