"""Settings that make no sense are told in a line that says what would be right."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dialoom.collect.settings import Settings
from dialoom.collect.settings_check import check, check_address, check_names
from dialoom.errors import UnknownNameError, UsageError


@pytest.mark.parametrize(
    ("named", "known"),
    [
        ({"gard": "warn"}, "guard"),
        ({"guard": "warm"}, "warn"),
        ({"stages": "five"}, "star"),
        ({"times": {"nuge": 3}}, "nudge"),
    ],
)
def test_names_that_there_are_not(named: dict[str, Any], known: str) -> None:
    with pytest.raises(UnknownNameError) as told:
        check_names(named)
    assert known in told.value.known


@pytest.mark.parametrize(
    ("named", "word"),
    [
        ({"times": {"nudge": -1}}, "times.nudge"),
        ({"times": {"idle": float("nan")}}, "times.idle"),
        ({"pay": {"single": -5}}, "pay.single"),
        ({"quiz": {"few": -5}}, "quiz.few"),
        ({"scenarios": 0}, "scenarios"),
        ({"suggestions": [0, 6]}, "suggestions"),
        ({"present_wizard_as": "automated"}, "debriefing"),
        ({"language": "xx"}, "xx"),
        ({"video": {"single": "https://example.org/a.mp4"}}, "single_tutorial"),
        ({"video": {"single_tutorial": "a.mp4"}}, "https://"),
    ],
)
def test_values_that_no_study_runs_with(named: dict[str, Any], word: str) -> None:
    check_names(named)
    with pytest.raises(UsageError, match=word):
        check(msgspec.convert({"tasks": (), **named}, Settings))


def test_settings_that_are_right() -> None:
    check(Settings(tasks=(), present_wizard_as="automated", debriefing="It was a person."))
    check_address("https://talk.example.org/study", "--url")


@pytest.mark.parametrize("address", ["foo", "ftp://a", "http://", "http://a b", "javascript:1"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(UsageError, match="--url"):
        check_address(address, "--url")
