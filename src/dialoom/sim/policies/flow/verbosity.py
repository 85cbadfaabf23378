"""Two who are brief: optional questions and courtesies are left out, answers come unasked.

    runner = FlowRunner(program, user, system, seed, verbosity(0.6))

Few people who help others are as thorough as a flow chart: they come to the point, do not ask for
what they can do without, and let the other go when all is done. What the flow can spare is told by
`Omissible`; each of these nodes is left out with the same probability. With it users, too, do not
wait to be asked: who says what they came for, or that they want something else, names a value or
two of it. Some only greet at first and are greeted, as nearly half of STAR's users are. Whoever
has spoken of another task in the dialogue is not greeted once more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

MOST = 2
"""How many values a user names unasked at most."""

FINE = 1 << 16
"""Steps in which a probability is told."""


@dataclass(frozen=True, slots=True)
class Verbosity:
    """How brief two people are; each figure is out of `FINE`.

    Attributes:
        spared: A node is left out that the flow can spare, and a user says at once what they
            would be asked.
        polite: A user's mere greeting is not answered.
        direct: A greeting is left out where the user has come to the point.
        greets: A user opens with a mere greeting.
    """

    spared: int
    polite: int
    direct: int
    greets: int


@lru_cache(maxsize=64)
def verbosity(brief: float) -> Verbosity | None:
    """Return how brief people are who leave out what they can with a probability; None is never."""
    if not brief:
        return None
    rates = (brief, brief**6, 1 - (1 - brief) ** 3, 1 - brief**2)
    return Verbosity(*(round(rate * FINE) for rate in rates))
