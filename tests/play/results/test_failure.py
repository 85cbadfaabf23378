"""Why a dialogue missed its goal, and what it came to instead."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.play.results.failure import FAILURES, differences, failure_of
from dialoom.play.results.summary import Played

ADDED = {"bookings": {"added": [{"Name": "Juniper", "Day": 3, "Note": None}]}}
OTHER = {"bookings": {"changed": [[{"Name": "Juniper", "Day": 3}, {"Name": "Juniper", "Day": 4}]]}}


def made(wanted: dict[str, Any], **verdict: Any) -> Played:
    return Played("hotel_book", 0, {"reached": False, **verdict}, {"effects": wanted})


@pytest.mark.parametrize(
    ("played", "failure"),
    [
        (made(ADDED, reached=True), None),
        (made(ADDED, reached=True, unreported=[{"name": "Day", "value": 3}]), "unreported"),
        (made(ADDED), "not done"),
        (made(ADDED, changed=OTHER), "done otherwise"),
        (made({}, changed=OTHER), "done unasked"),
        (made(ADDED, ended="silence"), "broken off"),
        (made(ADDED, ended="silence", faults=["leaves"]), "user fault"),
        (made(ADDED, failure={"side": "user", "turn": 1, "what": "late"}), "no result"),
        (made({}, reached=True, failure={"side": "agent", "turn": 1, "what": ""}), "no result"),
    ],
)
def test_the_class_of_a_failure(played: Played, failure: str | None) -> None:
    assert failure_of(played) == failure
    assert failure is None or failure in FAILURES


def test_what_should_have_been_and_what_is() -> None:
    played = made(
        ADDED, changed=OTHER, unreported=[{"name": "Days", "value": ["Sunday", "Monday"]}]
    )
    assert list(differences(played)) == [
        'not said: Days = ["Sunday", "Monday"]',
        "should be: bookings, added: Name = Juniper, Day = 3",
        "is: bookings, changed: Name = Juniper, Day = 3 -> Day = 4",
    ]
    assert next(differences(made({}, changed=ADDED))) == "should be: as it was"
