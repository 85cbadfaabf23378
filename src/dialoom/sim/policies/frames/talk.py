"""One dialogue about trips as it goes on: what is said, what it does, and the frames there are.

    talk = Talk(rng)
    talk.say(USER, talk.said(act("inform", dst_city="Tarn"), "next_city", {"dst_city": "Tarn"}))
    talk.state.active

The frames follow from the acts alone (dialogue/frames.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    Act,
    Argument,
    Constraint,
    Event,
    Layer,
    Part,
    Query,
    Reference,
    Result,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.frames import READ, START, step
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.booking.wording import Line, line_of
from dialoom.sim.policies.frames.knowledge import Package
from dialoom.sim.policies.frames.wording import texts

API = "search"
"""What the search is called (formats/frames/searches.py)."""

REF, WRITE = "ref", "write"

_NOTHING: Mapping[str, str] = {}

PACE = 160
"""Milliseconds that a character takes to type."""

PAUSE = 9_000
"""Milliseconds below which people wait before they type."""


class SurfaceForm(NamedTuple):
    """What one sentence does, and how it is said."""

    act: Act
    text: str


def act(name: str, /, *arguments: Argument, **values: Value) -> Act:
    """Return an act with arguments, and with values of slots before them."""
    return Act(name, (*_arguments(values), *arguments))


def _arguments(values: Mapping[str, Value]) -> tuple[Argument, ...]:
    return tuple(Argument(slot, (value,)) for slot, value in values.items())


def about(*frames: int) -> Argument:
    """Return a reference to frames as a whole."""
    return Argument(REF, references=tuple(Reference(frame) for frame in frames))


def saying(key: str, told: Mapping[int, Mapping[str, Value]]) -> Argument:
    """Return a reference to frames with what is said of each."""
    return Argument(
        key,
        references=tuple(Reference(frame, _arguments(values)) for frame, values in told.items()),
    )


def reading(frame: int, /, **values: Value) -> Argument:
    """Return a reference to the frame that something comes from."""
    return saying(READ, {frame: values})


def writing(frame: int, values: Mapping[str, Value]) -> Argument:
    """Return a reference to the frame that values go into."""
    return saying(WRITE, {frame: values})


@lru_cache(maxsize=1)
def _lines() -> dict[str, tuple[Line, ...]]:
    return {name: tuple(map(line_of, said)) for name, said in texts().lines.items()}


class Talk:
    """A dialogue under way.

    Args:
        rng: Chooses among the texts of a line.
        clock: When the dialogue begins, in milliseconds since 1970.

    Attributes:
        events: What happened so far.
        state: The frames.
    """

    def __init__(self, rng: SeededRng, clock: int) -> None:
        self.events: list[Event] = []
        self.state = START
        self._rng, self._clock, self._lines = rng, clock, _lines()
        self._turns = self._searches = 0

    @property
    def active(self) -> int:
        """The number of the active frame."""
        return self.state.active

    @property
    def next(self) -> int:
        """The number that the next frame will have."""
        return len(self.state.frames) + 1

    def line(self, name: str, values: Mapping[str, str] = _NOTHING) -> str:
        """Return one of the texts of a line."""
        return self._rng.choice(self._lines[name]).fill(values)

    def said(self, act: Act, name: str, values: Mapping[str, str] = _NOTHING) -> SurfaceForm:
        """Return an act with one of the texts of a line."""
        return SurfaceForm(act, self.line(name, values))

    def say(self, agent: str, said: Iterable[SurfaceForm]) -> None:
        """Somebody says something."""
        held = tuple(said)
        acts = tuple(each.act for each in held)
        text = " ".join(each.text for each in held if each.text)
        self.state = step(self.state, agent, acts)
        self._clock += len(text) * PACE + self._rng.below(PAUSE)
        part = Part(acts=acts, frames=self.state.frames, active_frame=self.state.active)
        layers = (Layer(GOLD, (part,)),)
        self.events.append(Utterance(agent=agent, text=text, time=self._clock, layers=layers))
        self._turns += 1
        self._searches = 0

    def search(self, fields: Mapping[str, Value], found: Iterable[Package]) -> None:
        """The wizard searches before they say something."""
        self._clock += self._rng.below(PAUSE)
        name = f"{self._turns}.{self._searches}"
        self._searches += 1
        constraints = tuple(Constraint(field, "equal", (v,)) for field, v in fields.items())
        items = tuple(package.item for package in found)
        self.events += (
            Query(id=name, api=API, constraints=constraints, agent=SYSTEM, time=self._clock),
            Result(query=name, items=items),
        )
