"""The knowledge base: typed tables in SQLite, with searches, checks and bookings.

    kb = KnowledgeBase()
    kb.populate(task, seed=1)
    with kb.dialogue("dialogue 7") as session:      # rolled back at the end
        answer = kb.call("hotel_search", (parse("Location", '"North"'),))
        answer.outcome, answer.items, answer.total  # "found", ({"Name": ...},), 12

Every answer depends only on the rows, the seed, the dialogue's name and the constraints; there is
no random generator with a state, and `replay` gives the same answers again. The default is SQLite's
":memory:", which tests use as well.
"""

from dialoom.kb.base import KnowledgeBase, replay
from dialoom.kb.domain import column_domain, numbers, slot_domain
from dialoom.kb.effects import Answer
from dialoom.kb.state import Difference, Snapshot, diff

__all__ = [
    "Answer",
    "Difference",
    "KnowledgeBase",
    "Snapshot",
    "column_domain",
    "diff",
    "numbers",
    "replay",
    "slot_domain",
]
