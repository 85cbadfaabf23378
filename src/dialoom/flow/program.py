"""A task compiled for speed: templates split once, nodes linked, sets of slots as bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.errors import SchemaError
from dialoom.flow.node import FlowLine, Step, mask
from dialoom.schema.call import Column
from dialoom.schema.task import TaskSchema
from dialoom.schema.values.forms import ValueForms


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TaskProgram:
    """A task ready to be simulated.

    Attributes:
        task: The task's id.
        schema: What it was compiled from.
        language: The language of its words.
        words: How its values are said.
        bits: Slot to its bit.
        unless: Bit of a slot and the other slot whose value makes it needless.
        owned: The slots that a user's goal has values for.
        first: The node that opens the dialogue.
        steps: Name to node.
        brought: API to the slots that its result fills (no goal has them), each with its column.
        asked: The bits of slots that the system asks for.
        needed: The bits of slots of required inputs.
        fixed: The bits of slots whose value decides where the flow goes.
        closing: The nodes from which no call can be reached any more.
        opening: The first node, and the replies without a question that follow it.
        sentences: Slot to lines that give its value without a question before.
        columns: API to its inputs, outputs and the columns of its table, by name.
        inputs: API to the bits of the slots that it is called with.
        corrections: The user's nodes that change values given before.
        anytime: The user's other nodes that may come at any time.
        apology: The system's reply to an utterance that it does not understand.
        repeated: The APIs that are asked for another row.
        detours: Range of as many nodes as may be passed over in a row; more are a circle.
        namesakes: The slots with the name of a column: the system says the value that a result has
            for such a slot, until the user gives another one.
    """

    task: str
    schema: TaskSchema
    language: str
    words: ValueForms
    bits: dict[str, int]
    unless: tuple[tuple[int, str], ...]
    owned: tuple[str, ...]
    first: Step
    steps: dict[str, Step]
    columns: dict[str, dict[str, Column]]
    inputs: dict[str, int]
    brought: dict[str, tuple[tuple[str, str], ...]]
    asked: int
    needed: int
    fixed: int
    closing: frozenset[Step]
    detours: range
    opening: frozenset[Step] = frozenset()
    sentences: Mapping[str, tuple[FlowLine, ...]] = field(default_factory=dict)
    namesakes: frozenset[str] = frozenset()
    corrections: tuple[Step, ...] = ()
    anytime: tuple[Step, ...] = ()
    apology: Step | None = None
    repeated: frozenset[str] = frozenset()

    @property
    def digressive(self) -> bool:
        """Whether the task has nodes for corrections, interruptions or misunderstandings."""
        return bool(self.corrections or self.anytime or self.apology)

    def mask(self, slots: Iterable[str]) -> int:
        """Return the bits of some slots."""
        return mask(slots, self.bits)

    def bound(self, slots: Iterable[str]) -> list[str]:
        """Return the slots followed by those whose values depend on them, directly or not."""
        found = list(slots)
        for name in found:
            dependent = self.schema.dependent
            found += [s.name for s in dependent if name in s.depends_on and s.name not in found]
        return found

    def offered(self, items: Sequence[Item]) -> dict[str, Any]:
        """Return the values that a result's first row has for slots named like its columns."""
        held = items[0] if items and self.namesakes else {}
        return {name: held[name] for name in self.namesakes if held.get(name) is not None}

    def error(self, what: str) -> SchemaError:
        """Return an error about the task."""
        return SchemaError(f"task {self.task}", what)
