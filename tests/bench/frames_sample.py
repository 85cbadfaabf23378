"""Dialogues with frames, written for the tests of frame tracking."""

from __future__ import annotations

from pathlib import Path

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Event,
    Frame,
    FrameValue,
    Layer,
    Origin,
    Part,
    Query,
    Reference,
    Utterance,
)
from dialoom.formats.frames import FORMAT


def given(slot: str, value: str) -> Argument:
    return Argument(slot, (value,))


def ref(frame: int, *arguments: Argument) -> Argument:
    return Argument("ref", references=(Reference(frame, arguments),))


def frame(number: int, parent: int | None = None, **values: str) -> Frame:
    return Frame(number, parent, {slot: (FrameValue(value),) for slot, value in values.items()})


def said(agent: str, text: str, acts: tuple[Act, ...], active: int, *frames: Frame) -> Utterance:
    part = Part(acts=acts, frames=frames, active_frame=active)
    return Utterance(agent=agent, text=text, time=1, layers=(Layer(GOLD, (part,)),))


def trip(number: int, user: str) -> Dialogue:
    """Return a user who asks for Tarn, is offered an inn there, asks for Oslo, and goes back."""
    one = frame(1, dst_city="Tarn")
    inn = frame(2, 1, dst_city="Tarn", name="Alder Inn", price="900")
    other = frame(3, 1, dst_city="Oslo")
    events: tuple[Event, ...] = (
        said(USER, "To Tarn.", (Act("inform", (given("dst_city", "Tarn"),)),), 1, one),
        Query(id="1.0", api="search"),
        said(
            SYSTEM,
            "The Alder Inn in Tarn is 900.",
            (Act("offer", (ref(2, given("name", "Alder Inn"), given("price", "900")),)),),
            1,
            one,
            inn,
        ),
        said(
            USER, "And to Oslo?", (Act("inform", (given("dst_city", "Oslo"),)),), 3, one, inn, other
        ),
        said(SYSTEM, "Nothing there.", (Act("no_result"),), 3, one, inn, other),
        said(
            USER,
            "Then the Alder Inn. Is it quiet?",
            (
                Act("switch_frame", (ref(2, given("name", "Alder Inn")),)),
                Act("request", (Argument("quiet"),)),
                Act("thankyou"),
            ),
            2,
            one,
            inn,
            other,
        ),
    )
    return Dialogue(
        id=f"{user}-{number}",
        events=events,
        workers={USER: user, SYSTEM: "W"},
        origin=Origin("frames.json", number),
    )


def corpus(root: Path, users: str = "ABC") -> Path:
    """Write a corpus: of the n-th user n + 1 trips."""
    folder = root / "frames-json"
    folder.mkdir(parents=True)
    dialogues = [trip(n, user) for count, user in enumerate(users) for n in range(count + 1)]
    (folder / "frames.json").write_bytes(FORMAT.render(dialogues))
    return root
