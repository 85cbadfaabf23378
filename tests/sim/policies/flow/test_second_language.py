"""A task in another language: its schema and its words in `lang/` are all there is to it."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from dialoom.dialogue import Instruction, Utterance
from dialoom.schema import pack
from dialoom.sim.presets.star import StarPlan
from tests.sim.checks import check

FILE = Path(str(resources.files("dialoom").joinpath("tasks/de/wetter.yaml")))


@pytest.mark.parametrize("scenario", ["happy", "unhappy", "mixed"])
def test_every_dialogue_is_sound(scenario: str) -> None:
    task = pack.resolve(FILE)
    made = StarPlan(tasks=(task,), seed=3, dialogues=60, scenario=scenario).source()
    for index in range(60):
        dialogue = made(index)
        if dialogue.scenario is not None and dialogue.scenario.happy:
            check(dialogue, task)
        assert all(e.text for e in dialogue.events if isinstance(e, Utterance | Instruction))


def test_instructions_are_in_its_language() -> None:
    made = StarPlan(tasks=(pack.resolve(FILE),), seed=1, dialogues=30, scenario="unhappy").source()
    told = {e.text for n in range(30) for e in made(n).events if isinstance(e, Instruction)}
    assert any("Sie" in text.split() for text in told)
    assert not any("You" in text.split() for text in told)


def test_the_bundled_names_are_what_they_were() -> None:
    assert len(pack.names()) == 24
    assert "wetter" not in pack.names()
