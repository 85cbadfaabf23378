"""What users may ask for: the requests of one part of a corpus, so that parts never share one.

    requests = Requests(first, size=5, portion=0, portions=2, seed=7)
    requests.draw(rng, least=3)              # values in the order of a call
    requests.change(rng, least=1)            # a first request, and what it is changed into

The requests of a knowledge base are dealt out to portions once. Where calls have more slots, a
request belongs to the portion that it belongs to without them: the tests of DSTC6 that ask for
dietary restrictions share nothing with its training files either.
"""

from __future__ import annotations

from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.knowledge import Knowledge, Restaurant, Values, shuffle

DEALT = {4: 4, 6: 5}
"""Slots of a restaurant to how many of them decide on the portion of a request."""


class Requests:
    """The requests of one portion.

    Args:
        base: What can be booked.
        size: How many slots a call has.
        portion: Which portion; None for all together.
        portions: How many there are.
        seed: The run's seed, which all parts have in common.
    """

    def __init__(
        self, base: Knowledge, size: int, portion: int | None, portions: int, seed: int
    ) -> None:
        self.base, self.size = base, size
        few = DEALT[len(base.design.slots)]
        dealt = base.cells(few)
        shuffle(dealt, SeededRng(seed_of(seed, 0), b"portions%d" % base.number))
        mine = dealt if portion is None else dealt[portion::portions]
        self._mine = frozenset(mine)
        self._few = few
        wanted = [cell for cell in base.cells(size) if cell[:few] in self._mine]
        counts = {cell: len(base.found(cell)) for cell in wanted}
        self._cells = {
            least: [cell for cell in wanted if counts[cell] >= least] for least in (0, 1, 3)
        }
        self.restaurants: list[Restaurant] = [
            restaurant for restaurant in base.restaurants if self.has(restaurant.values)
        ]

    def has(self, values: Values) -> bool:
        """Tell whether a request is one of this portion."""
        return values[: self._few] in self._mine

    def draw(self, rng: SeededRng, least: int = 0) -> Values:
        """Return a request that at least so many restaurants fit: 0, 1 or 3."""
        return rng.choice(self._cells[least])

    def change(self, rng: SeededRng, least: int = 0) -> tuple[Values, Values, list[int]]:
        """Return a request, what it is changed into, and the places of the changes in order.

        From one to all of its values change (uniformly), none twice; both requests are of this
        portion, and at least `least` restaurants fit the last.
        """
        while True:
            first = self.draw(rng)
            places = list(range(self.size))
            shuffle(places, rng)
            del places[1 + rng.below(self.size) :]
            last = list(first)
            for place in places:
                last[place] = another(self.base.values[place], first[place], rng)
            changed = tuple(last)
            if self.has(changed) and len(self.base.found(changed)) >= least:
                return first, changed, places


def another(values: Values, value: str, rng: SeededRng) -> str:
    """Return one of the values that is not the given one."""
    place = rng.below(len(values) - 1)
    return values[place] if values[place] != value else values[-1]
