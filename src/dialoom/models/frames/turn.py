"""A user's turn before its frames are tracked: its acts and text, and the frames with history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dialoom.dialogue import SYSTEM, USER, Act, Argument, Frame, FrameOf, Question, Utterance
from dialoom.dialogue.annotation import Part, Value
from dialoom.dialogue.frames import ID, START
from dialoom.dialogue.references import NEW
from dialoom.dialogue.views import parts

NEVER = -1
"""The turn of an event that has not happened."""


@dataclass(slots=True)
class FrameHistory:
    """The history of a frame; turns are counted from 0.

    `maker` is the agent of the turn that created it (`made`); of the first frame, the user. `act`
    is the first act that refers to it, `place` its index among the frames of that turn. `active` is
    the last turn after which it was active, or `NEVER`, `times` their number. `stated` maps agents
    to their last turn about the frame, `stated_slots` slots to values in the system's last turn, or
    None if it asked.
    """

    frame: Frame
    made: int = 0
    maker: str = USER
    act: str = ""
    place: int = 0
    active: int = NEVER
    times: int = 0
    stated: dict[str, int] = field(default_factory=dict)
    stated_slots: dict[str, Value] = field(default_factory=dict)


class UserTurn:
    """A user's turn whose frames are to be predicted.

    `number` counts the turns before it. `frames` are existing candidates, `active` is the frame
    before the turn. `system` and `said` are acts and text of the system's last turn, `before` the
    acts of the user's turn before. `new` is False if the question shows the turn's frames.
    """

    def __init__(self, question: Question[FrameOf]) -> None:
        *earlier, now = question.utterances
        self.acts: Sequence[Act] = question.asked.acts
        self.text, self.number = now.text, len(earlier)
        self.frames = {frame.id: FrameHistory(frame) for frame in START.frames}
        self.active = START.active
        self.system: Sequence[Act] = ()
        self.before: Sequence[Act] = ()
        self.said = ""
        for number, event in enumerate(earlier):
            part = _tracked(event)
            if part is not None:
                self._follow(number, event, part)
        leaked = _tracked(now)
        self.new = leaked is None
        if leaked is not None:
            self._update(self.number, USER, leaked)

    @property
    def candidates(self) -> list[int]:
        """The frames that an act may refer to; `NEW` comes last."""
        return [*self.frames, NEW] if self.new else [*self.frames]

    def _follow(self, number: int, event: Utterance, part: Part) -> None:
        acts = part.acts or ()
        self._update(number, event.agent, part)
        if event.agent == SYSTEM:
            self.system, self.said = acts, event.text
            for each in self.frames.values():
                each.stated_slots = {}
        else:
            self.before = acts
        self._refer(number, event.agent, acts)
        if part.active_frame in self.frames:
            self.active = part.active_frame
        held = self.frames[self.active]
        held.active, held.times = number, held.times + 1

    def _update(self, number: int, agent: str, part: Part) -> None:
        place = 0
        for frame in part.frames or ():
            known = self.frames.get(frame.id)
            if known is not None:
                known.frame = frame
            else:
                self.frames[frame.id] = FrameHistory(frame, number, agent, place=place)
                place += 1

    def _refer(self, number: int, agent: str, acts: Sequence[Act]) -> None:
        for act in acts:
            made = next((a.values[0] for a in act.arguments if a.slot == ID and a.values), None)
            plain = [a for a in act.arguments if not a.references and a.slot != ID]
            references = {
                each.frame: each.arguments or () for a in act.arguments for each in a.references
            }
            if made is not None and made in self.frames:
                references[int(made)] = tuple(plain)
            elif agent == SYSTEM:
                self._record(self.active, plain)
            for frame, arguments in references.items():
                each = self.frames.get(frame)
                if each is None:
                    continue
                each.stated[agent] = number
                each.act = each.act or act.name
                if agent == SYSTEM:
                    self._record(frame, arguments)

    def _record(self, frame: int, arguments: Iterable[Argument]) -> None:
        self.frames[frame].stated_slots.update(
            (a.slot, a.values[0] if a.values else None) for a in arguments
        )


def _tracked(event: Utterance) -> Part | None:
    return next((part for part in parts(event) if part.frames is not None), None)
