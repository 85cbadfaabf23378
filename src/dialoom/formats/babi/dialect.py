"""The spellings of calls and facts in the bAbI dialog tasks and in DSTC6 track 1, based on them.

api_call italian paris two cheap            slots by position
resto_paris_cheap_italian_6stars R_price cheap
<SILENCE>
"""

from __future__ import annotations

from dataclasses import dataclass

CALL = "api_call"
"""The first word of a call, and the name of its only API."""

NO_RESULT = "api_call no result"
"""The knowledge base's answer if no item fits (bAbI task 6)."""

BASE = ("cuisine", "location", "number", "price")
"""The order of the slots in a call; `number` is the party size (Bordes et al. 2017, section 4)."""


@dataclass(frozen=True)
class Dialect:
    """The spelling of calls, facts and silence in one of the two.

    Attributes:
        prefix: The text before an attribute's name in a fact.
        silence: The text of a turn in which an agent says nothing.
        layouts: The slots of a call in order, for each number of slots.
        partial: Whether a slot without a value is written as its own name.
    """

    prefix: str
    silence: str
    layouts: tuple[tuple[str, ...], ...]
    partial: bool

    def layout(self, size: int) -> tuple[str, ...] | None:
        """Return the slots of a call with `size` values; None if there are no such calls."""
        return next((layout for layout in self.layouts if len(layout) == size), None)


BABI = Dialect(
    prefix="R_", silence="<SILENCE>", layouts=(("cuisine", "location", "price"), BASE), partial=True
)
"""bAbI: tasks 1-5 have four slots, task 6 three, with `R_price` for a price without preference."""
