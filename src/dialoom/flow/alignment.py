"""Aligns a dialogue with the flow of its task: the node of each event.

A node is left by any of its edges; needless nodes, and those that the task file marks as optional,
are skipped (`FlowCursor.way`). The annotated states give the known values. After an utterance
without an act, or with an act that is no node, any node may follow. Out-of-scope turns lead
nowhere; after one the system may repeat itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from dialoom.dialogue import USER, Event, Query, Result, State, Utterance
from dialoom.dialogue.views import label, parts
from dialoom.flow.cursor import FlowCursor, GivenValues, Way, calls, results, stated
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.schema.condition import all_hold
from dialoom.schema.flow import OUT_OF_SCOPE


class Visit(NamedTuple):
    """One event and its node.

    Attributes:
        node: The node; None if the event names none.
        before: The previous node; None at the start, and after a lost thread.
        way: The nodes from there to here, the last included; empty without a way.
        permitted: True if the flow leads here.
        needless: True for a question with a known answer, or one that does not apply.
        said: Slot to its canonical value at the time of the event.
    """

    event: int
    node: str | None
    before: str | None
    way: tuple[str, ...]
    permitted: bool
    needless: bool
    said: Mapping[str, Any]


def follow(program: TaskProgram, events: Iterable[Event]) -> Iterator[Visit]:
    """Yield each utterance, query and result of a dialogue with its node."""
    path = _Path(program)
    for index, event in enumerate(events):
        if isinstance(event, Utterance):
            yield path.utterance(index, event)
        elif isinstance(event, Query):
            yield path.query(index, event)
        elif isinstance(event, Result):
            yield path.go(index, path.results(event))


class _Path:
    def __init__(self, program: TaskProgram) -> None:
        self.program = program
        self.none: set[str] = set()
        self.known = GivenValues(program, {}, self.none)
        self.cursor = FlowCursor(program, self.known)
        self.lost = False
        self.waits = False
        self.called: dict[str, tuple[Step, Query]] = {}
        self.said: dict[str, Any] = {}
        self.shown: dict[str, Any] = {}
        self.found: dict[str, Any] = {}

    def utterance(self, index: int, event: Utterance) -> Visit:
        """Return the visit of an utterance; note the values that a user gives there."""
        name = label(event)
        step = self.program.steps.get(name or "")
        if name == OUT_OF_SCOPE and step is None:  # leads nowhere: the flow waits
            self.waits = True
            return Visit(index, None, self._before(), (), True, False, self.said)
        kind = "user" if event.agent == USER else "system"
        visit = self.go(index, [step] if step is not None and step.kind == kind else [])
        if event.agent == USER:
            self._listen(event, step)
        return visit

    def query(self, index: int, event: Query) -> Visit:
        """Return the visit of a call."""
        visit = self.go(index, calls(self.program, event))
        if visit.node is not None:
            self.called[event.id] = (self.program.steps[visit.node], event)
        return visit

    def results(self, result: Result) -> list[Step]:
        """Return the nodes of a result, of each outcome the first whose conditions hold."""
        if result.query not in self.called:
            return []
        step, query = self.called[result.query]
        self.shown = stated(query, result)
        facts, first = {**self.known.values, **self.shown}, dict[str | None, Step]()
        for after in results(step, query, result):
            if all_hold(after.when, facts):
                first.setdefault(after.node.outcome, after)
        return list(first.values())

    def _listen(self, event: Utterance, step: Step | None) -> None:
        state: State | None = None
        facts: dict[str, Any] = {}
        for part in parts(event):
            state = part.state or state
            for act in part.acts or ():
                for argument in act.arguments:
                    values = argument.canonical or argument.values
                    facts[argument.slot] = values[0] if values else None
        if step is not None and step.node.gives_none:
            self.none.update(slot for slot, value in facts.items() if value is None)
        if state is not None:
            self.said = {slot: values[0] for slot, values in state.values.items() if values}
        else:
            slots = self.program.schema.slots
            self.said = self.said | {s: v for s, v in facts.items() if v is not None and s in slots}
        self.none.difference_update(self.said)
        self.known.values = {**self.found, **self.said}

    def _before(self, way: Way = ()) -> str | None:
        """Return the previous node: of several, the one at which the way begins."""
        at = () if self.lost else self.cursor.at
        fitting = (step.name for step in at if way and way[0] in step.after)
        return next(fitting, at[0].name if at else None)

    def go(self, index: int, targets: list[Step]) -> Visit:
        """Return the visit of an event with some possible nodes; go to the nearest of them."""
        if not targets:
            before, self.lost = self._before(), True
            return Visit(index, None, before, (), True, False, self.said)
        step, cursor = targets[0], self.cursor
        if self.waits and step.node.not_understood:  # the user is to say it again
            self.waits, before = False, self._before()
            cursor.at = (*cursor.at, step)
            return Visit(index, step.name, before, (step.name,), True, False, self.said)
        again = self.waits and step in cursor.at  # said once more, since it was not answered
        way = (step,) if self.lost or again else cursor.way(targets)
        target = way[-1] if way else step
        needless = cursor.need(target) == "needless"
        names = tuple(each.name for each in way)
        visit = Visit(index, target.name, self._before(way), names, bool(way), needless, self.said)
        self.waits = self.lost = False
        cursor.place_at(*(targets if target.kind == "result" else (target,)))
        self._take(target)
        return visit

    def _take(self, step: Step) -> None:
        """Take the values over that a node takes from the last result; drop what it forgets."""
        if step.kind == "result":
            self.found |= {s: self.shown[o] for s, o in step.node.takes.items() if o in self.shown}
        if step.forget:
            forgotten = step.node.forget
            self.said = {s: v for s, v in self.said.items() if s not in forgotten}
            self.found = {s: v for s, v in self.found.items() if s not in forgotten}
            self.none.difference_update(forgotten)
        self.known.values = {**self.found, **self.said}
