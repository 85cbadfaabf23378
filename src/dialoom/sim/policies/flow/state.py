"""The dialogue state that both sides share: values given, the last call and its result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from dialoom.dialogue import State
from dialoom.dialogue.annotation import Value
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.schema.condition import Condition
from dialoom.schema.values.forms import SurfaceForm


class DialogueState(msgspec.Struct, eq=False):
    """The values said and found so far; sets of slots are bit masks.

    Attributes:
        known: Slots with a value.
        none: Slots without a preference.
        said: Slot to the user's value.
        found: Slot to the value of a result.
        shown: Input or output of the last call to its value.
        offered: Slot to the value of the last result's column of that name, until the user gives
            another one.
        api: The API of the last call.
        read: List output to the number of its elements read out.
        reading: The list output read from last.
        seen: The rows of the last search and of repeated ones for another row.
    """

    program: TaskProgram
    known: int = 0
    none: int = 0
    said: dict[str, SurfaceForm] = {}
    found: dict[str, Any] = {}
    shown: dict[str, Any] = {}
    offered: dict[str, Any] = {}
    api: str = ""
    read: dict[str, int] = {}
    reading: str = ""
    outcome: str = ""
    failed: bool = False
    asked: int = 0
    seen: list[dict[str, Any]] = []
    _values: dict[str, tuple[Value, ...]] = {}
    _state: State | None = None

    def give(self, form: SurfaceForm) -> None:
        """Note that the user gave a value."""
        slot = form.slot
        bit = self.program.bits[slot]
        self.known |= bit
        self.none &= ~bit
        if self.offered:
            self.offered.pop(slot, None)
        if self.said.get(slot) is not form:
            self.said[slot] = form
            self._values[slot] = form.state
            self._state = None

    def take(self, step: Step) -> None:
        """Take over the values that a node takes from the outputs of the last result."""
        for slot, output in step.node.takes.items():
            if self.shown.get(output) is not None:
                self.found[slot] = self.shown[output]
                self.known |= self.program.bits[slot]

    def give_none(self, slots: int) -> None:
        """Note that the user has no preference for some slots."""
        self.none |= slots & ~self.known

    def count(self, slot: str) -> SurfaceForm:
        """Return the next value of a counter, and note it."""
        counter = self.program.schema.slots[slot]
        old_form = self.said.get(slot)
        value = int(counter.minimum or 1) if old_form is None else int(old_form.canonical) + 1
        if isinstance(counter.maximum, int | float):
            value = value if value <= counter.maximum else int(counter.minimum or 1)
        form = self.program.words.forms(slot, value)[0]
        self.give(form)
        return form

    def drop(self, slots: Iterable[str]) -> None:
        """Forget the values of some slots."""
        bits = self.program.mask(slots)
        self.known &= ~bits
        self.none &= ~bits
        for slot in slots:
            self.found.pop(slot, None)
            if self.said.pop(slot, None) is not None:
                del self._values[slot]
                self._state = None

    def needs(self, bits: int) -> int:
        """Return those of some slots (as bits) that are still to be asked for."""
        missing, program = bits & ~(self.known | self.none), self.program
        return program.lacking(missing, self.said) if missing and program.unless else missing

    def holds(self, when: Iterable[Condition]) -> bool:
        """Return True if the values so far meet a node's conditions."""
        for condition in when:
            values = {n: v for n in condition.names if (v := self.value(n)) is not None}
            if not condition.holds(values):
                return False
        return True

    def value(self, name: str) -> Any:
        """Return the canonical value of a slot, input or output, if any."""
        form = self.said.get(name)
        if form is not None:
            return form.canonical
        return self.found.get(name, self.shown.get(name))

    def annotation(self) -> State:
        """Return the values that the user gave, as an utterance's annotated state."""
        if self._state is None:
            self._state = State(self.program.task, (), self._values.copy())
        return self._state
