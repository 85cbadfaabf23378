"""Brevity of simulated users and systems: omitted nodes, volunteered values.

    runner = FlowRunner(user, system, seed, verbosity(0.6))

People are shorter than flow charts. `flow.steps.Omissible` lists the nodes that a flow can do
without; each of them is left out with the same probability. With that probability a user who states
a wish also names some values of it at once. Some users open with a greeting alone, as a quarter of
STAR's do. docs/how-to/simulation.md, "Brevity", has the counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

MOST = 3
"""Most values that a user gives at once without being asked."""

FINE = 1 << 16
"""Denominator of probabilities that are compared with drawn whole numbers."""


@dataclass(frozen=True, slots=True)
class Verbosity:
    """Probabilities of brevity, as numerators over `FINE`.

    An omissible node is left out (`spared`), a user volunteers values (`volunteering`), a user's
    greeting alone gets none in return (`polite`), the system does not greet a user who has stated a
    wish (`direct`), a user opens with a greeting alone (`greets`).
    """

    spared: int
    volunteering: int
    polite: int
    direct: int
    greets: int


@lru_cache(maxsize=64)
def verbosity(brief: float) -> Verbosity | None:
    """Return the probabilities for a degree of brevity, 0 to 1; None for 0.

    At 0.7, the default of runs, 30 % of the users open with a greeting alone (27 % in STAR), 12 %
    of these get none back, and 3 % of the other users are greeted (as in STAR).
    """
    if not brief:
        return None
    rates = (brief, brief, brief**6, 1 - (1 - brief) ** 3, 1 - brief)
    return Verbosity(*(round(rate * FINE) for rate in rates))


@lru_cache(maxsize=64)
def volunteering(brief: float, rate: float) -> Verbosity:
    """Return the probabilities with another one of a user's giving values without being asked."""
    return replace(verbosity(brief) or Verbosity(0, 0, 0, 0, 0), volunteering=round(rate * FINE))
