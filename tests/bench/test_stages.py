"""The stages of the collection: how they are named, and which dialogues they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.bench.protocols.star import STAGES, Happiness, parse_stages, spell_stages, stage
from dialoom.errors import UnknownNameError
from tests.bench import tiny
from tests.make import refuses


@pytest.mark.parametrize(
    ("text", "found", "spelt"),
    [
        ("happy", ("happy",), "happy"),
        ("unhappy, happy", ("happy", "unhappy"), "happy,unhappy"),
        ("multi,multi", ("multi",), "multi"),
        ("all", STAGES, "all"),
        ("multi,unhappy,happy", STAGES, "all"),
    ],
)
def test_stages_are_read_and_spelt(text: str, found: tuple[str, ...], spelt: str) -> None:
    assert parse_stages(text) == found
    assert spell_stages(found) == spelt
    assert parse_stages(spelt) == found


@pytest.mark.parametrize("text", ["hapy", "", "happy,", "happy unhappy"])
def test_any_other_word_is_told(text: str) -> None:
    with refuses(UnknownNameError, "unknown-name", "stage"):
        parse_stages(text)


def test_the_list_of_happy_dialogues_leaves_the_other_stages_alone(tmp_path: Path) -> None:
    """Dialogue 12 is happy by its flag and not on the list: of no stage. 5 is unhappy by both."""
    happiness = Happiness(frozenset({2, 3, 4}))
    dialogues = {dialogue.id: dialogue for dialogue in tiny.staged(tmp_path).dialogues()}
    stages = {name: stage(dialogue, happiness) for name, dialogue in dialogues.items()}
    assert (stages["2"], stages["12"], stages["5"]) == ("happy", None, "unhappy")
    assert stage(dialogues["12"], Happiness()) == "happy"
    assert (stages["7"], stages["8"], stages["9"]) == ("multi", "multi", "multi")
