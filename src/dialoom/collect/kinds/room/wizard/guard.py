"""The flow guard: what may come next in a task's flow chart, and where a wizard stands in it.

    guard = Guard(task)
    guard.expected("ask_name", known={"guests": 4})    # ("restaurant_ask_restaurant",)
    guard.permits("restaurant_ask_time", "ask_name", done=("hello", "ask_name"))    # a skip: True

Questions and earlier actions may be left out; questions and the last action may be repeated. After
a query its result decides the branch; after a turn of the user any branch is permitted. Questions
whose answer is known are passed over, so that a task that is taken up again continues at the right
place. The rules are those of `dialoom.flow.machine`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dialoom.collect.kinds.room.wizard.filling import Filler
from dialoom.collect.kinds.room.wizard.forms import readable
from dialoom.collect.log.record import Body, Record
from dialoom.collect.unit_faults import UnitFaults
from dialoom.dialogue import SYSTEM, Query, Result, Selection, Utterance
from dialoom.dialogue.views import label as label_of
from dialoom.dialogue.views import query_label
from dialoom.flow.machine import FlowMachine
from dialoom.schema.flow import UNBOUND
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import parse


class Guard:
    """The flow guard of one task, shared by all rooms."""

    def __init__(self, task: TaskSchema) -> None:
        self.task, self.machine = task, FlowMachine(task)
        self.labels = self.machine.labels
        self._filler = Filler(task)

    def expected(
        self, at: str | None, known: Mapping[str, Any] = {}, outcome: str | None = None
    ) -> tuple[str, ...]:
        """Return the nodes that come next, the nearest first (FlowMachine.expected)."""
        return self.machine.expected(at, known, outcome)

    def permits(
        self,
        action: str,
        at: str | None,
        done: Collection[str] = (),
        outcome: str | None = None,
    ) -> bool:
        """Return whether an action may come next.

        Args:
            action: The action.
            at: The node of the last one, None at the start.
            done: The actions so far.
            outcome: How the last query ended, where that is known.
        """
        nodes = self.task.flow.nodes
        if action in UNBOUND or not nodes:
            return True
        asked_before = action in done and action in nodes and nodes[action].asks
        if at is not None and (action == self.labels[at] or asked_before):
            return True
        permitted = self.machine.permitted(_at(at), done, outcome)
        return not permitted or action in permitted | self.machine.anytime

    def node(self, action: str, at: str | None, outcome: str | None = None) -> str | None:
        """Return the node of an action; if there are several, the nearest one after `at`."""
        named = self.machine.named.get(action, ())
        if len(named) > 1:
            near = self.machine.reach(_at(at), lambda node: True, outcome)
            named = tuple(name for name in near if name in named) or named
        return named[0] if named else None

    def text(self, name: str, item: Mapping[str, Any] = {}, known: Mapping[str, Any] = {}) -> str:
        """Return a node's text, with names in brackets for unknown values, or the query it makes.

        Args:
            name: The node.
            item: The wizard's primary item.
            known: Name to value of what the user said.
        """
        node = self.task.flow.nodes[name]
        if node.kind == "call":
            return ": ".join(filter(None, (readable(node.call or ""), node.request)))
        templates = [parse(text) for text in node.texts]
        filled = (self._filler.fill(template, item, known, node) for template in templates)
        whole = next((text for text in filled if text is not None), None)
        return whole or self._filler.sketch(templates[0], item, known, node)


def _at(node: str | None) -> tuple[str, ...]:
    return () if node is None else (node,)


@dataclass(slots=True)
class Place:
    """The place of a wizard in the flow of one task.

    Attributes:
        at: The node of the last action.
        done: The actions so far.
        outcome: How the last query ended, where it was the last action and that is known.
        read: Elements of lists read out since the last query.
    """

    at: str | None = None
    done: list[str] = field(default_factory=list)
    outcome: str | None = None
    read: int = 0


class Progress:
    """The places of a wizard in the flows of all tasks of one dialogue.

    Args:
        guards: Task to its guard.
        ended: Returns how a query ended; None where its result does not show that.
    """

    def __init__(
        self, guards: Mapping[str, Guard], ended: Callable[[Query, Result], str | None]
    ) -> None:
        self._guards, self._ended = dict(guards), ended
        self.places = {name: Place() for name in guards}
        self._task = next(iter(guards)) if len(guards) == 1 else None
        self._followed = 0
        self._query: Query | None = None

    def follow(self, log: Sequence[Record], faults: UnitFaults) -> None:
        """Read the records of a room's log that were added since the last call."""
        for record in log[self._followed :]:
            with faults.skipping(record.seq):
                self._observe(record.body)
        self._followed = len(log)

    def _observe(self, body: Body) -> None:
        if isinstance(body, Selection) and body.kind == "task":
            self._task = body.task
        elif isinstance(body, Utterance) and body.agent == SYSTEM:
            self._done(label_of(body))
        elif isinstance(body, Query):
            self._query = body
            self._done(query_label(body))
        elif isinstance(body, Result) and self._query is not None and self._task is not None:
            place = self.places[self._task]
            place.outcome = self._ended(self._query, body)
            place.read = 0

    def _done(self, action: str | None) -> None:
        if action is None or self._task is None:
            return
        guard, place = self._guards[self._task], self.places[self._task]
        node = guard.node(action, place.at, place.outcome)
        if node is None:
            return
        place.at, place.outcome = node, None
        place.done.append(action)
        place.read += guard.task.flow.nodes[node].reads is not None

    def permits(self, task: str, action: str) -> bool:
        """Return whether an action may come next in a task."""
        place = self.places[task]
        return self._guards[task].permits(action, place.at, place.done, place.outcome)

    def expected(
        self,
        task: str,
        slots: Mapping[str, Any],
        item: Mapping[str, Any] = {},
        known: Mapping[str, Any] = {},
    ) -> list[dict[str, str]]:
        """Return what comes next in a task, as `id` and `text`, each action once.

        Args:
            task: The task.
            slots: Slot to value of what is known.
            item: The item before the wizard, for the texts.
            known: What is known by every name that a text may have for it.
        """
        guard, place = self._guards[task], self.places[task]
        found: dict[str, str] = {}
        for name in guard.expected(place.at, slots, place.outcome):
            action = guard.labels[name]
            if action not in found:
                found[action] = guard.text(name, item, known)
        return [{"id": action, "text": text} for action, text in found.items()]
