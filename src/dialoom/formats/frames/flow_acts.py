"""Dialogues that follow task files, converted to Frames' acts and frames.

The acts are Frames' for the functions of nodes (base/flow_acts.py); inputs and outputs have the
names of their slots. Frames are derived by the corpus's rules (dialogue/frames.py). Each task of a
dialogue has frames of its own, to which the user switches back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from dialoom.dialogue import USER, Dialogue, Event, Query, Utterance
from dialoom.dialogue.annotation import GOLD, Act, Argument, Frame, Layer, Part, Reference
from dialoom.dialogue.frames import START, FramesState, step
from dialoom.dialogue.views import annotation
from dialoom.formats.base.flow_acts import Flow, Flows, Named, Steps, Vocabulary
from dialoom.formats.frames.acts import ACTS, REFERENCES
from dialoom.schema.task import TaskSchema

SWITCH = "switch_frame"

VOCABULARY = Vocabulary(
    names={
        "greeting": (Named("greeting", "bare"),),
        "goodbye": (Named("goodbye", "bare"),),
        "request": (Named("request"),),
        "inform": (Named("inform"),),
        "offer": (Named("offer"),),
        "confirm": (Named("confirm"),),
        "success": (Named("inform", "given"),),
        "nothing": (Named("no_result"),),
        "failure": (Named("canthelp"),),
        "intent": (Named("inform", "given"),),
        "affirm": (Named("affirm", "bare"),),
        "negate": (Named("negate", "bare"),),
    },
    known=ACTS,
    slots=True,
)
"""Frames' acts for functions of nodes; it has none for asking whether there is more, nor for no
preference."""


def adapt(schemas: Mapping[str, TaskSchema]) -> Callable[[Dialogue], Dialogue]:
    """Return a function that converts dialogues of some tasks, and leaves others unchanged."""
    return Flows(schemas, VOCABULARY).adapter(_with_frames)


def _with_frames(steps: Steps) -> Iterator[Event]:
    track = _Track()
    for event, flow in steps:
        yield track.event(event, flow)


@dataclass
class _Track:
    """The frames while a dialogue is converted; `active` has each task's last one."""

    state: FramesState = START
    task: str | None = None
    active: dict[str, int] = field(default_factory=dict)

    def event(self, event: Event, flow: Flow | None) -> Event:
        back = flow is not None and self._turn_to(flow.task.id)
        if isinstance(event, Query) and flow is not None:
            request = Act("inform", tuple(_asked(event, flow)))
            self.state = step(self.state, USER, (request,), _single(flow))
        elif isinstance(event, Utterance):
            return self._said(event, flow, back=back)
        return event

    def _turn_to(self, task: str) -> bool:
        """Switch to the frames of a task; return whether it had frames before."""
        if task == self.task:
            return False
        if self.task is not None:
            self.active[self.task] = self.state.active
        number = self.active.get(task)
        frames, first = self.state.frames, self.task is None
        if number is None and not first:
            frames = (*frames, Frame(len(frames) + 1))
        self.task = task
        self.state = FramesState(frames, number or len(frames))
        return number is not None

    def _said(self, event: Utterance, flow: Flow | None, *, back: bool) -> Utterance:
        layer = annotation(event) or Layer(GOLD, (Part(),))
        parts = []
        for part in layer.parts:
            acts = tuple(map(self._offered, part.acts or ()))
            if back and event.agent == USER:
                to = Argument(REFERENCES[0], references=(Reference(self.state.active),))
                acts, back = (Act(SWITCH, (to,)), *acts), False
            single = _single(flow) if flow else ()
            self.state = step(self.state, event.agent, map(_plain, acts), single)
            frames = replace(part, frames=self.state.frames, active_frame=self.state.active)
            parts.append(replace(frames, acts=acts))
        return replace(event, layers=(replace(layer, parts=tuple(parts)),))

    def _offered(self, act: Act) -> Act:
        """Return an act; an offer with values refers to the new frame that it makes."""
        if act.name != "offer" or not act.arguments:
            return act
        new = Reference(len(self.state.frames) + 1, act.arguments)
        return replace(act, arguments=(Argument(REFERENCES[0], references=(new,)),))


def _single(flow: Flow) -> frozenset[str]:
    slots = flow.task.slots.values()
    return frozenset(slot.name for slot in slots if slot.type != "categories")


def _asked(query: Query, flow: Flow) -> Iterator[Argument]:
    for constraint in query.constraints:
        slot = flow.slot(constraint.slot)
        if constraint.operator in ("equal", "one_of", "contains") and slot in flow.task.slots:
            yield Argument(slot, constraint.values)


def _plain(act: Act) -> Act:
    return replace(act, arguments=tuple(_canonical(act.arguments)))


def _canonical(arguments: Iterable[Argument]) -> Iterator[Argument]:
    for argument in arguments:
        inner = tuple(
            replace(each, arguments=tuple(_canonical(each.arguments or ())))
            for each in argument.references
        )
        yield Argument(argument.slot, argument.canonical or argument.values, references=inner)
