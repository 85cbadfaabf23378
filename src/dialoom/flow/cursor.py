"""Aligns a dialogue with the flow of its task file: the node of each event.

    alignment = FlowAlignment(task)
    for visit in alignment.follow(dialogue.events):
        visit.node, visit.permitted        # "ask_time", True

A node is left by any of its edges; questions that need not be asked are passed over to where their
answers lead (`dialoom.flow.machine`), and so may be what the task file makes optional
(`dialoom.flow.omissible`). What is known is what the annotated states say. After an
utterance without an act, or whose act is no node, any node may follow. What is out of scope leads
nowhere; after it the system may say once more what it said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from dialoom.dialogue import USER, Event, Query, Result, State, Utterance
from dialoom.dialogue.views import label, parts
from dialoom.flow.machine import FlowMachine
from dialoom.flow.omissible import Omissible
from dialoom.schema.call import outcomes, requested
from dialoom.schema.condition import all_hold
from dialoom.schema.flow import OUT_OF_SCOPE, Node
from dialoom.schema.task import TaskSchema


class Visit(NamedTuple):
    """One event and the node it is at.

    Attributes:
        event: The event's index.
        node: The node; None where the event names none.
        before: The node before; None at the start, and where the thread was lost.
        way: The nodes from there to here, the last included; empty where no way leads here.
        permitted: Whether the flow leads here.
        needless: Whether a question is asked whose answer is known, or that does not apply.
        said: Slot to its canonical value, as known when the event happened.
    """

    event: int
    node: str | None
    before: str | None
    way: tuple[str, ...]
    permitted: bool
    needless: bool
    said: Mapping[str, Any]


class FlowAlignment:
    """Aligns dialogues with the flow of one task file."""

    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self.omissible = Omissible(task)
        self.machine = FlowMachine(task)

    def follow(self, events: Iterable[Event]) -> Iterator[Visit]:
        """Yield each utterance, query and result of a dialogue with its node."""
        return _Path(self.task, self.machine, self.omissible).follow(events)


class _Path:
    """The state of the alignment of one dialogue."""

    def __init__(self, task: TaskSchema, machine: FlowMachine, omissible: Omissible) -> None:
        self.task, self.machine, self.omissible = task, machine, omissible
        self.nodes, self.after = task.flow.nodes, task.flow.after
        self.at: tuple[str, ...] = ()  # several where a result does not tell its outcome
        self.lost = False
        self.waits = False
        self.called: dict[str, tuple[str, Query]] = {}
        self.said: dict[str, Any] = {}
        self.shown: dict[str, Any] = {}
        self.found: dict[str, Any] = {}
        self.resumed: tuple[str, ...] = ()
        self.interruptions = tuple(n.name for n in task.flow.anytime if n.corrects or n.anytime)
        self.none: set[str] = set()

    def follow(self, events: Iterable[Event]) -> Iterator[Visit]:
        for index, event in enumerate(events):
            if isinstance(event, Utterance):
                visit = self._utterance(index, event)
            elif isinstance(event, Query):
                visit = self._go(index, self._query_nodes(event))
                if visit.node is not None:
                    self.called[event.id] = (visit.node, event)
            elif isinstance(event, Result):
                visit = self._go(index, self._result_nodes(event))
            else:
                continue
            yield visit

    def _utterance(self, index: int, event: Utterance) -> Visit:
        name = label(event)
        if name == OUT_OF_SCOPE and name not in self.nodes:  # leads nowhere: the flow waits
            self.waits = True
            return Visit(index, None, self._before(), (), True, False, self.said)
        node = self.nodes.get(name or "")
        kind = "user" if event.agent == USER else "system"
        fits = node is not None and node.kind == kind
        visit = self._go(index, [node.name] if node is not None and fits else [])
        if event.agent == USER:
            self._listen(event, node)
        return visit

    def _listen(self, event: Utterance, node: Node | None) -> None:
        """Note the values that the user gave: those of the acts, or of the annotated state."""
        state: State | None = None
        given: dict[str, Any] = {}
        for part in parts(event):
            state = part.state or state
            for act in part.acts or ():
                for argument in act.arguments:
                    values = argument.canonical or argument.values
                    given[argument.slot] = values[0] if values else None
        if node is not None and node.gives_none:
            self.none |= {slot for slot, value in given.items() if value is None}
        if state is not None:
            self.said = {slot: values[0] for slot, values in state.values.items() if values}
        else:
            slots = self.task.slots
            known = {slot: v for slot, v in given.items() if v is not None and slot in slots}
            self.said = self.said | known
        self.none -= self.said.keys()

    def _query_nodes(self, query: Query) -> list[str]:
        call = self.task.calls.get(query.api)
        request = requested(call, query.constraints) if call else None
        return [
            node.name
            for node in self.nodes.values()
            if node.kind == "call" and node.call == query.api and node.request in (request, None)
        ]

    def _result_nodes(self, result: Result) -> list[str]:
        if result.query not in self.called:
            return []
        name, query = self.called[result.query]
        call = self.task.calls[query.api]
        found = outcomes(call, query.constraints, result.items)
        given = {c.slot: c.value for c in query.constraints if c.operator == "equal"}
        self.shown = given | (result.items[0] if result.items else {})
        after = [self.nodes[each] for each in self.after[name]]
        return list(self._fitting([node for node in after if node.outcome in found]))

    def _fitting(self, results: Iterable[Node]) -> Iterator[str]:
        """Yield the results whose conditions hold: of each outcome the first."""
        seen: set[str | None] = set()
        for node in results:
            if node.outcome not in seen and all_hold(node.when, {**self.known, **self.shown}):
                seen.add(node.outcome)
                yield node.name

    @property
    def known(self) -> Mapping[str, Any]:
        """Slot to its value, from results and from what was said."""
        return {**self.found, **self.said} if self.found else self.said

    def _before(self, way: tuple[str, ...] = ()) -> str | None:
        """Return the node that was left: of several, the one that the way begins at."""
        if self.lost or not self.at:
            return None
        fitting = (name for name in self.at if way and way[0] in self.after[name])
        return next(fitting, self.at[0])

    def _go(self, index: int, targets: list[str]) -> Visit:
        if not targets:
            before, self.lost = self._before(), True
            return Visit(index, None, before, (), True, False, self.said)
        node = self.nodes[targets[0]]
        if self.waits and node.not_understood:  # the user is to say it again
            self.waits, before = False, self._before()
            self.at = (*self.at, node.name)
            return Visit(index, node.name, before, (node.name,), True, False, self.said)
        again = self.waits and targets[0] in self.at  # said once more, since it was not answered
        way = (targets[0],) if self.lost or again else self._way(targets)
        target = way[-1] if way else targets[0]
        node = self.nodes[target]
        needless = self.machine.need(node, self.known, self.none) == "needless"
        visit = Visit(index, target, self._before(way), way, bool(way), needless, self.said)
        self.waits = False
        if node.corrects:
            self.resumed = (*self.machine.resumed(node), *self.at)
        else:
            self.resumed = ()
        self.at = tuple(targets) if node.kind == "result" else (target,)
        if node.kind == "result":
            self.found |= {s: self.shown[o] for s, o in node.takes.items() if o in self.shown}
        self.lost = False
        if node.forget:
            self.said = {s: v for s, v in self.said.items() if s not in node.forget}
            self.found = {s: v for s, v in self.found.items() if s not in node.forget}
            self.none -= set(node.forget)
        return visit

    def _way(self, targets: list[str]) -> tuple[str, ...]:
        """Return the nodes passed to get to the nearest of some nodes; empty where none can be."""
        first = [after for name in self.at for after in self.after[name]]
        first += [*self.resumed, *(self.interruptions if self.at else ())]
        ways = self.machine.ways(first if self.at else list(self.nodes)[:1], self._onward)
        return next((way for way in ways if way[-1] in targets), ())

    def _onward(self, node: Node) -> Iterator[tuple[str, ...]]:
        """Yield where a node that is passed over leads."""
        if node.reads and node.last:  # the last element is that node's to read
            yield (node.last,)
        yield from self.omissible.ways.get(node.name, ())
        if self.machine.need(node, self.known, self.none) != "needed":
            yield from self.machine.past(node, self.known)
        elif node.name in self.omissible.questions:
            ways = self.machine.past(node, self.known)
            yield from (way for way in ways if self.nodes[way[0]].gives_none)
