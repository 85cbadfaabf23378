"""Dialogues of GEM's tests."""

from __future__ import annotations

from pathlib import Path

from dialoom.bench.core.protocol import Data
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Layer,
    Part,
    Utterance,
)
from tests.bench import tiny


def said(agent: str, text: str, *acts: Act) -> Utterance:
    layers = (Layer(GOLD, (Part("Cafes_1", acts=acts),)),) if acts else ()
    return Utterance(agent=agent, text=text, layers=layers)


OFFER = Act("OFFER", (Argument("name", ("Blue Door",)),))

MORE = Act("REQ_MORE")


def dialogue(name: str) -> Dialogue:
    events = (
        said(USER, "A table?", Act("INFORM_INTENT")),
        said(SYSTEM, "How about Blue Door?", OFFER),
        said(USER, "Fine.", Act("SELECT")),
        said(SYSTEM, "Well."),
        said(SYSTEM, "Blue Door it is. What else?", OFFER, MORE),
    )
    return Dialogue(id=name, events=events)


def data(path: Path) -> Data:
    return Data(tiny.memory(path, dialogue("1_1")), tiny.memory(path / "train", dialogue("1_2")))
