"""Frames as a state machine: a turn's acts create frames, change them, and switch between them.

    state = START                                   # frame 1, empty and active
    state = step(state, USER, (Act("inform", (Argument("dst_city", ("Tarn",)),)),))
    state.frames, state.active

The rules, after the Frames corpus and El Asri et al. (2017), section 4:

* Values that a user informs of are added to the active frame. If one differs from a value of a
  `single` slot there, a new frame is made, a child of the frame that the act refers to, or else of
  the active one.
* A package that a wizard offers and an alternative that a wizard suggests are new frames, children
  of the frame that is read or referred to, or else of the active one. Their values come with the
  key `write`; in the published files also as the act's own values, with the frame's number as `id`.
* Only users change the active frame: by `switch_frame`, or with a new frame of theirs.
* A child inherits its parent's values; from a package, only those of slots that a user may set.
* A question stays in its frame until a wizard gives the slot a value there, or cannot help.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from dialoom.dialogue.annotation import (
    Act,
    Argument,
    Frame,
    FrameQuestion,
    FrameValue,
    Reference,
    Value,
)
from dialoom.dialogue.event import USER
from dialoom.errors import UsageError

CONSTRAINTS = frozenset(
    {"budget", "category", "dst_city", "end_date", "flex", "n_adults", "or_city", "seat"}
    | {"str_date"}
)
"""Slots of the corpus with one value at a time: a different value makes a new frame. Other slots
collect values: a price may be "cheapest" and "912.40"."""

INTENT, NAME = "intent", "name"

REJECTED, MOREINFO = "REJECTED", "MOREINFO"
"""Slots of a frame about an offer: whether it was rejected, whether the user asked for more."""

READ = "read"
"""The key of a reference to the frame that an offer is derived from."""

ID = "id"
"""The argument of an offer or suggestion with the number of the frame that it makes."""

Said = tuple[str, Value]
Info = dict[str, tuple[FrameValue, ...]]
Asked = tuple[FrameQuestion, ...]


class FramesState(NamedTuple):
    """The frames after a turn, numbered by position from 1, and the active one's number."""

    frames: tuple[Frame, ...]
    active: int

    def frame(self, number: int) -> Frame:
        """Return the frame with a number; `UsageError` if there is none."""
        if not 0 < number <= len(self.frames):
            raise UsageError(
                f"there is no frame {number}; there are 1 to {len(self.frames)}",
                code="unknown-name",
            )
        return self.frames[number - 1]


START = FramesState((Frame(1),), 1)
"""The state before the first turn: one empty, active frame."""


def step(
    state: FramesState, agent: str, acts: Iterable[Act], single: Collection[str] = CONSTRAINTS
) -> FramesState:
    """Return the frames after a turn; slots in `single` have one value at a time."""
    turn = _Turn(state, single)
    rules = _USER if agent == USER else _WIZARD
    for act in acts:
        rule = rules.get(act.name)
        if rule is not None:
            rule(turn, act)
    return FramesState(tuple(turn.frames), turn.active)


def references(act: Act) -> Iterator[Reference]:
    """Yield the references of an act, without those that an offer is derived from (`read`)."""
    for argument in act.arguments:
        if argument.slot != READ:
            yield from argument.references


class _Turn:
    """The frames during a turn, changed by each of its acts."""

    __slots__ = ("active", "frames", "single")

    def __init__(self, state: FramesState, single: Collection[str]) -> None:
        self.frames = list(state.frames)
        self.active = state.active
        self.single = single

    def get(self, number: int) -> Frame:
        return FramesState(tuple(self.frames), self.active).frame(number)

    def put(self, frame: Frame) -> None:
        self.frames[frame.id - 1] = frame

    def targets(self, act: Act) -> list[Frame]:
        """Return the frames that an act refers to, or else the active one."""
        numbers = dict.fromkeys(reference.frame for reference in references(act))
        return [self.get(number) for number in numbers or (self.active,)]

    def child(self, parent: Frame, stated: Iterable[Said]) -> Frame:
        """Add a frame with the values of `parent`, or those in `stated` instead; return it."""
        package = NAME in parent.info
        info = {
            slot: values
            for slot, values in parent.info.items()
            if slot not in (REJECTED, MOREINFO)
            and (not package or slot in self.single or slot == INTENT)
        }
        fresh: Info = {}
        for slot, value in stated:
            fresh[slot] = (*fresh.get(slot, ()), FrameValue(value))
        for slot, values in fresh.items():
            info[slot] = values if slot in self.single else (*info.get(slot, ()), *values)
        frame = Frame(len(self.frames) + 1, parent.id, info)
        self.frames.append(frame)
        return frame

    def inform(self, act: Act) -> None:
        values, sources = _said(act.arguments), list(references(act))
        values += [pair for source in sources for pair in _said(source.arguments)]
        active = self.get(self.active)
        if any(self._changes(active, slot, value) for slot, value in values):
            parent = self.get(sources[0].frame) if sources else active
            self.active = self.child(parent, values).id
        else:
            self.put(_with(active, values))

    def switch(self, act: Act) -> None:
        for reference in references(act):
            self.active = self.get(reference.frame).id
            return

    def request(self, act: Act) -> None:
        self._ask(act, "requests", [(slot, None) for slot in _slots(act)])

    def confirm(self, act: Act) -> None:
        self._ask(act, "binary_questions", _said(act.arguments))

    def compare(self, act: Act) -> None:
        self._ask(act, "compare_requests", [(slot, None) for slot in _slots(act)])

    def _ask(self, act: Act, field: str, pairs: Iterable[Said]) -> None:
        new = [FrameQuestion((slot,), value, USER) for slot, value in pairs]
        for frame in self.targets(act):
            questions: Asked = getattr(frame, field)
            keys = [(each.slots, each.value) for each in questions]
            fresh = (each for each in new if (each.slots, each.value) not in keys)
            self.put(replace(frame, **{field: (*questions, *fresh)}))

    def reject(self, act: Act) -> None:
        for frame in self.targets(act):
            self.put(_marked(frame, REJECTED, True))

    def more(self, act: Act) -> None:
        for frame in self.targets(act):
            self.put(_marked(frame, MOREINFO, True))

    def affirm(self, act: Act) -> None:
        self._judge(act, rejected=False)

    def negate(self, act: Act) -> None:
        self._judge(act, rejected=True)
        frame = self.get(self.active)
        for slot, value in _said(act.arguments):
            values = (*frame.info.get(slot, ()), FrameValue(value, negated=True))
            frame = replace(frame, info=frame.info | {slot: values})
        self.put(frame)

    def _judge(self, act: Act, *, rejected: bool) -> None:
        for reference in references(act):
            self.put(_marked(self.get(reference.frame), REJECTED, rejected))

    def offer(self, act: Act) -> None:
        number = next((a.values[0] for a in act.arguments if a.slot == ID and a.values), None)
        source = next((r.frame for r in _sources(act, numbered=number is not None)), self.active)
        parent = self.get(source)
        if isinstance(number, int):
            self._write(number, parent, [pair for pair in _said(act.arguments) if pair[0] != ID])
            return
        for reference in references(act):
            self._write(reference.frame, parent, _said(reference.arguments))

    def _write(self, number: int, parent: Frame, values: list[Said]) -> None:
        if number == len(self.frames) + 1:
            self.child(parent, values)
        else:
            self.put(_with(self.get(number), values))

    def answer(self, act: Act) -> None:
        for reference in references(act):
            values = _said(reference.arguments)
            slots = {slot for slot, _ in values}
            self.put(_answered(_with(self.get(reference.frame), values), slots))
        if plain := _said(act.arguments):
            self.put(_with(self.get(self.active), plain))

    def fail(self, act: Act) -> None:
        for frame in self.targets(act):
            self.put(_answered(frame, set(_slots(act))))

    def _changes(self, frame: Frame, slot: str, value: Value) -> bool:
        """True if a value differs from the one of a slot with one value at a time."""
        values = frame.info.get(slot) if slot in self.single else None
        return values is not None and all(each.value != value or each.negated for each in values)


_Rule = Callable[[_Turn, Act], None]

_USER: dict[str, _Rule] = {
    "inform": _Turn.inform,
    "switch_frame": _Turn.switch,
    "request": _Turn.request,
    "confirm": _Turn.confirm,
    "request_compare": _Turn.compare,
    "reject": _Turn.reject,
    "moreinfo": _Turn.more,
    "affirm": _Turn.affirm,
    "negate": _Turn.negate,
}
_WIZARD: dict[str, _Rule] = {
    "offer": _Turn.offer,
    "suggest": _Turn.offer,
    "inform": _Turn.answer,
    "canthelp": _Turn.fail,
}
"""Act to its rule, for users and wizards; other acts change nothing."""


def _said(arguments: Iterable[Argument] | None) -> list[Said]:
    return [(each.slot, value) for each in arguments or () for value in each.values]


def _sources(act: Act, *, numbered: bool) -> Iterator[Reference]:
    """Yield the references to frames that an offer is derived from; if numbered, all references."""
    for argument in act.arguments:
        if numbered or argument.slot == READ:
            yield from argument.references


def _slots(act: Act) -> Iterator[str]:
    return (argument.slot for argument in act.arguments if not argument.references)


def _with(frame: Frame, values: Iterable[Said]) -> Frame:
    info: Info | None = None
    for slot, value in values:
        entries = (info or frame.info).get(slot, ())
        if FrameValue(value) not in entries:
            info = frame.info.copy() if info is None else info
            info[slot] = (*entries, FrameValue(value))
    return frame if info is None else replace(frame, info=info)


def _marked(frame: Frame, mark: str, value: bool) -> Frame:
    return replace(frame, info=frame.info | {mark: (FrameValue(value),)})


def _answered(frame: Frame, slots: set[str]) -> Frame:
    if not (frame.requests or frame.binary_questions or frame.compare_requests):
        return frame
    return replace(
        frame,
        requests=_left(frame.requests, slots),
        binary_questions=_left(frame.binary_questions, slots),
        compare_requests=_left(frame.compare_requests, slots),
    )


def _left(entries: Asked, answered: set[str]) -> Asked:
    open_ = ((each, tuple(slot for slot in each.slots if slot not in answered)) for each in entries)
    return tuple(replace(each, slots=slots) for each, slots in open_ if slots)
