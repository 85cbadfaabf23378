"""Items: the bot's turn to predict, and its false candidates.

    candidates = Candidates(task, base, 5, lines, seed)
    turn = candidates.cut(recorder.turns, rng)
    candidates.draw(turn, recorder, rng)              # 11 texts in random order, the true one in

Counted in `tst1` and `tst3` (five files of 1,000 items each), where the true line follows from the
history in all 10,000 items: a line without an entity has the same ten others in all items of a
file; a call has seven calls of a few other values and three lines of its history; an option has the
other restaurants returned and some that were not; a phone number or address has those of others.
2.6 % in all are users' lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources

import msgspec

from dialoom.dialogue import USER, Utterance
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.recorder import CALL, BookingRecorder, Turn, call_line
from dialoom.sim.policies.booking.restaurants import Knowledge, Restaurant, Values
from dialoom.sim.policies.booking.wording import BOT, NAMED, Templates

OTHERS = 10
"""Candidates of an item besides the true one."""

NEAR = 7
"""Candidates for a call that are calls like it; the others are lines of the history."""

LINES = 4
"""Denominator of `CandidateCounts.users`, the share of user lines among lines of the history."""

USUAL = 4
"""Weight of a turn without an entry in `CandidateCounts.weights`."""

ASIDE = 43
"""One in so many items with an option has it among the candidates as a repeated one (18 of 785)."""

AGAIN = 4
"""One in so many items with a repeated option has it as a plain offer too (27 of 112)."""

MIXED = 6
"""One in so many items with a fact has another restaurant's other fact (151 of 979)."""

HELD = 5
"""Candidates with facts of the other restaurants returned, repeated where there are fewer."""

ENTITY = {"o": "offer", "w": "was", "p": "tell.phone", "a": "tell.address"}
"""Letters of `CandidateCounts.shared` for lines with an entity."""

OTHER_FACT = {"tell.phone": "tell.address", "tell.address": "tell.phone"}
"""Template of one fact of a restaurant (phone, address) to that of the other fact."""


class CandidateCounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts of the published files, by task or by the slots of a call.

    Attributes:
        shared: Task and true line to the other candidates, in tst1 and tst3: calls, options,
            options repeated (w, as in "that was"), phone numbers, addresses, the bot's other lines.
        different: Slots of a call to how often another call changes one, two or three values (tst1:
            3,648, 1,917 and 34; tst3: 2,154, 2,251, 437, and one of four).
        changed: Slots of a call to how often each is changed (tst1: 2,016 cuisines, 2,134
            locations, 2,162 party sizes, 792 prices, 480 atmospheres; restrictions are as prices).
        users: Task to how many of four lines of the history are the user's (77, 47 and 74 %).
        weights: Line to its weight as an item, if not the usual: the published test files do not
            ask for every turn equally often. One weight a line was fitted so that simulated true
            lines are distributed as those of tst1 and tst3 (task by task): 0.88 to 1 for most
            lines, 0.20 to 0.30 for the easy ones, 0.66 to 0.83 for lines after a user's aside.
        never: Task to its lines that are never asked for.
        spoken: Task to the acts of the bot that name no entity; task 5 has all.
    """

    shared: dict[int, dict[str, tuple[str, str]]]
    different: dict[int, tuple[int, ...]]
    changed: dict[int, tuple[int, ...]]
    users: dict[int, int]
    weights: dict[str, int]
    never: dict[int, tuple[str, ...]]
    spoken: dict[int, tuple[str, ...]]


COUNTS = msgspec.json.decode(
    resources.files("dialoom.sim.policies.booking").joinpath("candidates.json").read_bytes(),
    type=CandidateCounts,
)


class Candidates:
    """The items of one file of `task` 1 to 5.

    A call has `size` slots, 5 or 6; `lines` has the templates of each line; `seed` gives the
    features that all items of the file share.
    """

    def __init__(
        self, task: int, base: Knowledge, size: int, lines: Templates, seed: bytes
    ) -> None:
        self.task, self.base, self.size = task, base, size
        self.lines, self.seed = lines, seed
        self._shared: dict[str, tuple[str, ...]] = {}
        self._plain = list(self._spoken())

    def _spoken(self) -> Iterator[str]:
        slots = self.base.family.slots[: self.size]
        for line in BOT:
            act, _, topic = line.partition(".")
            usable = line not in NAMED and act in COUNTS.spoken.get(self.task, (act,))
            if usable and (act != "ask" or topic in slots):
                yield line

    def weight(self, line: str) -> int:
        """Return how often a line is asked for."""
        never = line in COUNTS.never.get(self.task, ())
        return 0 if never else COUNTS.weights.get(line, USUAL)

    def cut(self, turns: Sequence[Turn], rng: SeededRng) -> Turn:
        """Return the turn that an item asks for."""
        return turns[rng.weighted([self.weight(turn.line) for turn in turns])]

    def draw(self, turn: Turn, recorder: BookingRecorder, rng: SeededRng) -> list[str]:
        """Return the candidates of a true turn in random order."""
        if turn.line == CALL:
            others = self._filled(list(self._history(turn, recorder, rng)), turn, rng)
        elif turn.restaurant is None:
            others = list(self._fixed(turn))
        elif turn.line in OTHER_FACT:
            others = self._facts(turn, turn.restaurant, recorder, rng)
        else:
            others = self._options(turn, turn.restaurant, recorder, rng)
        return rng.shuffle([turn.text, *others])

    def _say(self, line: str, restaurant: Restaurant) -> str:
        return self.lines[line][0].render(restaurant.item).text

    def _some(self, line: str, rng: SeededRng) -> str:
        return self._say(line, rng.choice(self.base.restaurants))

    def _filled(self, texts: list[str], turn: Turn, rng: SeededRng) -> list[str]:
        while len(texts) < OTHERS:
            if turn.line == CALL:
                text = call_line(self._changed(turn.values, rng))
            else:
                text = self._some(turn.line, rng)
            if text != turn.text and text not in texts:
                texts.append(text)
        return texts

    def _options(
        self, turn: Turn, own: Restaurant, recorder: BookingRecorder, rng: SeededRng
    ) -> list[str]:
        texts = [self._say(turn.line, each) for each in recorder.found if each is not own]
        if turn.line == "offer" and rng.once_in(ASIDE):
            texts.append(self._say("was", own))
        if turn.line == "was" and rng.once_in(AGAIN):
            texts.append(self._say("offer", own))
        return self._filled(texts, turn, rng)

    def _facts(
        self, turn: Turn, own: Restaurant, recorder: BookingRecorder, rng: SeededRng
    ) -> list[str]:
        other = OTHER_FACT[turn.line]
        near = [self._say(turn.line, each) for each in recorder.found if each is not own]
        if len(near) > 1:
            return self._filled([near[n % len(near)] for n in range(HELD)], turn, rng)
        near.append(self._say(other, own))
        if rng.once_in(MIXED):
            near.append(self._some(other, rng))
        return self._filled(near, turn, rng)

    def _changed(self, values: Values, rng: SeededRng) -> Values:
        changed, places = list(values), set[int]()
        many = 1 + rng.weighted(COUNTS.different[self.size])
        while len(places) < many:
            place = rng.weighted(COUNTS.changed[self.size])
            if place not in places:
                places.add(place)
                changed[place] = rng.another(self.base.values[place], values[place])
        return tuple(changed)

    def _history(self, turn: Turn, recorder: BookingRecorder, rng: SeededRng) -> Iterator[str]:
        users: dict[str, None] = {}
        for event in recorder.events[: turn.place]:
            if isinstance(event, Utterance) and event.agent == USER and event.layers:
                users[event.text] = None
        bots = dict.fromkeys(t.text for t in recorder.turns if t.place < turn.place)
        bots.pop(turn.text, None)
        theirs, its = list(users), list(bots)
        for _ in range(OTHERS - NEAR):
            pool = theirs if rng.below(LINES) < COUNTS.users[self.task] else its
            pool = pool or theirs or its
            if not pool:
                return
            yield pool.pop(rng.below(len(pool)))

    def _fixed(self, turn: Turn) -> tuple[str, ...]:
        """Return the other candidates of a line without entity: the same throughout the file."""
        others = self._shared.get(turn.line)
        if others is None:
            rng = SeededRng(self.seed, turn.line.encode())
            kinds = COUNTS.shared[self.task][turn.line][self.size - 5]
            others = self._shared[turn.line] = tuple(self._composed(kinds, turn, rng))
        return others

    def _composed(self, kinds: str, turn: Turn, rng: SeededRng) -> Iterator[str]:
        lines = [self.lines[line][0].bare for line in self._plain if line != turn.line]
        texts = {turn.text}
        for kind in kinds.split():
            quota = len(texts) + int(kind[1:])
            while len(texts) < quota:
                text = self._one(kind[0], lines, rng)
                if text not in texts:
                    texts.add(text)
                    yield text

    def _one(self, letter: str, lines: list[str], rng: SeededRng) -> str:
        if letter == "l":
            return rng.choice(lines)
        if letter == "c":
            return call_line(tuple(map(rng.choice, self.base.values[: self.size])))
        return self._some(ENTITY[letter], rng)


def file_seed(run: int, number: int) -> bytes:
    """Return the seed shared by the items of a file."""
    return seed_of(run, -1 - number)
