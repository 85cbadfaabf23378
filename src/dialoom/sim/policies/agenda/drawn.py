"""The bundled services in worlds with other names: towns, people and places are drawn at random.

    for world in drawn(packs, worlds=6):
        world["dining"]    # the pack with other towns, restaurants and streets

The bundled services have a dozen towns and as many people, so that a model learns the values by
heart. In a drawn world each name is made of new words, which resemble those of the bundled names
letter by letter (a Markov chain of letters). Services of a world share their names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dialoom.schema.act_wording import wording
from dialoom.sim.core.rng import SeededRng, seed_of

MOST = 100
"""Most worlds."""

TOWN = "city"
"""The concept whose values are towns."""

_END, _SHORTEST, _LONGEST = "$", 3, 10
_KEPT = re.compile(r"[a-z].*|[\d-]+s?")
"""Values that name nothing: phrases in lower case, years, phone numbers."""
_NAME = re.compile(r"[A-Z][a-z]{2,}")
_TRIES = 20

_BARE, _BEFORE, _AFTER, _DOUBLE = 55, 20, 18, 7
"""Weights of towns of one word, of those with a word before or after it, and of two words."""

Pack = dict[str, Any]
"""A pack of services as its file has it."""


def drawn(packs: Mapping[str, Pack], worlds: int) -> Iterator[dict[str, Pack]]:
    """Yield the packs of each world by name."""
    letters = _Letters(packs.values())
    for number in range(worlds):
        names = _WorldNames(letters, SeededRng(seed_of(number, 0), b"drawn services"))
        yield {name: _moved(pack, names) for name, pack in packs.items()}


def joined(packs: Sequence[Pack]) -> Pack:
    """Return a pack whose slots have the values of all worlds."""
    return packs[0] | {
        "services": [
            same[0] | {"slots": list(map(_all_values, *(each["slots"] for each in same)))}
            for same in zip(*(pack["services"] for pack in packs), strict=True)
        ]
    }


def _all_values(*slots: Pack) -> Pack:
    values = dict.fromkeys(value for slot in slots for value in slot["possible_values"])
    return slots[0] | {"possible_values": list(values)}


def _moved(pack: Pack, names: _WorldNames) -> Pack:
    services = [
        service | {"slots": [_renamed(slot, names) for slot in service["slots"]]}
        for service in pack["services"]
    ]
    facts = {
        slot: {
            names.of(value): {other: names.known(each) for other, each in about.items()}
            for value, about in values.items()
        }
        for slot, values in pack.get("facts", {}).items()
    }
    return pack | {"services": services, "facts": facts, "variants": dict(names.variants())}


def _renamed(slot: Pack, names: _WorldNames) -> Pack:
    if slot["is_categorical"]:
        return slot
    return slot | {"possible_values": list(map(names.of, slot["possible_values"]))}


class _Letters:
    """The letters of bundled names; `heads` begin or end several names: Hotel, Street."""

    def __init__(self, packs: Iterable[Pack]) -> None:
        values: dict[str, bool] = {}
        for pack in packs:
            cities = set(pack.get("concepts", {}).get(TOWN, ()))
            for slot in (slot for service in pack["services"] for slot in service["slots"]):
                if not slot["is_categorical"]:
                    for value in slot["possible_values"]:
                        values[value] = values.get(value, False) or slot["name"] in cities
        parts = [value.split() for value in values]
        ends = Counter(word for terms in parts if len(terms) > 1 for word in (terms[0], terms[-1]))
        self.heads = {word for word, count in ends.items() if count > 1}
        self.towns = {value for value, town in values.items() if town}
        self._next: dict[str, list[str]] = {}
        words = dict.fromkeys(word for terms in parts for word in terms if _NAME.fullmatch(word))
        for word in words.keys() - self.heads:
            ending = f"  {word.lower()}{_END}"
            for place in range(2, len(ending)):
                self._next.setdefault(ending[place - 2 : place], []).append(ending[place])
        for following in self._next.values():
            following.sort()

    def word(self, rng: SeededRng) -> str:
        while True:
            text = "  "
            while len(text) < _LONGEST + 3 and not text.endswith(_END):
                text += rng.choice(self._next[text[-2:]])
            word = text[2:].rstrip(_END)
            if text.endswith(_END) and _SHORTEST <= len(word) <= _LONGEST:
                return word.capitalize()


class _WorldNames:
    def __init__(self, letters: _Letters, rng: SeededRng) -> None:
        self._letters, self._rng = letters, rng
        self._names: dict[str, str] = {}
        self._variants: dict[str, list[str]] = {}
        lands = [letters.word(rng) for _ in range(3)]
        self._lands = [*lands, *(land[:2].upper() for land in lands)]

    def of(self, value: str) -> str:
        """Return the name for a bundled value, the same each time."""
        if value not in self._names:
            self._names[value] = value if _KEPT.fullmatch(value) else self._fresh(value)
        return self._names[value]

    def known(self, value: str) -> str:
        """Return the name of a value that has one; other values as they are."""
        return self._names.get(value, value)

    def variants(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the towns that have other names, with these: with their land, or a short one."""
        for value in sorted(self._names.keys() & self._letters.towns):
            name = self._names[value]
            if name not in self._variants:
                self._variants[name] = list(self._others(name))
            if self._variants[name]:
                yield name, self._variants[name]

    def _others(self, town: str) -> Iterator[str]:
        rng, words = self._rng, town.split()
        if rng.below(5) < 2:
            yield f"{town}, {rng.choice(self._lands)}"
        if len(words) > 1 and rng.once_in(3):
            yield rng.choice(["".join(word[0] for word in words), max(words, key=len)])

    def _fresh(self, value: str) -> str:
        names = set(self._names.values())
        make = self._town if value in self._letters.towns else lambda: self._like(value)
        return next((name for _ in range(_TRIES) if (name := make()) not in names), value)

    def _town(self) -> str:
        before, after = wording("en").towns
        word, rng = self._letters.word(self._rng), self._rng
        ways = (
            lambda: word,
            lambda: f"{rng.choice(before)} {word}",
            lambda: f"{word} {rng.choice(after)}",
            lambda: f"{word} {self._letters.word(rng)}",
        )
        return ways[rng.weighted([_BARE, _BEFORE, _AFTER, _DOUBLE])]()

    def _like(self, value: str) -> str:
        """Return a name of the same kind: its heads and short words, with other names in it."""
        rng, words = self._rng, []
        for word in value.split():
            if word.isdecimal():
                words.append(str(1 + rng.below(10 ** (1 + rng.below(4)))))
            elif not _NAME.match(word) or (word in self._letters.heads and not rng.once_in(4)):
                words.append(word)
            else:
                words.append(self._letters.word(rng) + _NAME.sub("", word, count=1))
        first = words[0].isdecimal() or words[0] in self._letters.heads
        if len(words) > 1 and not first and rng.once_in(10):
            return " ".join(words[1:])
        if rng.once_in(7):
            words.insert(int(first), self._letters.word(rng))
        return " ".join(words)
