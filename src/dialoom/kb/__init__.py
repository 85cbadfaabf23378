"""The knowledge base: typed tables in SQLite, searched, checked and booked.

    kb = KnowledgeBase()
    kb.populate(task, seed=1)
    with kb.dialogue("dialogue 7") as session:      # rolled back at the end
        answer = kb.call("hotel_search", (parse("Location", '"North"'),))
        answer.outcome, answer.items, answer.total  # "found", ({"Name": ...},), 12

Every answer is a function of the rows, the seed, the dialogue's name and the constraints: there is
no generator whose state would have to be recorded, and `replay` gives the same answers again.
SQLite's ":memory:" is the default, so that no second, simpler knowledge base is needed for tests.
"""

from dialoom.kb.base import KnowledgeBase, Mismatch, replay
from dialoom.kb.domain import Domain, column_domain, numbers, slot_domain
from dialoom.kb.effects import Answer
from dialoom.kb.state import Changes, Difference, Session, Snapshot, diff

__all__ = [
    "Answer",
    "Changes",
    "Difference",
    "Domain",
    "KnowledgeBase",
    "Mismatch",
    "Session",
    "Snapshot",
    "column_domain",
    "diff",
    "numbers",
    "replay",
    "slot_domain",
]
