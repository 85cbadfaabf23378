"""Dialogues are judged line by line with the study's own questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.log.store import Store
from dialoom.collect.own_questions import OwnQuestion
from dialoom.collect.settings import Settings, Stage
from dialoom.dialogue import Utterance
from tests.serve.browser.document_scenes import enter, hand_in
from tests.serve.browser.person import People
from tests.serve.served import served

pytestmark = pytest.mark.browser


def test_somebody_judges_each_line_by_the_keyboard(people: People, tmp_path: Path) -> None:
    asks = (
        OwnQuestion(id="fits", text="Does it fit?", scale=("no", "yes"), per="turn"),
        OwnQuestion(id="why", text="Why?", required=False, per="turn"),
        OwnQuestion(id="trust", text="Do you trust it?", options=("no", "yes")),
    )
    write = Stage(name="write", kind="self_dialogue", tasks=("pizza_ordering",), least=4, pay=9)
    judge = Stage(name="judge", kind="annotation", of="write", layers=(), pay=9, asks=asks)
    settings = Settings(stages=(write, judge), scenarios=1, seed=3)
    with served(tmp_path / "judge.sqlite", settings) as study:
        writer = enter(people, study, "w-1")
        for number, text in enumerate(("A pizza.", "Of what size?", "Large.", "It is ready."), 1):
            writer.field.fill(text)
            writer.field.press("Enter")
            expect(writer.lines).to_have_count(number)
        hand_in(writer)
        one = enter(people, study, "j-1")
        expect(one.page.locator("#submit")).to_contain_text("questions to answer: 3")
        one.page.locator('input[name="q-own-fits.1"]').first.focus()
        one.page.keyboard.press("ArrowRight")
        expect(one.page.locator('input[name="q-own-fits.1"]').nth(1)).to_be_checked()
        one.page.get_by_label("Why? (optional)").fill("size 1, as asked")  # keys of marks are text
        one.page.get_by_label("Why? (optional)").blur()
        one.page.locator('input[name="q-own-trust"]').nth(1).check()
        one.page.locator("#submit").press("Enter")  # it leads to the line with the last question
        expect(one.page.locator('input[name="q-own-fits.3"]').first).to_be_focused()
        one.page.locator('input[name="q-own-fits.3"]').first.check()
        hand_in(one)
    with Store.open(tmp_path / "judge.sqlite", readonly=True) as store:
        export(store, "native", tmp_path / "native")
    [dialogue] = formats.load(tmp_path / "native").dialogues()
    utterances = [event for event in dialogue.events if isinstance(event, Utterance)]
    second, last = (
        [part.extra for layer in utterances[n].layers for part in layer.parts] for n in (1, 3)
    )
    assert second == [{"grades": {"fits": 2}, "comments": {"why": "size 1, as asked"}}]
    assert last == [{"grades": {"fits": 1}, "choices": {"trust": "yes"}}]
