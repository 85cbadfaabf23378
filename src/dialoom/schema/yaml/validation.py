"""The input of all checks of a task file: the file, its task, and the names that it defines."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from dialoom.schema.call import Call, Column
from dialoom.schema.findings import Report, close, hint
from dialoom.schema.flow import Node, reachable
from dialoom.schema.places import Document, Pointer
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.building import domains

KEPT = 8_192
"""Texts whose reading is kept: an edit of a file leaves most of its texts as they were."""

REPAIRED = 50
"""From this number of dangling edges on, no target is guessed for them."""


@dataclass(frozen=True)
class ValidationContext:
    """A task file under validation; the task has the parts that conform to the grammar.

    A name counts as defined wherever the file has it, even if its value is invalid, so that one
    error is not reported twice. Nodes are excused if another error leaves them unreached.
    """

    document: Document
    task: TaskSchema
    report: Report
    language: str = "en"
    excused: set[str] = field(default_factory=set)

    def add(self, code: str, pointer: Pointer, message: str) -> None:
        """Report a finding."""
        self.report.add(code, pointer, message)

    def names(self, *pointer: str) -> frozenset[str]:
        """Return the keys of a mapping in the file, or the texts of a list; else nothing."""
        value: Any = self.document.value
        for key in pointer:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, list):
            return frozenset(item for item in value if isinstance(item, str))
        return frozenset(value) if isinstance(value, dict) else frozenset()

    @cached_property
    def slots(self) -> frozenset[str]:
        """The names of the slots in the file."""
        return self.names("slots")

    @cached_property
    def nodes(self) -> frozenset[str]:
        """The names of the nodes in the file."""
        return self.names("flow")

    @cached_property
    def whole(self) -> bool:
        """Whether all nodes, APIs and tables of the file conform, and all those named exist."""
        task = self.task
        targets = {node.call for node in task.flow.nodes.values() if node.kind == "call"}
        return (
            set(task.flow.nodes) == self.nodes
            and set(task.calls) == self.names("apis")
            and set(task.tables) == self.names("tables")
            and targets <= task.calls.keys()
            and {call.table for call in task.calls.values()} <= task.tables.keys()
        )

    @cached_property
    def after(self) -> dict[str, tuple[str, ...]]:
        """Node to the nodes that may follow; an undefined name counts as the most similar one."""
        nodes = self.task.flow.nodes.values()
        dangling = sum(name not in self.task.flow.nodes for node in nodes for name in node.then)
        return {node.name: tuple(self._after(node, dangling < REPAIRED)) for node in nodes}

    def _after(self, node: Node, repair: bool) -> Iterator[str]:
        for name in (*node.then, *filter(None, (node.last,))):
            if name in self.task.flow.nodes:
                yield name
            elif repair:
                near = close(name, self.task.flow.nodes)
                if near is not None:
                    yield near

    @cached_property
    def before(self) -> dict[str, tuple[str, ...]]:
        """Node to the nodes that lead to it."""
        sources: dict[str, list[str]] = {name: [] for name in self.task.flow.nodes}
        for name, following in self.after.items():
            for after in following:
                sources[after].append(name)
        return {name: tuple(dict.fromkeys(before)) for name, before in sources.items()}

    @cached_property
    def reached(self) -> set[str]:
        """The nodes with a path from the first node or from one with `anytime`, these included."""
        return {*reachable(self.task.flow.entries, self.after.__getitem__)}

    def following(self, node: Node, kind: str) -> list[Node]:
        """Return the nodes of a kind that may follow a node."""
        nodes = [self.task.flow.nodes[name] for name in dict.fromkeys(self.after[node.name])]
        return [after for after in nodes if after.kind == kind]

    def call(self, node: Node) -> Call | None:
        """Return the call of a call node; None if there is no such API."""
        return self.task.calls.get(node.call or "")

    def columns(self, call: Call) -> tuple[Column, ...]:
        """Return the columns of a call's result: inputs, the row, outputs."""
        return (*call.inputs, *self.task.result_columns(call))

    @cached_property
    def domains(self) -> dict[str, list[Slot]]:
        """The slots, and the columns and answers of calls as slots, by name."""
        return domains(self.task.slots, self.task.tables, self.task.calls)

    @cached_property
    def shown(self) -> frozenset[str]:
        """The names of all inputs, outputs and columns, and of the outputs in `answers`."""
        apis = (("apis", name, key) for name in self.names("apis") for key in ("inputs", "outputs"))
        tables = (("tables", name, "columns") for name in self.names("tables"))
        fields = (name for pointer in (*apis, *tables) for name in self.names(*pointer))
        outputs = (n for call in self.task.calls.values() for a in call.answers.values() for n in a)
        return frozenset((*fields, *outputs))

    def know(
        self, name: str, choices: Collection[str], code: str, pointer: Pointer, lacking: str
    ) -> bool:
        """True if a name is known; else report it, after the text `lacking`, with a hint."""
        if name not in choices:
            self.add(code, pointer, f"{lacking} {name!r}; {hint(name, choices)}")
        return name in choices

    def know_slot(self, name: str, pointer: Pointer) -> bool:
        """Return whether a slot is defined and conforms; report it if it is not defined."""
        self.know(name, self.slots, "E304", pointer, "there is no slot")
        return name in self.task.slots


def gives(node: Node, slots: frozenset[str] | set[str]) -> set[str]:
    """Return the slots that may get a value from a user node."""
    names = {name for text in node.texts for name in placeholders(text)}
    return (names & slots) | {*node.set, *node.takes} | set(filter(None, (node.next,)))


@lru_cache(maxsize=KEPT)
def placeholders(text: str) -> tuple[str, ...]:
    """Return the names of a template's placeholders, in order."""
    from dialoom.schema.template import PLACEHOLDER

    return tuple(match[1] for match in PLACEHOLDER.finditer(text))
