"""The wizard's search over travel packages."""

from __future__ import annotations

from dialoom.collect.kinds.room.wizard.packages import search
from dialoom.dialogue import Constraint
from dialoom.sim.policies.frames.packages import LIMIT, MOST


def test_a_search_shows_how_many_fit_not_how_many_are_shown() -> None:
    everything = search(3, ())
    assert len(everything.items) == LIMIT
    assert everything.total is not None
    assert everything.total > 10 * LIMIT
    few = search(3, (Constraint(MOST, values=(2,)),))
    assert (len(few.items), few.total) == (2, everything.total)
