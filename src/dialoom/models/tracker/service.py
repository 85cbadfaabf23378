"""Slots, listed values and intents of a service's schema, as hash codes of their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from random import Random
from typing import NamedTuple

import numpy as np

from dialoom.learn.crf import TokenSpan
from dialoom.learn.vectors import Vectors, vectors
from dialoom.learn.words import Codes, codes, content, normal_text, stem, tokens, unmarked
from dialoom.models.tracker.known_values import UNKNOWN, SlotTypes, StateValues, TypedSlot
from dialoom.models.tracker.pairs import CodedText, Floats, Targets
from dialoom.models.tracker.turns import TEXT, Speech, concepts
from dialoom.schema.lexicon import split_name
from dialoom.schema.rewording import synonyms
from dialoom.schema.service import ANYTHING
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

BOOLEAN = frozenset({"true", "false"})
"""The listed values of a boolean slot, in lower case."""

_NAMELESS = 0.5
"""In training, the probability that a description is used without the code of its name."""

_OTHERWISE = 0.5
"""In training, the probability that a description is replaced by a rewording."""

_REWORDED = 3
"""Number of generated rewordings of a description."""

_REPLACED, _DROPPED = 0.6, 0.15
"""In a rewording, shares of words with synonyms that are replaced, and of others left out."""


@dataclass(frozen=True)
class SlotView:
    """A slot with the words of its name and description.

    `kind` is "boolean" or "category" if its values are listed, else its type; "?" for unknown.
    `stems` are the distinct roots of name and description, without stop words. `words` have hash
    codes of these and of its kind; in a view with names, the last is that of its name. `others`
    have hash codes of rewordings, without its name. All have the vector of name and description.
    `known` are its values in training's states. `sure` is False if a type of the task's schema was
    replaced by a predicted one.
    """

    name: str
    kind: str
    values: tuple[str, ...]
    stems: tuple[str, ...]
    words: CodedText
    others: tuple[CodedText, ...] = ()
    known: StateValues = UNKNOWN
    sure: bool = True

    @property
    def listed(self) -> bool:
        """True if the slot has listed values."""
        return bool(self.values)

    @property
    def wordings(self) -> list[frozenset[int]]:
        """The hash codes of the words of its description, and of each rewording, without marks."""
        return [unmarked(each.codes) for each in (self.words, *self.others)]

    def training_words(self, draw: Random) -> CodedText:
        """Return the slot's words for a training example, as `sampled_words` draws them."""
        return sampled_words(self.words, self.others, draw)

    def with_value(self, value: str, draw: Random | None = None) -> CodedText:
        """Return the words of the slot and of one of its values, with a vector of each.

        `draw` draws the slot's words for a training example; None takes its own.
        """
        features = np.concatenate(
            (codes(content(value) or [value.lower()], "value"), concept_codes("cv", value))
        )
        own = self.training_words(draw) if draw else self.words
        return CodedText(
            np.concatenate((own.codes, features)), np.concatenate((own.vectors, vectors((value,))))
        )


def concept_codes(mark: str, *texts: str) -> Codes:
    """Return hash codes, with a mark, of the concepts (`turns.concepts`) that texts name."""
    names = (
        concept
        for text in texts
        for word_concepts in concepts([word for word, _, _ in tokens(_spaced(text))])
        for concept in word_concepts
    )
    return codes(dict.fromkeys(names), mark)


def _spaced(name: str) -> str:
    return " ".join(split_name(name))


def _meaning(name: str, description: str | None, *samples: str) -> Vectors:
    """Return the vector of a name, a description and samples of values: shape (1, SIZE)."""
    return vectors((" ".join((_spaced(name), description or "", *samples)),))


def sampled_words(words: CodedText, others: tuple[CodedText, ...], draw: Random) -> CodedText:
    """Return a rewording of a description, or the description with or without its name.

    The last code of `words` is that of the name; `others` are rewordings.
    """
    if others and draw.random() < _OTHERWISE:
        return draw.choice(others)
    sample = words.codes[: len(words.codes) - (draw.random() < _NAMELESS)]
    return words._replace(codes=sample)


def reworded(stems: Sequence[str], draw: Random) -> list[str]:
    """Return a description's stems with some replaced by those of synonyms, and some left out."""
    wording = []
    for each in stems:
        other = _synonyms().get(each, ())
        if other and draw.random() < _REPLACED:
            wording += draw.choice(other)
        elif draw.random() > _DROPPED:
            wording.append(each)
    return wording or list(stems)


@cache
def _synonyms() -> dict[str, list[list[str]]]:
    by_stem: dict[str, list[list[str]]] = {}
    for group in synonyms("en").groups:
        wordings = [content(phrase) for phrase in group]
        for one in wordings:
            for other in wordings:
                if one != other and len(one) == 1 and other:
                    by_stem.setdefault(one[0], []).append(other)
    return by_stem


class KnownWords(NamedTuple):
    """Slots and intents of a training service with the same contract (matching.py).

    `slots` map to clear counterparts, `intents` to words and rewordings.
    """

    slots: Mapping[str, SlotView]
    intents: Mapping[str, tuple[CodedText, tuple[CodedText, ...]]]


class ServiceView:
    """A service's slots, listed values and intents, with the words that scorers compare.

    Args:
        name: Its name.
        variants: The schema in other wordings (SGD-X), slots and intents in the same order; those
            with other numbers of slots or intents are ignored.
        draw: Draws the slots and intents that are described by a rewording; None for no such ones.
        has_names: Whether the names of slots and intents have hash codes of their own. Scorers have
            no weights for the names of services that they were not fitted on. Training examples may
            only be made from views with names.
        types: Predicts the types of slots without listed values; None for those of the task.
        values: Slot to its values in training's states.
        words_of: Slots and intents of training whose words are taken in place of the service's own.

    Attributes:
        service: The task's contract.
        inputs: The slots that intents take; no others occur in states.
        place: Slot name to its index in `slots`.
        choices: (slot, value) for each listed value of an input.
        of_choice: (slot name, value) to its index in `choices`.
        roles: Slot name to four features: whether searches require it, transactions require it,
            it is optional, it is a result.
        kinds: Kind to the number of inputs of that kind.
    """

    def __init__(
        self,
        task: TaskSchema,
        name: str,
        variants: Sequence[TaskSchema] = (),
        draw: Random | None = None,
        *,
        has_names: bool = True,
        types: SlotTypes | None = None,
        values: Mapping[str, StateValues] | None = None,
        words_of: KnownWords | None = None,
    ) -> None:
        self.task, self.name, self._other_words, self._named = task, name, draw, has_names
        self._types, self._values, self.words_of = types, values or {}, words_of
        self.service = contract(task)
        rewording = Random(name)
        self._variants = [
            other
            for other in map(contract, variants)
            if len(other.slots) == len(self.service.slots)
            and len(other.intents) == len(self.service.intents)
        ]
        needs = {s for i in self.service.intents for s in (*i.required, *i.optional)}
        views = [self._slot(n, rewording) for n in range(len(self.service.slots))]
        # inputs come first, so that their scores are the first ones of any array over slots
        self.inputs = tuple(view for view in views if view.name in needs)
        self.slots = (*self.inputs, *(view for view in views if view.name not in needs))
        self.place = {view.name: n for n, view in enumerate(self.slots)}
        self.choices = tuple((view, value) for view in self.inputs for value in view.values)
        self.of_choice = {(v.name, value): n for n, (v, value) in enumerate(self.choices)}
        self.roles = {view.name: self._roles(view.name) for view in self.slots}
        self.kinds = Counter(view.kind for view in self.inputs)
        self.intents = tuple(intent.name for intent in self.service.intents)

    def _slot(self, n: int, draw: Random) -> SlotView:
        slot = self.service.slots[n]
        states = self._values.get(slot.name, UNKNOWN)
        choices = tuple(map(str, slot.possible_values)) if slot.categorical else states.listed
        boolean = bool(choices) and {value.lower() for value in choices} == BOOLEAN
        own = self.task.slots.get(slot.name)
        kind: str = "boolean" if boolean else "category" if choices else own.type if own else "?"
        original = kind
        if self._types and not choices:
            kind = self._types(slot, kind)
        sure = kind == original
        kind = "time" if states.timed and not choices else kind
        stems = content(slot.name, slot.description or "")
        texts = [content(s.name, s.description or "") for s in (v.slots[n] for v in self._variants)]
        texts += [reworded(stems, draw) for _ in range(_REWORDED)]
        stems = self._described(stems, texts)
        mark = np.concatenate(
            (codes([kind], "kind"), concept_codes("c", slot.name, slot.description or ""))
        )
        samples = () if slot.categorical else map(str, slot.possible_values)
        meaning = _meaning(slot.name, slot.description, *samples)
        match = self.words_of and self.words_of.slots.get(slot.name)
        if match:
            return replace(match, name=slot.name, values=choices)
        return SlotView(
            slot.name,
            kind,
            choices,
            tuple(stems),
            CodedText(
                np.concatenate((codes(stems), mark, self._own_name("slot", slot.name))), meaning
            ),
            tuple(CodedText(np.concatenate((codes(words), mark)), meaning) for words in texts),
            states,
            sure,
        )

    @property
    def typed_slots(self) -> Iterator[TypedSlot]:
        """The slots without listed values, in all wordings."""
        for n, slot in enumerate(self.service.slots):
            kind = self.slot(slot.name).kind
            if kind not in ("category", "boolean", "?"):
                for service in (self.service, *self._variants):
                    yield TypedSlot(self.name, service.slots[n], kind)

    def _own_name(self, what: str, name: str) -> Codes:
        return codes([f"{what}:{self.name}.{name}"] if self._named else [])

    def _described(self, words: list[str], others: Sequence[list[str]]) -> list[str]:
        draw = self._other_words
        return draw.choice(others) if draw and draw.random() < _OTHERWISE else words

    def _roles(self, name: str) -> list[float]:
        intents = self.service.intents
        return [
            float(any(name in i.required and not i.transactional for i in intents)),
            float(any(name in i.required and i.transactional for i in intents)),
            float(any(name in i.optional for i in intents)),
            float(any(name in i.results for i in intents)),
        ]

    def slot(self, name: str) -> SlotView:
        """Return the slot with a name; `KeyError` if there is none."""
        return self.slots[self.place[name]]

    def spelled(self, slot: str, text: str) -> str:
        """Return the value of a slot that a text expresses, as states spell it."""
        return self.slot(slot).known.spelled(text) if slot in self.place else text

    def of_choices(self, slot: SlotView, scores: Floats) -> list[float]:
        """Return the scores of a slot's listed values, from an array over all `choices`."""
        if not slot.listed:
            return []
        first = self.of_choice[slot.name, slot.values[0]]
        part: list[float] = scores[first : first + len(slot.values)].tolist()
        return part

    @cached_property
    def slot_targets(self) -> Targets:
        """The slots as descriptions to be scored, in the order of `slots`."""
        return Targets.of([view.words for view in self.slots])

    @cached_property
    def choice_targets(self) -> Targets:
        """The listed values of inputs as descriptions to be scored, in the order of `choices`."""
        return Targets.of([view.with_value(value) for view, value in self.choices])

    @cached_property
    def slot_names(self) -> Vectors:
        """The vectors of the names of slots: shape (slots, SIZE)."""
        return vectors(_spaced(view.name) for view in self.slots)

    @cached_property
    def choice_names(self) -> Vectors:
        """The vector of each listed value; a boolean value has that of its slot's name.

        Shape: (listed values, SIZE).
        """
        return vectors(
            _spaced(view.name) if view.kind == "boolean" else value for view, value in self.choices
        )

    @cached_property
    def intent_wordings(self) -> dict[str, tuple[CodedText, tuple[CodedText, ...]]]:
        """Intent to its words, and to those of its rewordings."""
        wordings, rewording = {}, Random(f"{self.name}: intents")
        for n, intent in enumerate(self.service.intents):
            mark = "transaction" if intent.transactional else "search"
            same = [intent, *(variant.intents[n] for variant in self._variants)]
            first, *others = [[*content(i.name, i.description or ""), mark] for i in same]
            others += [reworded(first, rewording) for _ in range(_REWORDED)]
            first = self._described(first, others)
            senses = concept_codes("c", intent.name, intent.description or "")
            own = np.concatenate((codes(first), senses, self._own_name("intent", intent.name)))
            meaning = _meaning(intent.name, intent.description)
            match = self.words_of and self.words_of.intents.get(intent.name)
            reworded_ = tuple(
                CodedText(np.concatenate((codes(words), senses)), meaning) for words in others
            )
            wordings[intent.name] = match or (CodedText(own, meaning), reworded_)
        return wordings

    def intent_words(self, name: str, draw: Random) -> CodedText:
        """Return an intent's words for a training example, as `sampled_words` draws them."""
        return sampled_words(*self.intent_wordings[name], draw)

    @cached_property
    def intent_targets(self) -> Targets:
        """The intents as descriptions to be scored."""
        return Targets.of([words for words, _ in self.intent_wordings.values()])

    @cached_property
    def phrases(self) -> dict[str, list[tuple[tuple[str, ...], int]]]:
        """First stem to (stems, index in `choices`) of the listed values, without booleans."""
        by_stem: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for n, (view, value) in enumerate(self.choices):
            if view.kind != "boolean":
                stems = tuple(stem(word) for word, _, _ in tokens(value))
                by_stem.setdefault(stems[0], []).append((stems, n))
            for text in view.known.ways(value):
                words = tuple(text.split())
                by_stem.setdefault(words[0], []).append((words, n))
        return by_stem

    @cached_property
    def own_roots(self) -> frozenset[str]:
        """The roots of the words of its name."""
        return frozenset(content(self.name))

    def references(self, speech: Speech, values: Iterable[str]) -> Iterator[TokenSpan]:
        """Yield the words of an utterance that refer to the service or an item chosen there.

        `values` are those of its state: "the museum" refers to an attraction of that type.
        """
        norms = {norm for value in values if (norm := normal_text(value)) != ANYTHING}
        for n, (word, root_) in enumerate(zip(speech.stems, speech.roots, strict=True)):
            if root_ in self.own_roots or word in norms:
                yield TokenSpan(n, n + 1, TEXT)

    @cached_property
    def normal_choices(self) -> list[str]:
        """The normal forms of the listed values, in the order of `choices`."""
        return [normal_text(value) for _, value in self.choices]
