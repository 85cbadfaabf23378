"""The values of each task's slots that are known in a dialogue.

They fill in suggested replies and choose branches of a flow; they are not part of the dialogue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dialoom.collect.log.record import Record
from dialoom.collect.unit import UnitFaults
from dialoom.dialogue import Query, Result, Utterance
from dialoom.reading.tracker import SlotTracker
from dialoom.reading.user_turn import column_slots
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema


def named_slots(task: TaskSchema) -> dict[str, Slot]:
    """Return name to slot, for the slots' own names and the names of columns that hold them."""
    groups = [table.columns for table in task.tables.values()]
    groups += [(*call.inputs, *call.outputs) for call in task.calls.values()]
    columns = {name: slot for each in groups for name, slot in column_slots(each).items()}
    own_slots = {name: task.slots[slot] for name, slot in columns.items() if slot in task.slots}
    return own_slots | task.slots


class Known:
    """The known values of one dialogue, for each of its tasks."""

    def __init__(self, tasks: Mapping[str, TaskSchema]) -> None:
        self._trackers = {name: SlotTracker(task) for name, task in tasks.items()}
        self._heard = 0

    def hear(self, log: Sequence[Record], faults: UnitFaults) -> None:
        """Read the records of a room's log that were added since the last call."""
        for record in log[self._heard :]:
            if isinstance(record.body, Utterance | Query | Result):
                for tracker in self._trackers.values():
                    with faults.skipping(record.seq):
                        tracker.observe(record.body)
        self._heard = len(log)

    def slots(self, task: str) -> dict[str, Any]:
        """Return slot to value: the task's own, and those of the same slot in another task."""
        own = self._trackers[task].task.slots
        facts: dict[str, Any] = {}
        for tracker in (*self._trackers.values(), self._trackers[task]):
            others = tracker.task.slots
            facts |= {
                slot: each.value
                for slot, each in tracker.values.items()
                if each.value is not None and slot in own and own[slot] == others[slot]
            }
        return facts

    def values(self, task: str) -> dict[str, Any]:
        """Return name to value, for slots as in `slots` and for the columns that hold them."""
        slots = self.slots(task)
        names = {name: slot.name for name, slot in named_slots(self._trackers[task].task).items()}
        return {name: slots[slot] for name, slot in names.items() if slot in slots}
