"""What a service offers a tracker to choose from: slots, listed values and intents, as words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

import numpy as np

from dialoom.models.tracker.pairs import Floats, Targets
from dialoom.models.tracker.words import Codes, codes, content, normal_text, stem, tokens
from dialoom.schema.lexicon import split_name
from dialoom.schema.rewording import synonyms
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

BOOLEAN = frozenset({"true", "false"})
"""Values of a slot that is true or false, in lower case."""

_NAMELESS = 0.5
"""How often a slot is described without its own name in training."""

_OTHERWISE = 0.5
"""How often it is described in other words."""

_REWORDED = 3
"""Own rewordings of a description."""

_REPLACED, _DROPPED = 0.6, 0.15
"""Share of words that are replaced by words for the same, and that are left out."""


@dataclass(frozen=True)
class SlotView:
    """A slot as a tracker sees it.

    Attributes:
        name: Its name.
        kind: Its type, or "boolean".
        values: What it may be, where that is listed.
        stems: Words of its name and description.
        words: The same and its kind, as numbers; the last is its own name, where that is known.
        others: The words of other names and descriptions that would say the same.
    """

    name: str
    kind: str
    values: tuple[str, ...]
    stems: tuple[str, ...]
    words: Codes
    others: tuple[Codes, ...] = ()

    @property
    def listed(self) -> bool:
        """Whether its values are listed."""
        return bool(self.values)

    def training_words(self, draw: Random) -> Codes:
        """Return words for it: its own, with or without its own name, or others."""
        return sampled_words(self.words, self.others, draw)

    def with_value(self, value: str, draw: Random | None = None) -> Codes:
        """Return the words of the slot with one of its values."""
        said = codes(content(value) or [value.lower()], "value")
        return np.concatenate((self.training_words(draw) if draw else self.words, said))


def sampled_words(words: Codes, others: tuple[Codes, ...], draw: Random) -> Codes:
    """Return some words of a description, the last of which is a name that nothing else has."""
    if others and draw.random() < _OTHERWISE:
        return draw.choice(others)
    return words[: len(words) - (draw.random() < _NAMELESS)]


def reworded(stems: Sequence[str], draw: Random) -> list[str]:
    """Return a description in other words: some left out, some replaced by words for the same."""
    found = []
    for each in stems:
        other = _synonyms().get(each, ())
        if other and draw.random() < _REPLACED:
            found += draw.choice(other)
        elif draw.random() > _DROPPED:
            found.append(each)
    return found or list(stems)


@cache
def _synonyms() -> dict[str, list[list[str]]]:
    """Return stem to the stems of words and phrases for the same."""
    found: dict[str, list[list[str]]] = {}
    for group in synonyms("en").groups:
        said = [content(phrase) for phrase in group]
        for one in said:
            for other in said:
                if one != other and len(one) == 1 and other:
                    found.setdefault(one[0], []).append(other)
    return found


def _text(name: str, description: str | None) -> str:
    return f"{' '.join(split_name(name))}: {description or ''}"


class ServiceView:
    """A service as a tracker sees it.

    Args:
        task: Its schema.
        name: Its name.
        variants: Schemas that say the same in other words, slots and intents in the same order.
        draw: Describes some slots and intents in other words; by default none are.
        named: Whether slots and intents have their own names as words too. Of services that scores
            were not learnt from these tell nothing, and nothing is learnt from a view without.
    """

    def __init__(
        self,
        task: TaskSchema,
        name: str,
        variants: Sequence[TaskSchema] = (),
        draw: Random | None = None,
        *,
        named: bool = True,
    ) -> None:
        self.task, self.name, self._other_words, self._named = task, name, draw, named
        self.service = contract(task)
        self._draw = Random(name)
        self._variants = [
            other
            for other in map(contract, variants)
            if len(other.slots) == len(self.service.slots)
            and len(other.intents) == len(self.service.intents)
        ]
        taken = {s for i in self.service.intents for s in (*i.required, *i.optional)}
        views = [self._slot(n) for n in range(len(self.service.slots))]
        # the inputs first: they alone are in states, and have the first places of all scores
        self.inputs = tuple(view for view in views if view.name in taken)
        self.slots = (*self.inputs, *(view for view in views if view.name not in taken))
        self.place = {view.name: n for n, view in enumerate(self.slots)}
        self.choices = tuple((view, value) for view in self.inputs for value in view.values)
        self.of_choice = {(v.name, value): n for n, (v, value) in enumerate(self.choices)}
        self.roles = {view.name: self._roles(view.name) for view in self.slots}
        self.kinds = Counter(view.kind for view in self.inputs)
        self.intents = tuple(intent.name for intent in self.service.intents)

    def _slot(self, n: int) -> SlotView:
        slot = self.service.slots[n]
        listed = tuple(map(str, slot.possible_values)) if slot.categorical else ()
        boolean = bool(listed) and {value.lower() for value in listed} == BOOLEAN
        own = self.task.slots.get(slot.name)
        kind = "boolean" if boolean else "category" if listed else own.type if own else "?"
        stems = content(slot.name, slot.description or "")
        said = [content(s.name, s.description or "") for s in (v.slots[n] for v in self._variants)]
        said += [reworded(stems, self._draw) for _ in range(_REWORDED)]
        stems, mark = self._described(stems, said), codes([kind], "kind")
        return SlotView(
            slot.name,
            kind,
            listed,
            tuple(stems),
            np.concatenate((codes(stems), mark, self._own_name("slot", slot.name))),
            tuple(np.concatenate((codes(words), mark)) for words in said),
        )

    def _own_name(self, what: str, name: str) -> Codes:
        """Return the word that is a slot's or an intent's own name."""
        return codes([f"{what}:{self.name}.{name}"] if self._named else [])

    def _described(self, words: list[str], others: Sequence[list[str]]) -> list[str]:
        """Return a description, or other words for it."""
        draw = self._other_words
        return draw.choice(others) if draw and draw.random() < _OTHERWISE else words

    def _roles(self, name: str) -> list[float]:
        """Tell whether a search requires a slot, a change does, it is optional, it is a result."""
        intents = self.service.intents
        return [
            float(any(name in i.required and not i.transactional for i in intents)),
            float(any(name in i.required and i.transactional for i in intents)),
            float(any(name in i.optional for i in intents)),
            float(any(name in i.results for i in intents)),
        ]

    def slot(self, name: str) -> SlotView:
        """Return one of the slots."""
        return self.slots[self.place[name]]

    def of_choices(self, slot: SlotView, scores: Floats) -> list[float]:
        """Return the scores of a slot's listed values, of those of all listed values."""
        if not slot.listed:
            return []
        first = self.of_choice[slot.name, slot.values[0]]
        found: list[float] = scores[first : first + len(slot.values)].tolist()
        return found

    @cached_property
    def slot_texts(self) -> list[str]:
        """The slots as an encoder reads them, inputs first."""
        slots = {slot.name: slot for slot in self.service.slots}
        return [_text(view.name, slots[view.name].description) for view in self.slots]

    @cached_property
    def intent_texts(self) -> list[str]:
        """The intents as an encoder reads them."""
        return [_text(each.name, each.description) for each in self.service.intents]

    @cached_property
    def choice_texts(self) -> list[str]:
        """The listed values of inputs as an encoder reads them."""
        return [f"{' '.join(split_name(view.name))}: {value}" for view, value in self.choices]

    @property
    def texts(self) -> list[str]:
        """All that an encoder reads of it."""
        return [*self.slot_texts, *self.intent_texts, *self.choice_texts]

    @cached_property
    def slot_targets(self) -> Targets:
        """The words of all slots, inputs first."""
        return Targets.of([view.words for view in self.slots])

    @cached_property
    def choice_targets(self) -> Targets:
        """The words of all listed values of inputs."""
        return Targets.of([view.with_value(value) for view, value in self.choices])

    @cached_property
    def _intents(self) -> dict[str, tuple[Codes, tuple[Codes, ...]]]:
        """Intent to its words, and to others that would say the same."""
        found = {}
        for n, intent in enumerate(self.service.intents):
            mark = "transaction" if intent.transactional else "search"
            same = [intent, *(variant.intents[n] for variant in self._variants)]
            first, *others = [[*content(i.name, i.description or ""), mark] for i in same]
            others += [reworded(first, self._draw) for _ in range(_REWORDED)]
            first = self._described(first, others)
            own = np.concatenate((codes(first), self._own_name("intent", intent.name)))
            found[intent.name] = own, tuple(map(codes, others))
        return found

    def intent_words(self, name: str, draw: Random) -> Codes:
        """Return words for an intent."""
        return sampled_words(*self._intents[name], draw)

    @cached_property
    def intent_targets(self) -> Targets:
        """The words of all intents."""
        return Targets.of([words for words, _ in self._intents.values()])

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
