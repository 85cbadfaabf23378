"""A dialogue followed along the flow of its task file: which node each event is at.

    walk = Walk(task)
    for visit in walk.follow(dialogue.events):
        visit.node, visit.permitted        # "ask_time", True

A node is left by any of its edges; questions whose answer is known, and those whose condition does
not hold, are passed over to where their answers lead, and so may be what the task file makes
optional (`dialoom.sim.policies.flow`). What is known is what the annotated states say. After an
utterance without an act, or whose act is no node, any node may follow. What is out of scope leads
nowhere; after it the system may say once more what it said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from dialoom.dialogue import USER, Event, Query, Result, State, Utterance
from dialoom.dialogue.views import label, parts
from dialoom.kb.domain import CHECK
from dialoom.schema.actions import OUT_OF_SCOPE
from dialoom.schema.call import Call
from dialoom.schema.flow import Node
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.forms import ValueForms
from dialoom.sim.policies.flow.omissible import Omissible


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


class Walk:
    """The flow of one task file, ready to be followed."""

    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self.spare = Omissible(task)
        words = ValueForms(task.slots, task.language)
        self.when = {
            node.name: {
                slot: set(_canonical(words, slot, values))
                for slot, values in node.when.items()
                if slot in task.slots
            }
            for node in task.flow.nodes.values()
        }
        self.after = {
            name: tuple(after.name for after in task.flow.following(node))
            for name, node in task.flow.nodes.items()
        }

    def follow(self, events: Iterable[Event]) -> Iterator[Visit]:
        """Yield where each utterance, query and result of a dialogue is."""
        return _Path(self).follow(events)


class _Path:
    """One dialogue on its way."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.nodes = walk, walk.task.flow.nodes
        self.at: tuple[str, ...] = ()  # several where a result does not tell its outcome
        self.lost = False
        self.waits = False
        self.called: dict[str, str] = {}
        self.said: dict[str, Any] = {}
        self.none: set[str] = set()

    def follow(self, events: Iterable[Event]) -> Iterator[Visit]:
        for index, event in enumerate(events):
            if isinstance(event, Utterance):
                visit = self._utterance(index, event)
            elif isinstance(event, Query):
                visit = self._go(index, self._query_nodes(event))
                if visit.node is not None:
                    self.called[event.id] = visit.node
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
        """Note what the user gave: the acts' values, or what the annotated state has."""
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
            slots = self.walk.task.slots
            known = {slot: v for slot, v in given.items() if v is not None and slot in slots}
            self.said = self.said | known
        self.none -= self.said.keys()

    def _query_nodes(self, query: Query) -> list[str]:
        call = self.walk.task.calls.get(query.api)
        inputs = call.inputs if call else ()
        requests = {column.name for column in inputs if column.type == "request"}
        values = (c.value for c in query.constraints if c.slot in requests)
        request = next(values, None)
        return [
            node.name
            for node in self.nodes.values()
            if node.kind == "query" and node.call == query.api and node.request in (request, None)
        ]

    def _result_nodes(self, result: Result) -> list[str]:
        query = self.nodes.get(self.called.get(result.query, ""))
        call = self.walk.task.calls.get(query.call or "") if query else None
        if query is None or call is None:
            return []
        found = outcomes(call, result, query.request)
        return [name for name in self.walk.after[query.name] if self.nodes[name].outcome in found]

    def _before(self, way: tuple[str, ...] = ()) -> str | None:
        """Return the node that was left: of several, the one that the way begins at."""
        if self.lost or not self.at:
            return None
        fitting = (name for name in self.at if way and way[0] in self.walk.after[name])
        return next(fitting, self.at[0])

    def _go(self, index: int, targets: list[str]) -> Visit:
        if not targets:
            before, self.lost = self._before(), True
            return Visit(index, None, before, (), True, False, self.said)
        again = self.waits and targets[0] in self.at  # said once more, since it was not answered
        way = (targets[0],) if self.lost or again else self._way(targets)
        target = way[-1] if way else targets[0]
        node = self.nodes[target]
        needless = node.kind == "system" and bool(node.asks) and self._passable(node)
        visit = Visit(index, target, self._before(way), way, bool(way), needless, self.said)
        self.waits = False
        self.at = tuple(targets) if node.kind == "result" else (target,)
        self.lost = False
        if node.forget:
            self.said = {s: v for s, v in self.said.items() if s not in node.forget}
            self.none -= set(node.forget)
        return visit

    def _way(self, targets: list[str]) -> tuple[str, ...]:
        """Return the nodes passed to get to the nearest of some nodes; empty where none can be."""
        first = [after for name in self.at for after in self.walk.after[name]]
        if not self.at:
            first = list(self.nodes)[:1]
        queue: list[tuple[str, ...]] = [(name,) for name in dict.fromkeys(first)]
        seen = set(first)
        for way in queue:
            if way[-1] in targets:
                return way
            for onward in self._onward(self.nodes[way[-1]]):
                if onward[-1] not in seen:
                    seen.add(onward[-1])
                    queue.append((*way, *onward))
        return ()

    def _onward(self, node: Node) -> Iterator[tuple[str, ...]]:
        """Yield where a node that is passed over leads."""
        if node.reads and node.last:  # the last element is that node's to read
            yield (node.last,)
        spare = self.walk.spare
        yield from spare.ways.get(node.name, ())
        if node.kind != "system" or not node.asks:
            return
        users = [n for n in self.walk.after[node.name] if self.nodes[n].kind == "user"]
        if not self._passable(node):
            if node.name not in spare.questions:
                return
            users = [name for name in users if self.nodes[name].gives_none]
        none = not any(slot in self.said for slot in node.asks)
        for user in sorted(users, key=lambda name: self.nodes[name].gives_none != none):
            yield from ((user, after) for after in self.walk.after[user])
        if not users:
            yield from ((after,) for after in self.walk.after[node.name])

    def _passable(self, node: Node) -> bool:
        for slot, values in self.walk.when[node.name].items():
            if self.said.get(slot) not in values:
                return True
        return not any(self._needed(slot) for slot in node.asks)

    def _needed(self, slot: str) -> bool:
        if slot in self.said or slot in self.none:
            return False
        held = self.walk.task.slots.get(slot)
        return held is None or held.unless is None or held.unless not in self.said


def outcomes(call: Call, result: Result, request: str | None) -> list[str]:
    """Return how a call may have ended, going by what came back."""
    if call.effect in ("search", "find"):
        found = bool(result.total) or (result.total is None and bool(result.items))
        return ["found" if found else "nothing"]
    possible = ("available", "unavailable") if request == CHECK else ("done", "failed")
    item = result.items[0] if result.items else {}
    told = {name: call.answers.get(name) for name in possible}
    return [name for name, said in told.items() if said is None or said.items() <= item.items()]


def _canonical(words: ValueForms, slot: str, values: Iterable[str]) -> Iterator[Any]:
    for value in values:
        with suppress(ValueError):  # no number: a corpus's schemas have not been checked
            yield words.canonical(slot, value)
