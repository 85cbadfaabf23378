"""What rules read for a service (reading/), as features of slots and candidates.

Rules learn nothing from training, so that they read unseen services as well as known ones.
"""

from __future__ import annotations

from dialoom.learn.words import normal_text
from dialoom.models.rule_tracker import inputs_only
from dialoom.models.tracker.turns import TrackedTurn
from dialoom.reading.questions import ASKED, asked_slots, named_slots
from dialoom.reading.user_turn import reader_of
from dialoom.schema.service import ANYTHING
from dialoom.schema.task import TaskSchema


class ReadValues:
    """Reads the texts of a service's turns, when features are asked for; no annotated acts.

    `_asked` maps the slots of the system's questions to their probabilities, `_named` those that
    the user's text is about. `_values` are normal forms, `_fresh` those of the last turn.
    """

    def __init__(self, task: TaskSchema) -> None:
        self._task = inputs_only(task)
        self._reader = reader_of(self._task)
        self._unread: list[TrackedTurn] = []
        self._asked: dict[str, float] = {}
        self._named: dict[str, float] = {}
        self._values: dict[str, str] = {}
        self._fresh: dict[str, str] = {}

    def add(self, turn: TrackedTurn) -> None:
        """Add the next turn of the service."""
        self._unread.append(turn)

    def of_slot(self, slot: str) -> list[float]:
        """Return the features of a slot: asked for, others asked for, the user's text about it."""
        for turn in self._unread:
            self._read(turn)
        self._unread = []
        others = max((p for name, p in self._asked.items() if name != slot), default=0.0)
        return [self._asked.get(slot, 0.0), others, self._named.get(slot, 0.0)]

    def agreement(self, slot: str, norm: str) -> list[float]:
        """Return how a value in normal form agrees with that read in the last turn, and in any.

        1 is the same value, -1 another, 0 none. `of_slot` reads the turns before.
        """
        values = (self._fresh.get(slot), self._values.get(slot))
        return [0.0 if each is None else 1.0 if each == norm else -1.0 for each in values]

    def _read(self, turn: TrackedTurn) -> None:
        text, task, reader = turn.user.text, self._task, self._reader
        self._asked = asked_slots(task, turn.system.text) if turn.system.text else {}
        self._named = dict(named_slots(task, text))
        asked = [slot for slot, chance in self._asked.items() if chance >= ASKED]
        heard = reader.heard(text, asked)
        self._fresh = {slot: self._written(slot, *each) for slot, each in heard.items()}
        if not reader.cares(text):
            self._fresh |= {slot: ANYTHING for slot in asked if slot not in heard}
        self._values = self._values | self._fresh

    def _written(self, slot: str, value: object, words: str) -> str:
        """Return the normal form of a value: as listed, else in the user's words."""
        listed = self._task.slots[slot].values or isinstance(value, bool)
        return normal_text(str(value) if listed else words)
