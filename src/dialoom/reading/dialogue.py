"""A running reading of the system's side of a dialogue: each turn in its context.

    reading = DialogueReading(task)
    for event in dialogue.events:
        reading.observe(event)
    reading.turn.action               # the node of the system's last turn

A reply that carries an action label is what its label says. Any other reply is read by its words;
replies that the flow leads to, after the last result or the user's last turn, come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from dialoom.dialogue import SYSTEM, Event, Query, Result, Utterance
from dialoom.dialogue.views import label
from dialoom.reading.turn import SpokenAct, TurnReading, turn_reader
from dialoom.schema.call import outcomes, requested
from dialoom.schema.flow import Node
from dialoom.schema.task import TaskSchema

NEXT = 1.5
"""Bonus, in nats, of a reply that the flow leads to."""

EXCLUDED = -2.0
"""The same for a reply to an outcome that the call did not have, or to a call that was not made."""


class DialogueReading:
    """Reads the system's turns of one dialogue in one task.

    Attributes:
        turn: What the system's last turn says.
        unread: How many of the system's turns were not understood.
        examples: Their texts.
    """

    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self.turn = TurnReading()
        self.unread: list[str] = []
        self._reader = turn_reader(task, "system")
        self._from: tuple[str, ...] = ()
        self._against: tuple[str, ...] = ()
        self._query: Query | None = None

    def observe(self, event: Event) -> None:
        """Take in the next event."""
        if isinstance(event, Query):
            self._query = event
        elif isinstance(event, Result):
            self._conclude(event)
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            self.turn = self.read(event)
            if self.turn.main is not None and not self.turn.understood:
                self.unread.append(event.text)
            self._from, self._against = (self.turn.action,) if self.turn.action else (), ()
        elif isinstance(event, Utterance):
            named = label(event)
            self._from = (named,) if named in self.task.flow.nodes else self._from

    def read(self, said: Utterance) -> TurnReading:
        """Return what a turn of the system says here."""
        node = self.task.flow.nodes.get(label(said) or "")
        if node is None:
            return self._reader.read(said.text, self.expected())
        return TurnReading((SpokenAct(said.text, "", node.name, node.asks, 1.0),))

    def expected(self) -> Mapping[str, float]:
        """Return the bonus of each reply that is likelier or less likely here than elsewhere."""
        return _expected(_Flow(self.task), self._from, self._against, self._query is not None)

    def _conclude(self, result: Result) -> None:
        """Note the nodes of a result's outcome, and those of the outcomes that it excludes."""
        query, nodes = self._query, self.task.flow.nodes
        call = self.task.calls.get(query.api) if query is not None else None
        if query is None or call is None:
            return
        request = requested(call, query.constraints)
        ended = outcomes(call, query.constraints, result.items)
        made = [n for n in nodes.values() if n.call == call.name and n.request in (request, None)]
        after = {e.name: e for n in made for e in self.task.flow.following(n) if e.kind == "result"}
        self._from = tuple(name for name, node in after.items() if node.outcome in ended)
        self._against = tuple(name for name in after if name not in self._from)


class _Flow:
    """A flow as a key of the cache: one for each task."""

    def __init__(self, task: TaskSchema) -> None:
        self.task = task

    def __hash__(self) -> int:
        return id(self.task)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flow) and other.task is self.task


@lru_cache(maxsize=4096)
def _expected(
    flow: _Flow, after: tuple[str, ...], against: tuple[str, ...], called: bool
) -> Mapping[str, float]:
    nodes = flow.task.flow.nodes
    led = set(_replies(flow.task, (nodes[name] for name in after if name in nodes)))
    excluded = set(_replies(flow.task, (nodes[name] for name in against)))
    if not called:
        results = (node for node in nodes.values() if node.kind == "result")
        excluded |= set(_replies(flow.task, results)) - _before_calls(flow.task)
    return dict.fromkeys(sorted(led), NEXT) | dict.fromkeys(sorted(excluded - led), EXCLUDED)


def _before_calls(task: TaskSchema) -> set[str]:
    """Return the nodes that the flow reaches without a call, those of its ends included."""
    first = task.flow.first
    queue = [node for node in (first, *task.flow.anytime, *task.flow.apologies) if node]
    seen = {node.name for node in queue}
    for node in queue:
        after = [] if node.kind == "call" else task.flow.following(node)
        new = [each for each in after if each.name not in seen]
        seen.update(each.name for each in new)
        queue += new
    ends = (node.name for node in task.flow.nodes.values() if not node.then)
    return seen.union(ends)


def _replies(task: TaskSchema, nodes: Iterable[Node]) -> Iterator[str]:
    """Yield the system's nodes that come after some nodes before the user speaks again."""
    queue = [after for node in nodes for after in task.flow.following(node)]
    seen = {node.name for node in queue}
    for node in queue:
        if node.kind == "user":
            continue
        if node.kind == "system":
            yield node.name
        new = [after for after in task.flow.following(node) if after.name not in seen]
        seen.update(after.name for after in new)
        queue += new
