"""Values shared by the tasks of one dialogue: drawn before it, and learned during it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from dialoom.kb.domain import slot_domain
from dialoom.schema.once import once_for_each
from dialoom.schema.slot import Slot
from dialoom.schema.values import plain
from dialoom.sim.core.grammar import filled, names_in
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.stories.story import TaskStory, of_task

MOST = 2000
"""Slots with more values are not listed: the first task's value is taken over. The longest list
shared by tasks of the pack has 1,000 (numbers of rides)."""


def common(slots: Iterable[Slot]) -> tuple[Any, ...] | None:
    """Return the values that all of some slots can have; None if they are not listed.

    Short texts take any text, so that other slots decide; of short texts alone, the first one's
    examples are returned.
    """
    overlap: tuple[Any, ...] | None = None
    for slot in sorted(slots, key=lambda slot: slot.type == "short text"):
        domain = slot_domain(slot)
        if domain is None or domain.size > MOST or slot.type == "long text":
            continue
        if slot.type == "short text" and overlap is not None:
            overlap = tuple(value for value in overlap if isinstance(value, str))
            continue
        values = [domain.at(place) for place in range(domain.size)]
        overlap = tuple(values) if overlap is None else tuple(v for v in overlap if v in values)
    return overlap


@once_for_each
def _possible(story: TaskStory) -> dict[str, tuple[Any, ...] | None]:
    domains = {}
    for name, references in story.shared.items():
        slots = [slot for each in references if (slot := story.slot(each)) is not None]
        domains[name] = common(slots)
    return domains


class Demands(NamedTuple):
    """A story's demands: required values, and a description of broken constraints, if any."""

    values: Mapping[str, Any]
    broken: Callable[[Mapping[str, Any]], str | None]

    def without(self, slot: str, refused: Any) -> Demands:
        """Return these demands and that a slot does not have a refused value."""
        return self._replace(
            broken=lambda values: slot if values.get(slot) == refused else self.broken(values)
        )


FREE = Demands({}, lambda _: None)
"""No demands."""


class SharedValues:
    """The values shared by the tasks of one dialogue."""

    def __init__(self, story: TaskStory, tasks: Iterable[str], rng: SeededRng) -> None:
        self._story, members = story, frozenset(tasks)
        self._values: dict[str, Any] = {}
        self._shared: dict[str, list[str]] = {}
        self._now: dict[str, Any] = {}
        for name, references in story.shared.items():
            group = [each for each in references if each.partition(".")[0] in members]
            possible = _possible(story)[name]
            if len(group) > 1:
                self._shared[name] = group
                if possible:
                    self._now[name] = rng.choice(possible)

    def demands(self, task: str) -> Demands:
        """Return the story's demands on the values of a task's slots."""
        values = {
            of: self._now[name]
            for name, group in self._shared.items()
            for of in of_task(group, task)
            if name in self._now and self._story.slot(f"{task}.{of}") is not None
        }
        return Demands(values, partial(self._broken, task))

    def _broken(self, task: str, values: Mapping[str, Any]) -> str | None:
        if not self._story.constraints:
            return None
        facts = self._values | {f"{task}.{name}": value for name, value in values.items()}
        broken = (c for c in self._story.constraints if c.holds(facts) is False)
        return next(map(str, broken), None)

    def found(self, task: str) -> frozenset[str]:
        """Return the slots of a task with values from results of other tasks."""
        return frozenset(
            of
            for group in self._shared.values()
            if any(self._story.slot(reference) is None for reference in group)
            for of in of_task(group, task)
        )

    def learn(self, task: str, values: Mapping[str, Any]) -> None:
        """Note the values of a task's slots and outputs, which later tasks take over."""
        self._values |= {f"{task}.{name}": value for name, value in values.items()}
        for name, group in self._shared.items():
            options = _possible(self._story)[name]
            for of in of_task(group, task):
                value = values.get(of)
                if value is not None and (not options or value in options or self._free(group)):
                    self._now[name] = value

    def _free(self, references: Iterable[str]) -> bool:
        """Return True if only short texts share a value, which may be any text."""
        slots = map(self._story.slot, references)
        return all(slot is None or slot.type == "short text" for slot in slots)

    def leads(self, task: str) -> bool:
        """Return True if a result of a task brings a value for another task."""
        references = (each for group in self._shared.values() for each in group)
        names = of_task(references, task)
        return any(self._story.slot(f"{task}.{of}") is None for of in names)

    def fill(self, template: str) -> str | None:
        """Fill a text with shared values and those of tasks; None if one is missing."""
        texts = {name: self._text(name) for name in names_in(template)}
        facts = {name: text for name, text in texts.items() if text is not None}
        if any("." in name or name in self._story.shared for name in texts.keys() - facts.keys()):
            return None
        return filled(template, facts).text

    def _text(self, name: str) -> str | None:
        references = [name] if "." in name else self._story.shared.get(name, ())
        value = self._values.get(name, self._now.get(name))
        slot = next((slot for each in references if (slot := self._story.slot(each))), None)
        if value is None and references and "." not in name:
            value = next((self._values[each] for each in references if each in self._values), None)
        return None if value is None else plain(value, self._story.language, slot)
