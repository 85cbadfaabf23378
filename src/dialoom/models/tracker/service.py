"""What a service offers a tracker to choose from: slots, listed values and intents, as words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

import numpy as np

from dialoom.models.tracker.pairs import Targets
from dialoom.models.tracker.words import Codes, codes, content, normal_text, stem, tokens
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

BOOLEAN = frozenset({"true", "false"})
"""Values of a slot that is true or false, in lower case."""

_NAMELESS = 0.5
"""How often a slot is described without its own name in training."""


@dataclass(frozen=True)
class SlotView:
    """A slot as a tracker sees it.

    Attributes:
        name: Its name.
        kind: Its type, or "boolean".
        values: What it may be, where that is listed.
        stems: Words of its name and description.
        words: The same and its kind, as numbers.
    """

    name: str
    kind: str
    values: tuple[str, ...]
    stems: tuple[str, ...]
    words: Codes

    @property
    def listed(self) -> bool:
        """Whether its values are listed."""
        return bool(self.values)

    def plain(self, draw: Random) -> Codes:
        """Return its words, every other time without the last, which is its own name."""
        return self.words[: len(self.words) - (draw.random() < _NAMELESS)]

    def valued(self, value: str, draw: Random | None = None) -> Codes:
        """Return the words of the slot with one of its values."""
        said = [f"value:{word}" for word in content(value)] or [f"value:{value.lower()}"]
        return np.concatenate((self.plain(draw) if draw else self.words, codes(said)))


@dataclass
class ServiceView:
    """A service as a tracker sees it.

    Attributes:
        task: Its schema.
        name: Its name.
        known: Whether it may be one that was trained on: its names are words then as well.
    """

    task: TaskSchema
    name: str
    inputs: tuple[SlotView, ...] = field(init=False)
    slots: tuple[SlotView, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Read the schema."""
        service = contract(self.task)
        self.service = service
        taken = {name for i in service.intents for name in (*i.required, *i.optional)}
        views = []
        for slot in service.slots:
            listed = tuple(map(str, slot.possible_values)) if slot.categorical else ()
            boolean = bool(listed) and {value.lower() for value in listed} == BOOLEAN
            own = self.task.slots.get(slot.name)
            kind = "boolean" if boolean else "category" if listed else own.type if own else "?"
            stems = content(slot.name, slot.description or "")
            words = [*stems, f"kind:{kind}", f"slot:{self.name}.{slot.name}"]
            views.append(SlotView(slot.name, kind, listed, tuple(stems), codes(words)))
        # the inputs first: they alone are in states, and have the first places of all scores
        self.inputs = tuple(view for view in views if view.name in taken)
        self.slots = (*self.inputs, *(view for view in views if view.name not in taken))
        self.place = {view.name: n for n, view in enumerate(self.slots)}
        self.choices = tuple((view, value) for view in self.inputs for value in view.values)
        self.of_choice = {(v.name, value): n for n, (v, value) in enumerate(self.choices)}
        self.kinds = Counter(view.kind for view in self.inputs)
        self.intents = tuple(intent.name for intent in service.intents)

    @cached_property
    def slot_targets(self) -> Targets:
        """The words of all slots, inputs first."""
        return Targets.of([view.words for view in self.slots])

    @cached_property
    def choice_targets(self) -> Targets:
        """The words of all listed values of inputs."""
        return Targets.of([view.valued(value) for view, value in self.choices])

    @cached_property
    def intent_words(self) -> list[Codes]:
        """The words of each intent."""
        return [
            codes(
                [
                    *content(intent.name, intent.description or ""),
                    "transaction" if intent.transactional else "search",
                    f"intent:{self.name}.{intent.name}",
                ]
            )
            for intent in self.service.intents
        ]

    @cached_property
    def intent_targets(self) -> Targets:
        """The words of all intents."""
        return Targets.of(self.intent_words)

    @cached_property
    def phrases(self) -> dict[str, list[tuple[tuple[str, ...], int]]]:
        """First word to the listed values that begin with it, as stems, and their places."""
        found: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for n, (view, value) in enumerate(self.choices):
            if view.kind != "boolean":
                said = tuple(stem(word) for word, _, _ in tokens(value))
                found.setdefault(said[0], []).append((said, n))
        return found

    @cached_property
    def normal_choices(self) -> list[str]:
        """The listed values as they are compared."""
        return [normal_text(value) for _, value in self.choices]
