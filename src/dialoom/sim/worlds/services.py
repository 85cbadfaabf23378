"""Services drawn at random, in SGD's layout, for trackers to learn from.

    for pack in drawn_services(240, seed=7):
        pack["services"]    # one service: {"service_name": "Cinema_3", "slots": …}

Domains, slots and values are those of drawn tasks. Services differ in what they have, and in how
they name and describe it. A pack has what the bundled files of services have
(`sim/policies/agenda/services.py` reads both).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.worlds.drawing import fact, places
from dialoom.sim.worlds.slots import DAYS, Node, SlotDrawer, with_article, world_words

FEWEST_SLOTS, MOST_SLOTS, MOST_REQUIRED = 3, 6, 2
COUNTS = 6
"""Values of a slot that lists numbers."""

ARTICLES = ("a", "an", "the")
"""Words that names of intents lack."""

ENTITIES = 20
"""Most names of what a service finds, such as films."""

SEARCHED = frozenset({"choice", "date", "person", "flag", "amount", "number"})
"""Kinds of slots by which a service searches; it asks for the others when it books."""

LISTED = {"flag": 1, "choice": 2, "number": 2}
"""Kind of slot to one in how many slots that list their values."""

TODAY: Node = {"type": "date", "from": "2019-03-01", "to": "2019-03-28", "step": 1}
"""Days of slots without limits of their own; SGD's dialogues take place on the first of them."""

Pack = dict[str, Any]


def drawn_services(number: int, seed: int = 0) -> Iterator[Pack]:
    """Yield packs of one service each; `UsageError` for a number out of range.

    Service 17 of a seed is the same whatever the number of services.
    """
    for place in places(number, "services"):
        yield _ServiceDrawer(place, seed).pack()


class _ServiceDrawer:
    """Draws one service: its slots, its intents, and how they are named.

    `kinds` has the kinds of the slots that users give values for.
    """

    def __init__(self, place: int, seed: int) -> None:
        words = world_words()
        self.rng = SeededRng(seed_of(seed, place), b"drawn service")
        self.draw, self.words = SlotDrawer(words, self.rng), words.services
        domain = list(words.worlds)[place % len(words.worlds)]
        thing, verbs, self.named, self.facts = words.worlds[domain]
        self.texts = {
            "thing": thing,
            "a thing": with_article(thing),
            "head": thing.split()[-1],
            "verb": verbs.split("; ")[0],
        }
        self.name = f"{_joined(domain.split('_'))}_{place}"
        self.slots: dict[str, Node] = {}
        self.kinds: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.say: dict[str, str] = {}
        self.ranges: dict[str, Node] = {}

    def pack(self) -> Pack:
        """Return the service and the additions to its schema."""
        entity = self._slot("entity", self.texts["head"], {"examples": self._entities()})
        picks = self.rng.shuffle(self.named.split())
        for name in picks[: self._between(FEWEST_SLOTS, MOST_SLOTS)]:
            slot = self.draw.slot(name)
            if slot.kind != "text":
                self.kinds[self._slot(slot.kind, slot.noun, slot.node)] = slot.kind
        facts = (self.draw.words.facts[output] for output in self.facts.split())
        outputs = [self._slot("fact", str(noun), fact(*limits)) for noun, *limits in facts]
        service = {
            "service_name": self.name,
            "description": self._text(self.words.about),
            "slots": list(self.slots.values()),
            "intents": list(self._intents(entity, outputs)),
        }
        extras = {"names": self.names, "say": self.say, "kinds": self.ranges}
        return {"services": [service], **extras}

    def _intents(self, entity: str, outputs: Sequence[str]) -> Iterator[Node]:
        """Yield the intent that searches and, of three services in four, one that books."""
        searched = [name for name, kind in self.kinds.items() if kind in SEARCHED]
        required = searched[: self._between(1, MOST_REQUIRED)] or [entity]
        wishes = {name: "dontcare" for name in searched if name not in required}
        results = dict.fromkeys([entity, *required, *searched, *outputs])
        yield self._intent(self.words.find, required, wishes, [*results])
        booked = [name for name, kind in self.kinds.items() if kind not in SEARCHED]
        booked += [name for name in searched if self.kinds[name] in ("date", "number")]
        if booked and not self.rng.once_in(4):
            required = [entity, *booked[: self._between(1, MOST_REQUIRED)]]
            extras = {name: "False" for name, kind in self.kinds.items() if kind == "flag"}
            results = dict.fromkeys([entity, *self.kinds, *outputs])
            yield self._intent(self.words.do, required, extras, [*results])

    def _intent(
        self, texts: Sequence[str], required: list[str], optional: Node, results: list[str]
    ) -> Node:
        described = self._text(texts)
        return {
            "name": _joined(word for word in self._text(texts).split() if word not in ARTICLES),
            "description": described,
            "is_transactional": texts is self.words.do,
            "required_slots": required,
            "optional_slots": optional,
            "result_slots": results,
        }

    def _entities(self) -> list[str]:
        last, adjectives = self.draw.words.last.split(), self.words.adjectives.split()
        entities: dict[str, None] = {}
        for _ in range(ENTITIES):
            name = self.rng.choice(last)
            either = f"{self.rng.choice(adjectives)} {name}", f"{name} {self.texts['head'].title()}"
            entities[self.rng.choice(either)] = None
        return list(entities)

    def _slot(self, kind: str, noun: str, node: Node) -> str:
        """Add a slot, worded anew, with what its schema does not say; return its name."""
        values = [*node.get("values", ()), *node.get("examples", ())]
        finite = self.rng.once_in(LISTED.get(kind, 0))
        if kind == "flag":
            values = ["True", "False"]
        elif kind == "number" and finite:
            values = [str(node["minimum"] + more) for more in range(COUNTS)]
        bare = noun.removeprefix("an ").removeprefix("a ")
        words = {"noun": noun, "bare": bare}
        name = self._name(kind, words)
        self.slots[name] = {
            "name": name,
            "description": self._text(_ways(self.words.descriptions, kind), words),
            "is_categorical": finite,
            "possible_values": values,
        }
        self.names[name] = f"number of {bare}" if kind == "number" else bare
        phrase = self.words.said.get(bare) or self.words.said.get(kind)
        if phrase:
            self.say[name] = phrase.replace("{noun}", noun)
        if not values:
            of_days = node["type"] == "date" and node["from"] == DAYS[0]
            self.ranges[name] = TODAY if of_days else _without_text(node)
        return name

    def _name(self, kind: str, words: dict[str, str]) -> str:
        ways = self.rng.shuffle([*_ways(self.words.names, kind), "{bare} of {thing}"])
        names = ("_".join(self._filled(way, words).lower().split()) for way in ways)
        return next(name for name in names if name not in self.slots)

    def _between(self, least: int, most: int) -> int:
        return least + self.rng.below(most - least + 1)

    def _text(self, ways: Sequence[str], words: dict[str, str] | None = None) -> str:
        text = self._filled(self.rng.choice(ways), words or {})
        return text[0].upper() + text[1:]

    def _filled(self, text: str, words: dict[str, str]) -> str:
        for place, word in (self.texts | words).items():
            text = text.replace(f"{{{place}}}", word)
        return text


def _ways(texts: dict[str, tuple[str, ...]], kind: str) -> tuple[str, ...]:
    return texts.get(kind, texts["any"])


def _joined(words: Iterable[str]) -> str:
    return "".join(word[0].upper() + word[1:] for word in words)


def _without_text(node: Node) -> Node:
    return {key: value for key, value in node.items() if key != "description"}
