"""The flow guard: what may come next in a task's flow chart, and the wizard's place in it.

Questions and earlier actions may be left out; questions and the last action may be repeated. After
a query its result decides the branch; after a turn of the user any branch is permitted. Questions
whose answer is known are passed over, so that a task that is taken up again continues at the right
place. The rules are those of `dialoom.flow.cursor`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dialoom.collect.kinds.room.wizard.filling import Filler
from dialoom.collect.kinds.room.wizard.forms import readable
from dialoom.collect.log.record import Body, Record
from dialoom.collect.unit import UnitFaults
from dialoom.dialogue import SYSTEM, Query, Result, Selection, Utterance
from dialoom.dialogue.views import label as label_of
from dialoom.dialogue.views import query_label
from dialoom.flow.cursor import FlowCursor, GivenValues
from dialoom.flow.program import TaskProgram, program_of
from dialoom.schema.flow import UNBOUND
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import parse


class Guard:
    """The flow of one task with the texts that wizards see, shared by all rooms."""

    def __init__(self, task: TaskSchema) -> None:
        self.program: TaskProgram = program_of(task)
        self._filler = Filler(task)

    def text(self, name: str, item: Mapping[str, Any] = {}, facts: Mapping[str, Any] = {}) -> str:
        """Return a node's text or its query; unknown values appear as names in brackets."""
        node = self.program.schema.flow.nodes[name]
        if node.kind == "call":
            return ": ".join(filter(None, (readable(node.call or ""), node.request)))
        templates = [parse(text) for text in node.texts]
        filled = (self._filler.fill(template, item, facts, node) for template in templates)
        whole = next((text for text in filled if text is not None), None)
        return whole or self._filler.sketch(templates[0], item, facts, node)


class WizardPlace(FlowCursor):
    """A wizard's place in a task's flow; `read` counts elements read out since a query."""

    __slots__ = ("done", "read")

    def __init__(self, program: TaskProgram) -> None:
        super().__init__(program, GivenValues(program))
        self.done: list[str] = []
        self.read = 0

    @property
    def node(self) -> str | None:
        """The node of the last action; None at the start."""
        return self.at[0].name if self.at else None

    def do(self, action: str) -> None:
        """Go to the nearest node of an action; actions that have none change nothing."""
        step = self.nearest(action)
        if step is not None:
            self.place_at(step)
            self.done.append(action)
            self.read += step.reads is not None

    def permits(self, action: str) -> bool:
        """True if an action may come next."""
        program = self.program
        if action in UNBOUND or not program.steps:
            return True
        step = program.steps.get(action)
        asked_before = action in self.done and step is not None and step.node.asks
        if self.at and (action == self.at[0].label or asked_before):
            return True
        permitted = self.permitted(self.done)
        return not permitted or action in permitted | program.loose


class Progress:
    """A wizard's place in each flow of a dialogue; `ended` returns the outcome of a query."""

    def __init__(
        self, guards: Mapping[str, Guard], ended: Callable[[Query, Result], str | None]
    ) -> None:
        self._guards, self._ended = dict(guards), ended
        self.places = {name: WizardPlace(guard.program) for name, guard in guards.items()}
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
        if action is not None and self._task is not None:
            self.places[self._task].do(action)

    def expected(
        self,
        task: str,
        slots: Mapping[str, Any],
        item: Mapping[str, Any] = {},
        facts: Mapping[str, Any] = {},
    ) -> list[dict[str, str]]:
        """Return the next actions of a task, as `id` and `text`, each once."""
        guard, place = self._guards[task], self.places[task]
        place.known = GivenValues(guard.program, slots)
        texts: dict[str, str] = {}
        for step in place.expected():
            if step.label not in texts:
                texts[step.label] = guard.text(step.name, item, facts)
        return [{"id": action, "text": text} for action, text in texts.items()]
