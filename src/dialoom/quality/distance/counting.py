"""Counts that two corpora are compared by: acts, lengths, words, orders, elements of schemas.

Every second dialogue is counted apart, so that a corpus can be compared with itself.

A step is an utterance with the names of its gold acts, or a call of the knowledge base. The order
of names is that in which a dialogue names them first: slots of the user, slots of the system (of
acts and, without acts, of spans; each service apart), acts of the system (of all services).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import TypeVar

from dialoom.dialogue import SYSTEM, USER, Dialogue, Part, Query, Utterance
from dialoom.dialogue.views import label, parts, tasks
from dialoom.quality.distance.measures import Pair
from dialoom.quality.stats.analysis import Result, owned, said
from dialoom.quality.stats.overview import TOKEN
from dialoom.schema.labels import read
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

K = TypeVar("K", bound=Hashable)

Step = tuple[str, str]
"""An agent, and the names of its acts."""

START, END = ("start", ""), ("end", "")

CALL = "call"
"""The name of a knowledge-base call among the acts of the system."""

AGENTS = (USER, SYSTEM)

MOST = 500_000
"""Most different words, or bigrams, that are counted, so that memory is bounded; later ones are
not counted."""

NAMED = 40
"""Most names of one dialogue whose order is counted."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass
class Counts:
    """Counts of some dialogues; counts of others can be added.

    Attributes:
        bigrams: Steps that follow one another.
        lengths: Agent to tokens an utterance, punctuation split off.
        turns: Utterances a dialogue.
        words: Agent to lower-cased words.
        annotated: Agents whose utterances have acts.
        orders: The ordered kind to pairs of names in their order.
    """

    dialogues: int = 0
    bigrams: Counter[tuple[Step, Step]] = field(default_factory=Counter)
    lengths: dict[str, Counter[int]] = field(default_factory=dict)
    turns: Counter[int] = field(default_factory=Counter)
    words: dict[str, Counter[str]] = field(default_factory=dict)
    annotated: set[str] = field(default_factory=set)
    orders: dict[str, Counter[Pair]] = field(default_factory=dict)

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.dialogues + other.dialogues,
            self.bigrams + other.bigrams,
            _sum(self.lengths, other.lengths),
            self.turns + other.turns,
            _sum(self.words, other.words),
            self.annotated | other.annotated,
            _sum(self.orders, other.orders),
        )


class CorpusProfile:
    """The counts of a corpus, in memory independent of the number of its dialogues.

    Args:
        only: The tasks to look at (`common_tasks`): dialogues about any other are left out; empty
            for all.

    Attributes:
        left_out: Number of ignored dialogues.
    """

    def __init__(
        self, schemas: Mapping[str, TaskSchema] | None = None, only: Collection[str] = ()
    ) -> None:
        tasks = {key: task for key, task in (schemas or {}).items() if key in only or not only}
        self.halves = (Counts(), Counts())
        self.used = Used(tasks)
        self.only = tuple(sorted(only))
        self.left_out = 0
        self._names = {name for task in tasks.values() for name in (task.name, *task.aliases)}
        self._names |= tasks.keys()
        self._schemas = schemas or {}

    @property
    def whole(self) -> Counts:
        """The counts of all dialogues."""
        return self.halves[0] + self.halves[1]

    def covers(self, dialogue: Dialogue) -> bool:
        """True if all tasks of a dialogue are among the compared ones."""
        return not self.only or self._names.issuperset(tasks(dialogue))

    def add_all(self, dialogues: Iterable[Dialogue]) -> CorpusProfile:
        """Count every dialogue; returns itself."""
        for dialogue in dialogues:
            self.add(dialogue)
        return self

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue, in the half that has fewer."""
        if not self.covers(dialogue):
            self.left_out += 1
            return
        counts = min(self.halves, key=lambda half: half.dialogues)
        counts.dialogues += 1
        self.used.add(dialogue)
        mentions: dict[str, dict[tuple[str, str], None]] = {}
        steps, utterances = [START], 0
        for event in dialogue.events:
            if isinstance(event, Utterance):
                utterances += 1
                steps.append(self._utterance(counts, event, mentions))
            elif isinstance(event, Query):
                steps.append((event.agent, CALL))
        steps.append(END)
        counts.turns[utterances] += 1
        _update(counts.bigrams, pairwise(steps))
        for what, names in mentions.items():
            counts.orders.setdefault(what, Counter()).update(_pairs(names))

    def _utterance(
        self, counts: Counts, event: Utterance, mentions: dict[str, dict[tuple[str, str], None]]
    ) -> Step:
        agent = event.agent
        counts.lengths.setdefault(agent, Counter())[len(TOKEN.findall(event.text))] += 1
        words = counts.words.setdefault(agent, Counter())
        _update(words, _WORD.findall(event.text.lower()))
        acts: set[str] = set()
        for part in parts(event):
            labels = [act.name for act in part.acts or ()]
            acts.update(labels)
            slots = mentions.setdefault(f"slots of the {agent}", {})
            slots.update(dict.fromkeys(self._slots(part)))
            if agent == SYSTEM:
                names = mentions.setdefault(f"acts of the {agent}", {})
                names.update((("", name), None) for name in labels)
        if acts:
            counts.annotated.add(agent)
        return agent, " + ".join(sorted(acts))

    def _slots(self, part: Part) -> Iterator[tuple[str, str]]:
        if part.acts is None:
            for span in part.spans or ():
                for label in span.labels:
                    reading = read(label, self._schemas)
                    yield part.service or reading.service or "", reading.argument
            return
        for act in part.acts:
            for slot, _ in said(act.arguments):
                yield part.service or "", slot


def common_tasks(one: Mapping[str, TaskSchema], other: Mapping[str, TaskSchema]) -> frozenset[str]:
    """Return the tasks that both of two corpora have; empty where they have the same, or none."""
    shared = frozenset(one.keys() & other.keys())
    return frozenset() if shared == one.keys() == other.keys() else shared


def _pairs(names: Iterable[tuple[str, str]]) -> Iterator[Pair]:
    owned: dict[str, list[str]] = {}
    for owner, name in names:
        owned.setdefault(owner, []).append(name)
    for owner, each in owned.items():
        yield from ((owner, a, b) for a, b in combinations(each[:NAMED], 2))


def _update(counter: Counter[K], things: Iterable[K]) -> None:
    """Add items to counts; new items only below the limit of different ones."""
    if len(counter) < MOST:
        counter.update(things)
    else:
        counter.update(thing for thing in things if thing in counter)


def _sum(one: Mapping[str, Counter[K]], other: Mapping[str, Counter[K]]) -> dict[str, Counter[K]]:
    keys = dict.fromkeys((*one, *other))
    return {key: one.get(key, Counter()) + other.get(key, Counter()) for key in keys}


LISTED = 200
"""Most values of a slot that count for coverage; longer lists are samples of an open set."""

KINDS = ("replies", "calls", "inputs of calls", "intents", "slots", "values")

MISSING = 20
"""Most unused names that are shown of a kind."""


class Used:
    """Counts the elements of some schemas that dialogues use.

    Intents, slots and values are a service's; of tasks with a flow, whose annotation does not say
    which task it is of, replies, slots and values count by their names alone.
    """

    def __init__(self, schemas: Mapping[str, TaskSchema]) -> None:
        self.known: dict[str, set[str]] = {kind: set() for kind in KINDS}
        self.seen: dict[str, set[str]] = {kind: set() for kind in KINDS}
        for task in schemas.values():
            for kind, name in _elements(task):
                self.known[kind].add(name)

    def add(self, dialogue: Dialogue) -> None:
        """Count the elements that one dialogue uses."""
        for event in dialogue.events:
            if isinstance(event, Utterance):
                if event.agent == SYSTEM and (name := label(event)) is not None:
                    self._note("replies", name)
                for part in parts(event):
                    self._part(part)
            elif isinstance(event, Query):
                self._note("calls", event.api)
                for constraint in event.constraints:
                    self._note("inputs of calls", f"{event.api}.{constraint.slot}")

    def _part(self, part: Part) -> None:
        if part.state is not None:
            if part.state.intent is not None:
                self._note("intents", owned(part.service, part.state.intent))
            for slot, values in part.state.values.items():
                self._slot(part.service, slot, values)
        for act in part.acts or ():
            for argument in act.arguments:
                for slot, values in said((argument,)):
                    self._slot(part.service, slot, argument.canonical or values)
        for span in part.spans or ():
            for name in span.labels:
                self._slot(part.service, name, ())

    def _slot(self, owner: str | None, slot: str, values: Iterable[object]) -> None:
        name = owned(owner, slot)
        self._note("slots", name)
        for value in values:
            self._note("values", f"{name} = {value}")

    def _note(self, kind: str, name: str) -> None:
        if name in self.known[kind]:
            self.seen[kind].add(name)

    def result(self) -> dict[str, Result]:
        """Return, for each kind that the schemas have, how many names there are and are used."""
        return {
            kind: {
                "of": len(self.known[kind]),
                "used": len(self.seen[kind]),
                "share": round(len(self.seen[kind]) / len(self.known[kind]), 4),
                "never_used": sorted(self.known[kind] - self.seen[kind])[:MISSING],
            }
            for kind in KINDS
            if self.known[kind]
        }


def _elements(task: TaskSchema) -> Iterator[tuple[str, str]]:
    if task.is_service:
        yield from _service_elements(task)
        return
    nodes = task.flow.nodes.values()
    yield from (("replies", node.name) for node in nodes if node.kind == "system")
    if not task.flow.complete:
        yield from (("replies", name) for name in task.replies)
    for call in task.calls.values():
        yield "calls", call.name
        yield from (("inputs of calls", f"{call.name}.{each.name}") for each in call.inputs)
    for slot in task.slots.values():
        yield "slots", slot.name
        yield from _values(slot.name, slot.values)


def _service_elements(task: TaskSchema) -> Iterator[tuple[str, str]]:
    yield from (("replies", name) for name in task.replies)
    service = contract(task)
    for intent in service.intents:
        yield "intents", owned(task.id, intent.name)
    for each in service.slots:
        yield "slots", owned(task.id, each.name)
        if each.categorical:
            yield from _values(owned(task.id, each.name), each.possible_values)


def _values(slot: str, values: Iterable[object]) -> Iterator[tuple[str, str]]:
    options = list(values)
    if len(options) <= LISTED:
        yield from (("values", f"{slot} = {value}") for value in options)
