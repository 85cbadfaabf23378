"""Statistics of simulated dialogues that the rules of the schema doctor read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

from dialoom.dialogue import Dialogue, Event, Result
from dialoom.quality.coverage import Coverage, CoverageCounter
from dialoom.quality.flow_alignment import Visit
from dialoom.schema.call import Call, Column
from dialoom.schema.flow import Node
from dialoom.schema.yaml.validation import placeholders
from dialoom.sim.policies.flow.program import STEP

GOALS = {"book": "done", "insert": "done", "update": "done", "search": "found", "find": "found"}
"""Effect of a call to the outcome that is hoped for."""


class Observations:
    """Statistics of the simulated dialogues of one task.

    Attributes:
        counting: Counts what they use of the task file.
        broken: Why dialogues did not come to an end, with how many.
        ended: How many did.
        reached: How many reached their goal.
        goals: API and outcome that are a goal of the task.
        known: Node to all that was known there, be it only once.
        chances: Node and number of a template to how often it could have been said.
        lint_counts: Code of lint to the number of its findings.
        first_findings: Code of lint to the first of its findings.
    """

    def __init__(self, counting: CoverageCounter) -> None:
        self.counting, self.task = counting, counting.task
        self.broken: Counter[str] = Counter()
        self.ended = self.reached = 0
        self.known: defaultdict[str, set[str]] = defaultdict(set)
        self.chances: Counter[tuple[str, int]] = Counter()
        self.lint_counts: Counter[str] = Counter()
        self.first_findings: dict[str, str] = {}
        called = {node.call for node in self.task.flow.nodes.values() if node.kind == "call"}
        calls = [call for call in self.task.calls.values() if call.name in called]
        writes = [call for call in calls if GOALS[call.effect] == "done"]
        self.goals = {f"{call.name} {GOALS[call.effect]}" for call in writes or calls}
        brought = (column.slot for call in calls for column in self._columns(call))
        self._brought = set(filter(None, brought))
        self._names = {
            node.name: [frozenset(placeholders(text)) for text in node.texts]
            for node in self.task.flow.nodes.values()
        }

    def _columns(self, call: Call) -> tuple[Column, ...]:
        return (*call.outputs, *self.task.columns(call))

    def add(self, dialogue: Dialogue) -> None:
        """Count a dialogue; note what was known at each node and whether it reached its goal."""
        self.ended += 1
        wished, shown = _wished_slots(dialogue), set[str]()
        done: set[str] = set()
        for visit in self.counting.add(dialogue):
            if visit.node is None:
                continue
            node = self.task.flow.nodes[visit.node]
            if node.kind == "result" and visit.before is not None:
                api = self.task.flow.nodes[visit.before].call
                done.add(f"{api} {node.outcome}")
                shown = set(self._shown(dialogue.events[visit.event], api or ""))
            elif node.texts:
                self._note(visit, node, wished, shown)
        self.reached += bool(done & self.goals)

    def _note(self, visit: Visit, node: Node, wished: set[str], shown: set[str]) -> None:
        """Note what is known at a node, and which of its templates could be said there."""
        user = node.kind == "user"
        known = shown | (wished if user else {*visit.said, *self._brought})
        self.known[node.name] |= known
        for number, names in enumerate(self._names[node.name]):
            # users do not say twice what they said before
            if names <= known and not (user and names & visit.said.keys()):
                self.chances[node.name, number] += 1

    def _shown(self, event: Event, api: str) -> Iterator[str]:
        """Yield what a result shows: its item, what was given, an element of a list."""
        call = self.task.calls.get(api)
        yield STEP
        yield from (column.name for column in (call.inputs if call else ()))
        for item in event.items if isinstance(event, Result) else ():
            yield from item

    @cached_property
    def coverage(self) -> Coverage:
        """What the dialogues used of the task file, once all are counted."""
        return self.counting.result()


def _wished_slots(dialogue: Dialogue) -> set[str]:
    """The slots that the user had a wish for at some time."""
    goal = dialogue.scenario.goal if dialogue.scenario else None
    if not isinstance(goal, dict):
        return set()
    changes = (set(change) for change in goal.get("changes", ()))
    return set(goal.get("values", ())).union(*changes)
