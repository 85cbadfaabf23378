"""Dialogues of a task in Taskmaster-1's form: both sides' texts, with labels of values.

    view = View(pack.load("hotel_book"), seed=7)
    view.dialogue(0)                # the dialogue that StarPlan makes, labelled otherwise
    view.schema                     # the task as a vertical of the ontology

A value is accepted if the user still wants it at the end and the last call succeeded; it is
rejected if the user wants another one by then. Other values from the knowledge base are no
arguments and stay unlabelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import GOLD, Dialogue, Layer, Part, Result, Scenario, Span, Utterance, views
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.policies.outline.labels import ACCEPT, REJECT
from dialoom.sim.policies.outline.verticals import ontology_entry

UNHAPPY = 3
"""One in so many dialogues has an unhappy user."""

ATTEMPTS, FAR = 50, 2**40
"""Most dialogues tried for one with a required argument, and the distance of their indices, larger
than any run so that no dialogue comes twice."""

Values = dict[str, tuple[Any, ...]]


class View:
    """Returns a task's dialogues; `index` is in the ontology; `UsageError` without slots."""

    def __init__(self, task: TaskSchema, seed: int, index: int = 0) -> None:
        if not task.slots:
            raise UsageError(
                f"the task {task.id} has no slots that could be labelled", code="unfit-task"
            )
        self._task, self._seed = task, seed
        self._simulator = Simulator(task, seed)
        self._slots = dict(_names(task))
        self._changes = any(call.writes for call in task.calls.values())
        required = [slot.name for slot in task.slots.values() if not (slot.optional or slot.unless)]
        optional = [name for name in task.slots if name not in required]
        self._required = {f"{task.id}.{name}{end}" for name in required for end in ("", ACCEPT)}
        self.schema = ontology_entry(task.id, task.id, required, optional, index)

    def dialogue(self, index: int) -> Dialogue:
        """Return one dialogue of the run; `UsageError` if none has a required argument.

        Like the published corpus, it leaves out dialogues without any required argument.
        """
        for attempt in range(ATTEMPTS):
            draft = self._made(index, index + attempt * FAR)
            if not self._required or self._required & _labels(draft):
                return draft
        raise UsageError(f"nobody says a required argument of {self._task.id}; leave it out")

    def _made(self, index: int, which: int) -> Dialogue:
        rng = SeededRng(seed_of(self._seed, which), b"view")
        draft = self._simulator.dialogue(which, unhappy=rng.once_in(UNHAPPY))
        state = views.state_at(draft.events, len(draft.events))
        last = state.values if state is not None else {}
        scenario = draft.scenario or Scenario()
        success = _found(draft) and (not self._changes or "effects" in scenario.goal)
        turns = [event for event in draft.events if isinstance(event, Utterance)]
        events = tuple(replace(e, layers=self._layers(e, last, success), time=None) for e in turns)
        return replace(
            draft,
            id=f"dlg-{index + 1}",
            events=events,
            services=(),
            scenario=Scenario(
                instruction_id=self._task.id, user_task=scenario.user_task, goal=scenario.goal
            ),
        )

    def _layers(self, utterance: Utterance, last: Values, success: bool) -> tuple[Layer, ...]:
        spans = tuple(
            Span(span.start, span.end, labels)
            for part in views.parts(utterance)
            for span in part.spans or ()
            if (labels := tuple(self._labels(utterance.text, span, part, last, success)))
        )
        return (Layer(GOLD, (Part(spans=spans),)),) if spans else ()

    def _labels(
        self, text: str, span: Span, part: Part, last: Values, success: bool
    ) -> Iterator[str]:
        for name in span.labels:
            slot = self._slots.get(name)
            if slot is not None:
                outcome = _outcome(_meant(text, name, span, part), last.get(slot, ()), success)
                yield f"{self._task.id}.{slot}{outcome}"


def _names(task: TaskSchema) -> Iterator[tuple[str, str]]:
    for column in task.call_inputs:
        if column.slot in task.slots:
            yield column.name, str(column.slot)
    for slot in task.slots:
        yield slot, slot


def _outcome(value: Any, goal: tuple[Any, ...], success: bool) -> str:
    if not goal:
        return ""
    if value not in goal:
        return REJECT
    return ACCEPT if success else ""


def _meant(text: str, name: str, span: Span, part: Part) -> Any:
    excerpt = text[span.start : span.end]
    for act in part.acts or ():
        for argument in act.arguments:
            if argument.slot == name and excerpt in argument.values:
                place = argument.values.index(excerpt)
                return argument.canonical[place] if argument.canonical else excerpt
    return excerpt


def _labels(dialogue: Dialogue) -> set[str]:
    turns = (event for event in dialogue.events if isinstance(event, Utterance))
    spans = (span for each in turns for part in views.parts(each) for span in part.spans or ())
    return {label for span in spans for label in span.labels}


def _found(dialogue: Dialogue) -> bool:
    results = [event for event in dialogue.events if isinstance(event, Result)]
    return bool(results) and bool(results[-1].items)
