"""A dialogue prepared for the rules: its events by kind, and its annotation as flat lists.

The context of all dialogues of a corpus: its tasks, and the traits of its format.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from dialoom.corpus.traits import NO_COMPANIONS, NO_TRAITS, Companions, Traits
from dialoom.dialogue import (
    GOLD,
    Act,
    Argument,
    Constraint,
    Dialogue,
    Options,
    Origin,
    Part,
    Query,
    Result,
    Selection,
    Span,
    State,
    Utterance,
    views,
)
from dialoom.dialogue.annotation import Value
from dialoom.flow.actions import Graph, read_graph
from dialoom.flow.alignment import Visit, follow
from dialoom.kb import KnowledgeBase
from dialoom.quality.legality import SchemaRules
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
        """The names by which dialogues may refer to the task: its id, its name and its aliases."""
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


class LocatedPart(msgspec.Struct, frozen=True, gc=False):
    """A part of an annotation layer with its indices.

    Attributes:
        event: The index of the utterance.
        layer: The index of the layer.
        source: The source of the layer.
        number: The index of the part.
        rules: The rules of its service, where the corpus has them and was published with the part.
    """

    event: int
    utterance: Utterance
    layer: int
    source: str
    number: int
    part: Part
    rules: SchemaRules | None

    @property
    def pointer(self) -> str:
        """The JSON pointer of the part."""
        return f"/events/{self.event}/layers/{self.layer}/parts/{self.number}"

    def argument(self, act: int, index: int) -> str:
        """Return the JSON pointer of an argument of an act."""
        return f"{self.pointer}/acts/{act}/arguments/{index}"

    def value(self, slot: str) -> str:
        """Return the JSON pointer of a slot's values in the part's state."""
        return f"{self.pointer}/state/values/{slot}"

    def arguments(self) -> Iterator[tuple[int, int, Argument]]:
        """Yield the arguments of the part's acts, each with the index of its act and its own."""
        for number, act in enumerate(self.part.acts or ()):
            for index, argument in enumerate(act.arguments):
                yield number, index, argument


LocatedAct = tuple[LocatedPart, int, Act]
"""An act after its part and its index there."""

LocatedArgument = tuple[LocatedPart, int, Act, int, Argument]
"""An argument after its act, which is located in the same way, and its index there."""

LocatedSpan = tuple[LocatedPart, int, Span]
"""A span after its part and its index there."""

LocatedState = tuple[LocatedPart, State]
"""A state after its part."""

LocatedConstraint = tuple[int, Query, int, Constraint]
"""A constraint after the index of its query's event, the query and its index there."""

LocatedValues = tuple[LocatedPart, str, tuple[Value, ...]]
"""A slot's values in a state, after the part with the state and the slot."""


class LintContext:
    """One dialogue under check.

    Args:
        repeated: Whether an earlier dialogue has the same id.
        twin: The folder of the first dialogue with the same words.

    Attributes:
        utterances: The utterances with the indices of their events.
        options: The replies on offer, with the indices of their events.
        selections: The wizard's selections with the indices of their events.
        frames: The parts with frames or an active frame.
        extras: Annotation beyond the data model, each with its JSON pointer.
        tasks: The dialogue's tasks, as far as the corpus has them; each once.
        designed: The dialogue's task where it is the only one and comes from a task file.
    """

    def __init__(
        self,
        dialogue: Dialogue,
        corpus: CorpusContext,
        folder: str = "",
        repeated: bool = False,
        twin: str | None = None,
    ) -> None:
        self.dialogue, self.corpus, self.repeated = dialogue, corpus, repeated
        self.folder, self.twin = folder, folder if twin is None else twin
        self.services = corpus.services_in(folder)
        facts = (corpus.known.get(name) for name in views.tasks(dialogue))
        self.tasks = tuple(dict.fromkeys(task for task in facts if task is not None))
        alone = len(self.tasks) == 1 and self.tasks[0].task.flow.complete
        self.designed = self.tasks[0] if alone else None
        events: dict[type, list[tuple[int, Any]]] = defaultdict(list)
        for located in enumerate(dialogue.events):
            events[type(located[1])].append(located)
        self.utterances: list[tuple[int, Utterance]] = events[Utterance]
        self.queries: list[tuple[int, Query]] = events[Query]
        self.results: list[tuple[int, Result]] = events[Result]
        self.options: list[tuple[int, Options]] = events[Options]
        self.selections: list[tuple[int, Selection]] = events[Selection]
        self.parts: list[LocatedPart] = []
        self.acts: list[LocatedAct] = []
        self.arguments: list[LocatedArgument] = []
        self.spans: list[LocatedSpan] = []
        self.states: list[LocatedState] = []
        self.frames: list[LocatedPart] = []
        self.extras: list[tuple[str, dict[str, Any]]] = []
        for index, event in self.utterances:
            for number, layer in enumerate(event.layers):
                for place, part in enumerate(layer.parts):
                    rules = self.service(part.service) if layer.source == GOLD else None
                    self._add(LocatedPart(index, event, number, layer.source, place, part, rules))

    def _add(self, place: LocatedPart) -> None:
        self.parts.append(place)
        part, state = place.part, place.part.state
        if part.extra:
            self.extras.append((f"{place.pointer}/extra", part.extra))
        if state is not None:
            self.states.append((place, state))
            if state.extra:
                self.extras.append((f"{place.pointer}/state/extra", state.extra))
        if part.acts:
            self._add_acts(place, part.acts)
        if part.spans:
            for number, span in enumerate(part.spans):
                self.spans.append((place, number, span))
                if span.extra:
                    self.extras.append((f"{place.pointer}/spans/{number}/extra", span.extra))
        if part.frames is not None or part.active_frame is not None:
            self.frames.append(place)

    def _add_acts(self, place: LocatedPart, acts: tuple[Act, ...]) -> None:
        located, arguments = self.acts, self.arguments
        for number, act in enumerate(acts):
            located.append((place, number, act))
            if act.extra:
                self.extras.append((f"{place.pointer}/acts/{number}/extra", act.extra))
            if act.arguments:
                for index, argument in enumerate(act.arguments):
                    arguments.append((place, number, act, index, argument))
                    if argument.extra:
                        extra = f"{place.argument(number, index)}/extra", argument.extra
                        self.extras.append(extra)

    @property
    def published(self) -> bool:
        """True if one of the tasks has replies or a flow graph as they were published."""
        return self.designed is None and any(task.published for task in self.tasks)

    def service(self, name: str | None) -> SchemaRules | None:
        """Return the rules of a service, where the corpus has it."""
        return None if name is None else self.services.get(name)

    @cached_property
    def constraints(self) -> list[LocatedConstraint]:
        """The constraints of all queries."""
        return [
            (index, query, number, constraint)
            for index, query in self.queries
            for number, constraint in enumerate(query.constraints)
        ]

    @cached_property
    def changes(self) -> list[LocatedValues]:
        """The values in published states that differ from the service's state before."""
        updates: list[LocatedValues] = []
        before: dict[str | None, dict[str, tuple[Value, ...]]] = {}
        for place, state in self.states:
            if place.source == GOLD:
                service, new = place.part.service, state.values
                old = before.get(service, {})
                if new != old:
                    for slot, values in new.items():
                        if values != old.get(slot):
                            updates.append((place, slot, values))
                before[service] = new
        return updates

    @cached_property
    def actions(self) -> list[tuple[int, str]]:
        """The labels of the system's actions with the indices of their events."""
        labels = ((index, views.action(event)) for index, event in enumerate(self.dialogue.events))
        return [(index, name) for index, name in labels if name is not None]

    @cached_property
    def by_id(self) -> dict[str, Query]:
        """The queries by their ids."""
        return {query.id: query for _, query in reversed(self.queries)}

    def gold(self) -> Iterator[LocatedPart]:
        """Yield the parts of the layer that the corpus was published with."""
        return (place for place in self.parts if place.source == GOLD)

    @cached_property
    def visits(self) -> list[Visit]:
        """The alignment of the dialogue with its task file's flow; empty where it has none."""
        task = self.designed
        if task is None or not task.task.flow.complete:
            return []
        return list(follow(task.program, self.dialogue.events))
