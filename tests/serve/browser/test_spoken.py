"""Spoken dialogues in two browsers: recorded, heard, answered, typed by a third, exported."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.log.store import Store
from dialoom.dialogue import Utterance
from dialoom.quality.lint import lint
from tests.serve.browser.axe import complaints
from tests.serve.browser.person import People
from tests.serve.browser.spoken_scenes import spoken

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_two_people_talk_and_a_third_types_what_was_said(people: People, tmp_path: Path) -> None:
    for name, page in spoken(people, tmp_path):
        assert complaints(name, page) == [], name
        if name.startswith("spoken-user"):  # nothing tells of a person before the debriefing
            text = page.locator("body").inner_text().lower()
            assert not any(word in text for word in ("person", "partner", "wizard", "human"))
    for name in ("native", "taskmaster1"):
        with Store.open(tmp_path / "spoken.sqlite", readonly=True) as store:
            assert export(store, name, tmp_path / name).dialogues == 1
        corpus = formats.load(tmp_path / name)
        assert [each for each in lint(corpus) if each.severity == "error"] == []
    [dialogue] = formats.load(tmp_path / "native").dialogues()
    utterances = [event for event in dialogue.events if isinstance(event, Utterance)]
    assert [each.text for each in utterances] == [
        "um what will the weather be like",
        "Which city do you mean?",
        "In Alva, please.",
        "It will rain there.",
    ]
    sound = utterances[0].extra["Sound"]
    assert (tmp_path / "native" / sound["File"]).read_bytes().startswith(b"\x1a\x45\xdf\xa3")
