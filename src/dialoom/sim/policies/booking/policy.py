"""The five tasks: the course of a dialogue about a booking from greeting to goodbye.

    policy = BookingPolicy(requests, recorder, rng)
    policy.task(3)                  # recorder.events has the whole dialogue

Task 1 ends with a call, 2 with the updated call, 3 with the option taken, 4 with what the user
wanted to know of a restaurant, 5 does all of it (Boureau et al. 2017, section 2; Bordes et al.
2017, section 3). The bot is deterministic: what it says follows from what was said. Rates that the
paper does not give were counted in the published `tst1` and `tst3` (five files each), on all user
turns, the last ones included.
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.booking.recorder import BookingRecorder
from dialoom.sim.policies.booking.restaurants import Requests, Restaurant, Values

MOST_GIVEN = 4
"""Users give 0 to 4 values at first, uniformly (tst1: 438, 393, 388, 381, 400 of 2,000)."""

ACCEPT = 4
"""Once in so many times an option is accepted; the last one always is."""

INFORMED = (("phone",), ("address",), ("phone", "address"), ("address", "phone"))
"""Facts that users want: phone 25 %, address 25 %, both 50 %."""


class BookingPolicy:
    """Simulates one dialogue."""

    def __init__(self, requests: Requests, recorder: BookingRecorder, rng: SeededRng) -> None:
        self.requests, self.recorder, self.rng = requests, recorder, rng
        self.family = requests.base.family
        self.rates = self.family.rates

    def task(self, number: int) -> None:
        """Simulate the dialogue of a task, 1 to 5."""
        (self._calls, self._updates, self._options, self._facts, self._all)[number - 1]()

    def _calls(self) -> None:
        wishes = self.requests.draw(self.rng)
        self._open(wishes, self._few())
        self.recorder.book(wishes)

    def _updates(self) -> None:
        first, last, places = self.requests.change(self.rng)
        self._open(first, len(first))
        self._update(first, last, places)
        if self.rates.ending:
            self._exchange("thanks", "welcome")

    def _options(self) -> None:
        wishes = self.requests.draw(self.rng, self.rates.least)
        matches = self._returned(wishes)
        self._open(wishes, self._few() if self.rates.ending else len(wishes))
        self._offer(matches)

    def _facts(self) -> None:
        restaurant = self.rng.choice(self.requests.restaurants)
        self.recorder.returned([restaurant])
        self._exchange("greet", "hello")
        self.recorder.user("book", {"name": restaurant.name})
        self.recorder.bot("reserve")
        self._inform(restaurant)

    def _all(self) -> None:
        first, last, places = self.requests.change(self.rng, self.rates.least_of_all)
        self._open(first, self._few())
        self._update(first, last, places)
        matches = self._returned(last)
        self.recorder.silent()
        self._inform(self._offer(matches))
        self._exchange("thanks", "anything")
        self._exchange("no_thanks", "welcome")

    def _few(self) -> int:
        return self.rng.below(MOST_GIVEN + 1)

    def _exchange(self, line: str, answered: str) -> None:
        self.recorder.user(line)
        self.recorder.bot(answered)

    def _returned(self, wishes: Values) -> list[Restaurant]:
        matches = self.rng.shuffle(list(self.requests.base.found(wishes)))[: self.rates.most]
        self.recorder.returned(matches)
        return matches

    def _open(self, wishes: Values, count: int) -> None:
        recorder = self.recorder
        values = dict(zip(recorder.slots, wishes, strict=True))
        pairs = self.rng.shuffle(list(values.items()))[:count]
        self._exchange("greet", "hello")
        recorder.request(pairs)
        recorder.bot("on_it")
        recorder.silent()
        for slot in self.family.asking:
            if slot in values and (slot, values[slot]) not in pairs:
                recorder.bot(f"ask.{slot}")
                self._waver(slot)
                other = self.rng.another(self._options_of(slot), values[slot])
                recorder.user(f"answer.{slot}", {slot: values[slot], "other": other})
        recorder.bot("look")
        recorder.silent()

    def _options_of(self, slot: str) -> tuple[str, ...]:
        return self.requests.base.values[self.recorder.slots.index(slot)]

    def _waver(self, slot: str) -> None:
        """Record a hesitation at the corpus's rate; its values are drawn apart from the request."""
        if slot in self.family.wavering and self.rng.once_in(self.rates.hesitate):
            options = self._options_of(slot)
            one = self.rng.choice(options)
            mentioned = {"other": one, "more": self.rng.another(options, one)}
            self.recorder.user(f"hesitate.{slot}", mentioned)
            self.recorder.bot("ready")

    def _update(self, first: Values, last: Values, places: Sequence[int]) -> None:
        recorder = self.recorder
        recorder.book(first)
        for number, place in enumerate(places):
            slot = recorder.slots[place]
            if number:  # the first update comes without hesitation in all 3,000 cases
                self._waver(slot)
            recorder.update(slot, last[place])
            recorder.bot("more")
        self._exchange("no_more", "look")
        recorder.silent()
        recorder.book(last)

    def _offer(self, matches: Sequence[Restaurant]) -> Restaurant:
        recorder, choice = self.recorder, None
        ranked = sorted(matches, key=lambda restaurant: -restaurant.rating)
        for number, restaurant in enumerate(ranked):
            recorder.bot("offer", restaurant)
            choice = self._judge(ranked[: number + 1], number + 1 == len(ranked))
            if choice is not None:
                break
            recorder.bot("another")
            recorder.silent()
        recorder.bot("reserve")
        return choice or ranked[-1]

    def _judge(self, offered: Sequence[Restaurant], last: bool) -> Restaurant | None:
        if not last and self.rng.once_in(self.rates.question):
            self._exchange("question", "sorry")
        if not last and len(offered) > 1 and self.rng.once_in(self.rates.repeat):
            return self._again(offered)
        if last or self.rng.once_in(ACCEPT):
            self.recorder.user("accept")
            return offered[-1]
        self.recorder.user("reject")
        return None

    def _again(self, offered: Sequence[Restaurant]) -> Restaurant | None:
        """Record an earlier option's repetition; return that one, the last one, or None.

        Half of the time it is None; else each of the two equally often (tst1: 94, 51 and 56 of
        201).
        """
        first = self.rng.once_in(2)
        before = offered[0] if first else offered[-2]
        self.recorder.user("repeat.first" if first else "repeat.previous")
        self.recorder.bot("was", before)
        line, choice = (
            ("accept.previous", before),
            ("accept.last", offered[-1]),
            ("reject.both", None),
            ("reject.both", None),
        )[self.rng.below(4)]
        self.recorder.user(line)
        return choice

    def _inform(self, restaurant: Restaurant) -> None:
        for fact in self.rng.choice(INFORMED):
            if self.rng.once_in(self.rates.hesitate):
                self._exchange(f"unsure.{fact}", "ready")
                self.recorder.user("want.it")
            else:
                self.recorder.user(f"want.{fact}")
            self.recorder.bot(f"tell.{fact}", restaurant)
