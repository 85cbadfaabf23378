"""The values of slots in training's states, where these are not what was said.

The states of some corpora have canonical values ("centre", "17:15", "yes") for what people say in
many ways ("in the middle of town", "a quarter past five", "with wifi"), and their schemas do not
list these values. What training's acts give a slot, and the value that its state gets then, show
how each value is said. Where states copy what was said, as in SGD, there is nothing to learn here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dialoom.models.tracker.turns import SAYS, Speech, TrackedTurn
from dialoom.models.tracker.words import normal_text
from dialoom.schema.service import ANYTHING
from dialoom.schema.slot import Slot
from dialoom.schema.values import parse

MOST, COVERED = 30, 0.9
"""Most values of a slot that is taken for one of listed values, and the least share of the changes
of its value that these values have."""

CHANGES = 20
"""Least changes of a slot's value in training for it to be judged."""

OTHERWISE = 0.05
"""Least share of changes to values that nobody said, for a slot of listed values."""

TWICE = 2
"""Least occurrences of a listed value, and of a way to say a value."""

AGREED = 2 / 3
"""Least share of a value in the changes of a slot where the same words were said."""

TIMED = 0.9
"""Least share of times in the values of a slot of times."""

_TIME = Slot(name="time", type="time")


@dataclass(frozen=True)
class SlotValues:
    """The values of a slot in training's states.

    Attributes:
        listed: The values, where they are few, common and often not said; else none.
        said: The normal form of what people say to the value, where it is another one.
        lower: Whether values are in small letters that people write in capitals.
        timed: Whether values are times as "17:15".
    """

    listed: tuple[str, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)
    lower: bool = False
    timed: bool = False

    def spelled(self, text: str) -> str:
        """Return the value that a text expresses, as states spell it."""
        known = self.said.get(normal_text(text))
        if known is None and self.timed:
            known = parse(_TIME, text)
        return known or (text.lower() if self.lower else text)


UNKNOWN = SlotValues()
"""Nothing is known of a slot's values."""

Known = Mapping[str, Mapping[str, SlotValues]]
"""Service to slot to its values."""


@dataclass
class _Changes:
    """The changes of a slot's value in training.

    Attributes:
        values: How many changes each value has.
        unsaid: How many values nobody had said.
        recased: How many values were said in other letters.
        said: The normal form of what an act gave the slot, to the values that it got.
    """

    values: Counter[str] = field(default_factory=Counter)
    unsaid: int = 0
    recased: int = 0
    said: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, values: Sequence[str], texts: Iterable[str], heard: str, read: str) -> None:
        """Add a change.

        Args:
            values: The spellings of the value in the state.
            texts: What acts of this turn give the slot.
            heard: The dialogue so far.
            read: Its normal form.
        """
        self.values[values[0]] += 1
        norms = set(map(normal_text, values))
        self.unsaid += not any(f" {norm} " in read for norm in norms)
        self.recased += values[0] not in heard and values[0] in heard.lower()
        for norm in map(normal_text, texts):
            if norm and norm not in norms and f" {norm} " in read:
                self.said.setdefault(norm, Counter())[values[0]] += 1

    def learnt(self) -> SlotValues:
        """Return what the changes show."""
        total = self.values.total()
        common = sorted(value for value, n in self.values.items() if n >= TWICE)
        few = len(common) <= MOST and sum(map(self.values.get, common)) >= COVERED * total
        listed = common if few and self.unsaid >= OTHERWISE * total else ()
        own = {normal_text(value): n for value, n in self.values.items()}
        said = {}
        for norm, values in self.said.items():
            (value, n), *_ = values.most_common(1)
            if n >= max(TWICE, AGREED * values.total()) and n > own.get(norm, 0):
                said[norm] = value
        timed = sum(n for value, n in self.values.items() if parse(_TIME, value) == value)
        return SlotValues(tuple(listed), said, self.recased >= TWICE, timed >= TIMED * total)


def known_values(dialogues: Iterable[Sequence[TrackedTurn]]) -> Known:
    """Return what the states of training's dialogues show of the values of slots."""
    changes: dict[tuple[str, str], _Changes] = {}
    for dialogue in dialogues:
        for service, slot, values, texts, heard, read in _changes(dialogue):
            changes.setdefault((service, slot), _Changes()).add(values, texts, heard, read)
    found: dict[str, dict[str, SlotValues]] = {}
    for (service, slot), each in sorted(changes.items()):
        if each.values.total() >= CHANGES:
            found.setdefault(service, {})[slot] = each.learnt()
    return found


def _changes(
    dialogue: Sequence[TrackedTurn],
) -> Iterator[tuple[str, str, list[str], list[str], str, str]]:
    """Yield service, slot, values, what acts give the slot, and the dialogue so far, twice."""
    heard, read = "", " "
    before: dict[tuple[str, str], tuple[object, ...]] = {}
    for turn in dialogue:
        heard += f"{turn.system.text}\n{turn.user.text}\n"
        read += " ".join([*turn.system.stems, *turn.user.stems, ""])
        for service, state in turn.states.items():
            for slot, values in state.values.items():
                if values != before.get((service, slot)) and values[:1] not in ((), (ANYTHING,)):
                    texts = _given(turn.user, service, slot) or _given(turn.system, service, slot)
                    yield service, slot, list(map(str, values)), texts, heard, read
                before[service, slot] = values


def _given(speech: Speech, service: str, slot: str) -> list[str]:
    """Return what the acts of an utterance give a slot."""
    return [
        value
        for act in speech.acts or ()
        if act.service == service and act.slot == slot and act.act in SAYS
        for value in act.values
    ]
