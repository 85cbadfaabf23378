"""The time to read a turn of an agent that repeats itself without an end."""

from __future__ import annotations

import time

import pytest

from dialoom.dialogue import SYSTEM, Utterance
from dialoom.reading.dialogue import DialogueReading
from dialoom.reading.statements import unfounded
from dialoom.schema import pack

LENGTH, MOST = 32_000, 5.0
"""Characters of a turn, and the most seconds to read it; a quadratic reading needs 8 or more."""


@pytest.mark.parametrize(
    "repeated",
    [
        "It is nice in Velmora today, so go out and see the old harbour. ",
        "hello ",
        "[",
        "so, from Velmora",
    ],
)
def test_the_time_grows_with_the_length(repeated: str) -> None:
    task = pack.load("weather")
    text = (repeated * LENGTH)[:LENGTH]
    reading, start = DialogueReading(task), time.process_time()
    reading.observe(Utterance(agent=SYSTEM, text=text))
    list(unfounded(task, text, reading.turn, ["Ostrava", 5]))
    assert time.process_time() - start < MOST
