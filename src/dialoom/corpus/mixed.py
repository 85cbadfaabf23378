"""Several corpora read as one, to learn from all of them: real dialogues and simulated ones.

A task that an earlier corpus has under the same name may be another one in a later corpus, so there
its name gets a mark: `weather` of the second corpus is `weather@2`. Ids get the same mark.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dialoom.corpus.corpus import Corpus
from dialoom.dialogue import Dialogue, Event, Part, Scenario, Selection, Utterance, digest

if TYPE_CHECKING:
    from dialoom.schema.task import TaskSchema

MARK = "@"
"""Separator between a name and the number of its corpus."""


def unmarked(name: str) -> str:
    """Return a task's name without the mark of its corpus."""
    return name.partition(MARK)[0]


def place(id: str) -> int:
    """Return the number of the corpus that a dialogue of a mixed one is of, by its id."""
    number = id.rpartition(MARK)[2] if MARK in id else ""
    return int(number) if number.isdecimal() else 1


class MixedCorpus(Corpus):
    """The dialogues of several corpora in a row, published ones first: they keep their ids."""

    def __init__(self, parts: Sequence[Corpus]) -> None:
        super().__init__(Path(" + ".join(str(part.path) for part in parts)), parts[0]._format)
        self.parts = tuple(parts)

    @cached_property
    def schemas(self) -> dict[str, TaskSchema]:
        """The task schemas of all parts."""
        tasks: dict[str, TaskSchema] = {}
        for number, part in enumerate(self.parts, 1):
            tasks |= {_marked(name, number, tasks): task for name, task in part.schemas.items()}
        return tasks

    def dialogues(self) -> Iterator[Dialogue]:
        """Yield every dialogue, corpus by corpus; each call begins anew."""
        return chain.from_iterable(self.by_part())

    def by_part(self) -> Iterator[Iterator[Dialogue]]:
        """Yield the dialogues of each part."""
        all_names: set[str] = set()
        for number, part in enumerate(self.parts, 1):
            names = {name: _marked(name, number, all_names) for name in part.schemas}
            yield (_renamed(dialogue, number, names) for dialogue in part.dialogues())
            all_names |= names.keys()

    @cached_property
    def digest(self) -> str:
        """The digest of the parts' digests."""
        return digest([part.digest for part in self.parts])


def by_part(corpus: Corpus) -> Iterator[Iterator[Dialogue]]:
    """Yield the dialogues of each part of a mixed corpus; all of any other corpus."""
    return corpus.by_part() if isinstance(corpus, MixedCorpus) else iter([corpus.dialogues()])


def _marked(name: str, number: int, names: Container[str]) -> str:
    return f"{name}{MARK}{number}" if name in names else name


def _renamed(dialogue: Dialogue, number: int, names: dict[str, str]) -> Dialogue:
    if number == 1:
        return dialogue

    def renamed(event: Event) -> Event:
        if isinstance(event, Selection) and event.task:
            return replace(event, task=names.get(event.task, event.task))
        if isinstance(event, Utterance) and any(new != old for old, new in names.items()):
            layers = (replace(e, parts=tuple(map(part_renamed, e.parts))) for e in event.layers)
            return replace(event, layers=tuple(layers))
        return event

    def part_renamed(part: Part) -> Part:
        name = part.service
        return part if name is None else replace(part, service=names.get(name, name))

    scenario = dialogue.scenario or Scenario()
    tasks = [replace(each, task=names.get(each.task, each.task)) for each in scenario.capabilities]
    return replace(
        dialogue,
        id=f"{dialogue.id}{MARK}{number}",
        scenario=replace(scenario, capabilities=tuple(tasks)),
        services=tuple(names.get(name, name) for name in dialogue.services),
        events=tuple(map(renamed, dialogue.events)),
    )
