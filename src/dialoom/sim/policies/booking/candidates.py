"""The candidates of an item: what else the bot might say next, drawn as the published files do.

    candidates = Candidates(task, base, 5, wording, seed)
    candidates.draw(turn, talk, rng)                 # 11 texts in random order, the true one in

Counted in `tst1` and `tst3` (five files of 1,000 items each), where the true line follows from the
history in all 10,000 items: a line without an entity has the same ten others in all items of a
file (`SHARED`); a call has seven calls of a few other values and three lines of its history; an
option has the other restaurants returned and some that were not; a phone number or address has
those of others. 2.6 % in all are users' lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.dialogue import USER, Utterance
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.knowledge import Knowledge, Restaurant, Values, shuffle
from dialoom.sim.policies.booking.requests import another
from dialoom.sim.policies.booking.talk import CALL, Talk, Turn, call_line
from dialoom.sim.policies.booking.wording import BOT, NAMED, Wording

OTHERS = 10
"""Candidates of an item besides the true one."""

NEAR = 7
"""Candidates for a call that are calls like it; the others are lines of the history."""

DIFFERENT: dict[int, tuple[int, ...]] = {
    5: (1,) * 65 + (2,) * 34 + (3,),
    6: (1,) * 45 + (2,) * 46 + (3,) * 9,
}
"""Slots of a call to how many values such a call changes, as often as it does.

tst1: 3,648 of one, 1,917 of two, 34 of three; tst3: 2,154, 2,251, 437, and one of four.
"""

CHANGED = (0,) * 20 + (1,) * 20 + (2,) * 20 + (3,) * 8 + (4,) * 5
"""Places of the slots that are changed, as often as they are (tst1: 2,016 cuisines, 2,134
locations, 2,162 party sizes, 792 prices, 480 atmospheres); restrictions are as prices are."""

USERS, LINES = {1: 3, 2: 2, 5: 3}, 4
"""Task to how many of four lines of the history are the user's (77, 47 and 74 %)."""

ASIDE = 43
"""Once in so many times a repeated option is among the options (18 of 785)."""

AGAIN = 4
"""Once in so many times the option itself is among the repeated ones (27 of 112)."""

MIXED = 6
"""Once in so many times another restaurant's other fact is among the facts (151 of 979)."""

HELD = 5
"""Facts of other restaurants returned among the candidates, repeated where there are fewer."""

SHARED: dict[int, dict[str, tuple[str, str]]] = {
    1: {
        "ask.atmosphere": ("c7 l3", "c6 l4"),
        "ask.cuisine": ("c9 l1", "c8 l2"),
        "ask.location": ("c8 l2", "c7 l3"),
        "ask.number": ("c6 l4", "c4 l6"),
        "ask.price": ("c5 l5", "c4 l6"),
        "ask.restrictions": ("c4 l6", "c4 l6"),
        "look": ("c7 l3", "c6 l4"),
        "ready": ("c4 l6", "c3 l7"),
    },
    2: {
        "more": ("c10", "c10"),
        "look": ("c10", "c9 l1"),
        "ready": ("c8 l2", "c8 l2"),
    },
    3: {
        "hello": ("o9 l1", "o9 l1"),
        "on_it": ("w6 l4", "w6 l4"),
        "look": ("o9 l1", "o9 l1"),
        "another": ("o8 l2", "o6 w2 l2"),
        "sorry": ("o8 l2", "o8 l2"),
        "reserve": ("o2 w6 l2", "o3 w5 l2"),
    },
    4: {
        "hello": ("p9 l1", "p9 l1"),
        "reserve": ("a5 p5", "a4 p6"),
        "ready": ("a4 p4 l2", "p8 l2"),
    },
    5: {
        "ask.atmosphere": ("c5 o1 l4", "c1 o4 l5"),
        "ask.cuisine": ("c8 l2", "c5 l5"),
        "ask.location": ("c2 a1 p4 l3", "a5 p2 l3"),
        "ask.number": ("c1 o4 l5", "o4 l6"),
        "ask.price": ("c5 o2 l3", "c1 o5 l4"),
        "ask.restrictions": ("o2 l8", "o2 l8"),
        "look": ("o8 l2", "o8 l2"),
        "ready": ("p1 l9", "l10"),
        "more": ("c6 l4", "c5 p1 l4"),
        "another": ("o3 w1 l6", "o3 l7"),
        "sorry": ("c1 o7 l2", "o7 l3"),
        "reserve": ("o3 w4 l3", "c1 o1 w1 p1 a1 l5"),
        "anything": ("c3 o4 l3", "o5 l5"),
        "welcome": ("c1 p2 l7", "p2 l8"),
    },
}
"""Task and true line to what the others are, in tst1 and tst3: calls, options, options repeated
(w, as in "that was"), phone numbers, addresses, the bot's other lines."""

ENTITY = {"o": "offer", "w": "was", "p": "tell.phone", "a": "tell.address"}
"""Letters of `SHARED` that stand for lines with an entity."""

SPOKEN: dict[int, tuple[str, ...]] = {
    1: ("hello", "on_it", "ask", "look", "ready"),
    2: ("hello", "on_it", "look", "more", "ready"),
    3: ("hello", "on_it", "look", "another", "sorry", "reserve"),
    4: ("hello", "reserve", "ready"),
    5: tuple(dict.fromkeys(line.partition(".")[0] for line in BOT if line not in NAMED)),
}
"""Task to the acts of the bot that name no entity."""

OTHER_FACT = {"tell.phone": "tell.address", "tell.address": "tell.phone"}


class Candidates:
    """The candidates of one file.

    Args:
        task: The task, 1 to 5.
        base: The knowledge base.
        size: How many slots a call has: 5 or 6.
        wording: What is said.
        seed: The seed of what the items of the file have in common.
    """

    def __init__(
        self, task: int, base: Knowledge, size: int, wording: Wording, seed: bytes
    ) -> None:
        self.task, self.base, self.size = task, base, size
        self.wording, self.seed = wording, seed
        self._shared: dict[str, tuple[str, ...]] = {}
        self._lines = list(self._spoken())

    def _spoken(self) -> Iterator[str]:
        """Yield the bot's lines without an entity that the file has."""
        slots = self.base.design.slots[: self.size]
        for line in BOT:
            act, _, topic = line.partition(".")
            if act in SPOKEN[self.task] and (act != "ask" or topic in slots):
                yield line

    def draw(self, turn: Turn, talk: Talk, rng: SeededRng) -> list[str]:
        """Return the candidates of an item in random order.

        Args:
            turn: The true turn.
            talk: The dialogue it is in.
            rng: What is drawn.
        """
        if turn.line == CALL:
            others = self._calls(turn, talk, rng)
        elif turn.restaurant is None:
            others = list(self._fixed(turn))
        elif turn.line in OTHER_FACT:
            others = self._facts(turn, turn.restaurant, talk, rng)
        else:
            others = self._options(turn, turn.restaurant, talk, rng)
        texts = [turn.text, *others]
        shuffle(texts, rng)
        return texts

    def _say(self, line: str, restaurant: Restaurant) -> str:
        entity = NAMED[line]
        return self.wording.line(line).fill({entity: getattr(restaurant, entity)})

    def _some(self, line: str, rng: SeededRng) -> str:
        """Say a line about any restaurant."""
        return self._say(line, rng.choice(self.base.restaurants))

    def _filled(self, found: list[str], true: str, line: str, rng: SeededRng) -> list[str]:
        """Add the line about other restaurants until there are enough."""
        held = {true, *found}
        while len(found) < OTHERS:
            text = self._some(line, rng)
            if text not in held:
                held.add(text)
                found.append(text)
        return found

    def _options(self, turn: Turn, own: Restaurant, talk: Talk, rng: SeededRng) -> list[str]:
        found = [self._say(turn.line, each) for each in talk.found if each is not own]
        if turn.line == "offer" and rng.once_in(ASIDE):
            found.append(self._say("was", own))
        if turn.line == "was" and rng.once_in(AGAIN):
            found.append(self._say("offer", own))
        return self._filled(found, turn.text, turn.line, rng)

    def _facts(self, turn: Turn, own: Restaurant, talk: Talk, rng: SeededRng) -> list[str]:
        line, other = turn.line, OTHER_FACT[turn.line]
        near = [self._say(line, each) for each in talk.found if each is not own]
        if len(near) > 1:
            return self._filled([near[n % len(near)] for n in range(HELD)], turn.text, line, rng)
        near.append(self._say(other, own))
        if rng.once_in(MIXED):
            near.append(self._some(other, rng))
        return self._filled(near, turn.text, line, rng)

    def _calls(self, turn: Turn, talk: Talk, rng: SeededRng) -> list[str]:
        found = list(self._history(turn, talk, rng))
        held = {turn.text, *found}
        while len(found) < OTHERS:
            text = call_line(self._changed(turn.values, rng))
            if text not in held:
                held.add(text)
                found.append(text)
        return found

    def _changed(self, values: Values, rng: SeededRng) -> Values:
        """Return a call with a few other values."""
        changed = list(values)
        places: set[int] = set()
        many = rng.choice(DIFFERENT[self.size])
        while len(places) < many:
            place = rng.choice(CHANGED)
            if self.size == 6 and place == 3 and rng.once_in(2):
                place = 5
            if place not in places:
                places.add(place)
                changed[place] = another(self.base.values[place], values[place], rng)
        return tuple(changed)

    def _history(self, turn: Turn, talk: Talk, rng: SeededRng) -> Iterator[str]:
        """Yield lines of the history: the user's as often as there, none twice."""
        users: dict[str, None] = {}
        for event in talk.events[: turn.place]:
            if isinstance(event, Utterance) and event.agent == USER and event.layers:
                users[event.text] = None
        bots = dict.fromkeys(t.text for t in talk.turns if t.place < turn.place)
        bots.pop(turn.text, None)
        mine, its = list(users), list(bots)
        for _ in range(OTHERS - NEAR):
            pool = mine if rng.below(LINES) < USERS[self.task] else its
            pool = pool or mine or its
            if not pool:
                return
            yield pool.pop(rng.below(len(pool)))

    def _fixed(self, turn: Turn) -> tuple[str, ...]:
        """Return the others of a line that has no entity: the same in all items of the file."""
        others = self._shared.get(turn.line)
        if others is None:
            rng = SeededRng(self.seed, turn.line.encode())
            kinds = SHARED[self.task][turn.line][self.size - 5]
            others = tuple(self._composed(kinds, turn, rng))
            self._shared[turn.line] = others
        return others

    def _composed(self, kinds: str, turn: Turn, rng: SeededRng) -> Iterator[str]:
        lines = [self.wording.line(line).plain for line in self._lines if line != turn.line]
        held = {turn.text}
        for kind in kinds.split():
            wanted = len(held) + int(kind[1:])
            while len(held) < wanted:
                text = self._one(kind[0], lines, rng)
                if text not in held:
                    held.add(text)
                    yield text

    def _one(self, letter: str, lines: list[str], rng: SeededRng) -> str:
        if letter == "l":
            return rng.choice(lines)
        if letter == "c":
            values = tuple(rng.choice(held) for held in self.base.values[: self.size])
            return call_line(values)
        return self._some(ENTITY[letter], rng)


def file_seed(run: int, number: int) -> bytes:
    """Return the seed of what the items of a file have in common."""
    return seed_of(run, -1 - number)
