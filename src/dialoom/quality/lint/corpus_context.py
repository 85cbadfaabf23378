"""Context of all dialogues of a corpus: its tasks, and the traits of its format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

from dialoom.corpus.traits import NO_COMPANIONS, NO_TRAITS, Companions, Traits
from dialoom.dialogue import Origin
from dialoom.flow.actions import Graph, read_graph
from dialoom.kb import KnowledgeBase
from dialoom.quality.legality import SchemaRules
from dialoom.quality.lint.value_ranges import ValueRanges
from dialoom.schema.flow import ASK
from dialoom.schema.lexicon import split_name
from dialoom.schema.task import TaskSchema


class TaskFacts(SchemaRules):
    """The rules of a task, with further facts for lint."""

    def __init__(self, task: TaskSchema) -> None:
        super().__init__(task)
        self._after: dict[str | None, frozenset[str]] = {}
        self._base: tuple[int, KnowledgeBase] | None = None

    @cached_property
    def names(self) -> frozenset[str]:
        """All names of the task."""
        return frozenset(filter(None, {self.task.id, self.task.name, *self.task.aliases}))

    @cached_property
    def published(self) -> bool:
        """True if the task has published replies or a flow graph, and no complete flow."""
        return not self.task.flow.complete and bool(self.task.flow)

    @cached_property
    def parameters(self) -> dict[str, frozenset[str]]:
        """Name of a call to the names of its inputs and of its table's columns."""
        names = {}
        for name, call in self.task.calls.items():
            table = self.task.tables.get(call.table)
            columns = (*call.inputs, *(table.columns if table else ()))
            names[name] = frozenset(column.name for column in columns)
        return names

    @cached_property
    def listed(self) -> dict[str, Collection[Any]]:
        """Input of a call to its listed values."""
        return {slot.name: slot.values for slot in reversed(self.task.inputs)}

    @cached_property
    def graph(self) -> Graph:
        """The graph of the task's actions."""
        return read_graph(self.task)

    @cached_property
    def questions(self) -> frozenset[str]:
        """The actions that may be left out, since the user may have answered before."""
        texts = self.graph.texts
        return frozenset(n for n, text in texts.items() if "?" in text or ASK in split_name(n))

    def after(self, action: str | None) -> frozenset[str]:
        """Return the actions that may follow one, or open the dialogue."""
        actions = self._after.get(action)
        if actions is None:
            actions = self.permitted(action, self.questions)
            if action is not None and not actions:  # the end: it may begin anew
                actions = self.after(None)
            actions |= self.program.loose
            self._after[action] = actions
        return actions

    @cached_property
    def ranges(self) -> ValueRanges | None:
        """Checks values of the task file's slots and columns."""
        return ValueRanges(self.task) if self.task.flow.complete else None

    @cached_property
    def shown(self) -> frozenset[str]:
        """The names of all inputs, outputs, columns and answers of the task file's calls."""
        calls, tables = self.task.calls.values(), self.task.tables
        columns = [column for call in calls for column in (*call.inputs, *call.outputs)]
        columns += [c for call in calls if call.table in tables for c in tables[call.table].columns]
        outputs = {name for call in calls for answer in call.answers.values() for name in answer}
        return frozenset(outputs | {column.name for column in columns})

    def base(self, seed: int) -> KnowledgeBase:
        """Return the knowledge base at the beginning of a run with this seed."""
        if self._base is None or self._base[0] != seed:
            base = KnowledgeBase()
            base.populate(self.task, seed)
            self._base = (seed, base)
        return self._base[1]


def facts_by_name(tasks: Mapping[str, TaskSchema] | Iterable[TaskSchema]) -> dict[str, TaskFacts]:
    """Return the tasks by id, name and alias; an id has precedence over another task's name."""
    facts: dict[str, TaskFacts] = {}
    schemas = list(tasks.values() if isinstance(tasks, Mapping) else tasks)
    for task in schemas:
        facts[task.id] = TaskFacts(task)
    for task in schemas:
        for name in facts[task.id].names:
            facts.setdefault(name, facts[task.id])
    return facts


class CorpusContext:
    """The context that all dialogues of a corpus share.

    Args:
        seed: The seed of the knowledge base, if the corpus has it.

    Attributes:
        known: The tasks by all their names.
    """

    def __init__(
        self,
        tasks: Mapping[str, TaskSchema],
        seed: int | None = None,
        traits: Traits = NO_TRAITS,
        companions: Companions = NO_COMPANIONS,
    ) -> None:
        self.known = facts_by_name(tasks)
        self.seed, self.traits, self.companions = seed, traits, companions
        self.services: dict[str, SchemaRules] = {
            name: facts for name, facts in self.known.items() if facts.task.is_service
        }
        self._by_folder: dict[str, dict[str, SchemaRules]] = defaultdict(self.services.copy)
        for facts in self.known.values():
            if facts.task.is_service:
                for origin in facts.task.origins:
                    rules = self._by_folder[folder_of(origin)]
                    rules[facts.task.name or facts.task.id] = facts

    def services_in(self, folder: str) -> Mapping[str, SchemaRules]:
        """Return the services by name: those of a folder's schemas, others from any folder."""
        return self._by_folder.get(folder, self.services)


def folder_of(origin: Origin | None) -> str:
    """Return the folder of the corpus that something came from: a split, in SGD."""
    return origin.file.rpartition("/")[0] if origin else ""
