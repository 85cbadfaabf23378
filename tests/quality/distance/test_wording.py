"""Vocabulary, repetition, glued values and agreement errors."""

from __future__ import annotations

import pytest

from dialoom.dialogue import GOLD, USER, Layer, Part, Span, Utterance
from dialoom.quality.distance.sample import Spoken
from dialoom.quality.distance.wording import wording

VARIED = ("a boat for two", "when does it leave", "no, thanks", "that sounds fine to me")


def said(*texts: str, times: int = 6) -> Spoken:
    return [[Utterance(agent=USER, text=text) for text in texts] for _ in range(times)]


def figure(side: Spoken, what: str, language: str | None = "en") -> float | None:
    row = next(row for row in wording(side, side, language) if what in row["what"])
    assert row["simulated"] == row["real"]
    if row["real"] is None:
        return None
    low, high = row["real"]["interval"]
    assert low <= row["real"]["value"] <= high
    value: float = row["real"]["value"]
    return value


def spans(text: str, **values: str) -> Spoken:
    marked = [
        Span(text.index(value), text.index(value) + len(value), (slot,))
        for slot, value in values.items()
    ]
    layer = Layer(GOLD, (Part(spans=tuple(marked)),))
    return [[Utterance(agent=USER, text=text, layers=(layer,))]]


def test_vocabulary_of_as_many_turns() -> None:
    row = next(wording(said("one two", times=2), said("one two", "three"), "en"))
    assert "2 turns" in row["what"]
    assert row["simulated"]["value"] == 2
    assert row["real"]["value"] == 3


def test_numbers_are_one_word() -> None:
    assert figure(said("at 7", "at 8"), "different words") == 2


def test_repetition() -> None:
    assert figure(said(*VARIED), "self-BLEU") == 100
    alone = figure(said(*VARIED, times=1), "self-BLEU")
    assert alone is not None
    assert alone < 30


@pytest.mark.parametrize(
    ("text", "values", "percent"),
    [
        ("my plan: Lindholm", {"city": "Lindholm"}, 100),
        ("on day Friday", {"travel_day": "Friday"}, 100),
        ("at seven in Lindholm", {"time": "seven", "city": "Lindholm"}, 0),
        ("the Arc, Lindholm it is", {"hotel": "Arc", "city": "Lindholm"}, 50),
        ("I come from Lindholm", {"from": "Lindholm"}, 0),
        ("nothing yet", {}, None),
    ],
)
def test_glued_values(text: str, values: dict[str, str], percent: float | None) -> None:
    assert figure(spans(text, **values), "glued") == percent


@pytest.mark.parametrize(
    "text",
    [
        "a iced coffee",
        "There is three withdrawals",
        "We need 1 rooms",
        "and they is late",
        "at a the station",
        "I go to to town",
        "leaving on 25th",
        "an SUV and an boat",
    ],
)
def test_agreement_errors(text: str) -> None:
    assert figure(said(text), "agreement") == 1000


@pytest.mark.parametrize(
    "text",
    [
        "an iced coffee, a one-way ticket, an SUV and a SEAT",
        "There are three withdrawals, and there is one more",
        "Does it have 1 room? If they have, I do",
        "on the 25th, on 25th Street",
    ],
)
def test_what_is_no_agreement_error(text: str) -> None:
    assert figure(said(text), "agreement") == 0


def test_a_language_without_rules_has_no_such_errors() -> None:
    measured = [row["what"] for row in wording(said("da ist"), said("da ist"), "de")]
    assert not [what for what in measured if "agreement" in what]
    for language in (None, "xx"):
        assert len(list(wording(said("da ist"), said("da ist"), language))) == 2
