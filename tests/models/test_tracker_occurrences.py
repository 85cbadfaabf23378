"""Occurrences of values in a dialogue: which ones are candidates of a slot, and their features."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

import pytest

from dialoom.dialogue import SYSTEM, USER, Utterance
from dialoom.models.tracker.cross_fitting import locate
from dialoom.models.tracker.history import DialogueHistory, Occurrence, ValueCandidate, candidates
from dialoom.models.tracker.known_values import SlotTypes
from dialoom.models.tracker.occurrences import Row, SlotOccurrences
from dialoom.models.tracker.pairs import Ranked
from dialoom.models.tracker.scorers import Scorers
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.spans import SpanTagger, numbers
from dialoom.models.tracker.turns import Speech, turns
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service

NOW = 3


class DateTypes(SlotTypes):
    """Takes every slot for a date."""

    def __call__(self, slot: ServiceSlot, kind: str) -> str:
        """Return "date"."""
        return "date"


def candidate(value: str, *seen: tuple[int, str, float]) -> ValueCandidate:
    """Return a candidate with occurrences: turn, side, and log odds for the only slot."""
    places = [
        Occurrence(turn, side == USER, Ranked([score], [score]), Ranked([0.0], [0.0]), frozenset())
        for turn, side, score in seen
    ]
    return ValueCandidate("name", value, value, -1, places, "short text")


def rows(*found: ValueCandidate) -> list[Row]:
    """Return the features of candidates."""

    def share(words: Set[str]) -> float:
        return float(len(words))

    return SlotOccurrences(0, NOW, share).rows(found)


def test_the_last_value_that_the_system_gave_a_slot_is_marked() -> None:
    earlier = candidate("mill", (1, SYSTEM, 3.0))
    later = candidate("gull", (2, SYSTEM, 1.0))
    unlikely = candidate("two", (3, SYSTEM, -4.0))
    of_user = candidate("tern", (3, USER, 5.0))
    marks = [row[-1] for row in rows(earlier, later, unlikely, of_user)]
    assert marks == [0.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("side", [SYSTEM, USER])
@pytest.mark.parametrize("turn", [1, NOW])
def test_candidates_are_compared_with_each_other_in_whatever_turn(turn: int, side: str) -> None:
    one, other = rows(candidate("mill", (turn, side, 4.0)), candidate("gull", (turn, side, 1.5)))
    assert 2.5 in one
    assert -2.5 in other


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Two rooms for 13 nights", ["Two", "13"]),
        ("at 10:30 on the 4th", []),
    ],
)
def test_whole_numbers_may_be_values(text: str, found: list[str]) -> None:
    speech = Speech.of(Utterance(agent=USER, text=text))
    assert [speech.says(place) for place in numbers(speech)] == found


@pytest.mark.parametrize(("name", "sure"), [("stay", False), ("arrival_date", True)])
def test_a_slot_takes_values_of_other_kinds_unless_its_own_is_sure(name: str, sure: bool) -> None:
    slots = (ServiceSlot(name=name, description=""),)
    inn = Service(
        description="Inns", slots=slots, intents=(ServiceIntent(name="book", required=(name,)),)
    )
    view = ServiceView(from_service("Inns", inn), "Inns", has_names=False, types=DateTypes())
    assert view.slot(name).kind == "date"
    (turn,) = turns((Utterance(agent=USER, text="for two nights"),))
    turn = replace(turn, services=("Inns",))
    locate([turn], {}, SpanTagger())
    history = DialogueHistory(Scorers(), {"Inns": view})
    history.read(turn)
    proposals = candidates(history, history.services["Inns"], view.slot(name))
    assert ("two" in [each.value for each in proposals]) is not sure
