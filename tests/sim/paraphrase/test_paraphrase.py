"""Paraphrases: values stay, spans follow them, and what loses or adds a value is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.dialogue import GOLD, Act, Argument, Dialogue, Layer, Part, Span, Utterance
from dialoom.errors import UnknownNameError, UsageError
from dialoom.schema import pack
from dialoom.sim.noise.kind import spans_of
from dialoom.sim.paraphrase import PARAPHRASERS, ParaphraseOptions, Paraphrasing, SourceLine
from dialoom.sim.paraphrase.keeping import kept
from dialoom.sim.presets.star import StarPlan
from tests.make import refuses
from tests.strategies import dialogues, sampled


class Said:
    """Says what it is told to say: the scripted participant of these tests."""

    settings: dict[str, Any] = {}

    def __init__(self, say: Callable[[SourceLine], str]) -> None:
        self.say = say
        self.asked: list[SourceLine] = []

    def paraphrase(self, lines: Sequence[SourceLine]) -> list[str]:
        self.asked += lines
        return [self.say(line) for line in lines]


def utterance(text: str, *marked: tuple[str, str], values: tuple[str, ...] = ()) -> Utterance:
    """Return an utterance with a span for each (label, value), and acts with other values."""
    spans = tuple(
        Span(text.index(value), text.index(value) + len(value), (label,)) for label, value in marked
    )
    arguments = tuple(Argument(f"other_{n}", (value,)) for n, value in enumerate(values))
    part = Part(acts=(Act("inform", arguments),), spans=spans)
    return Utterance(agent="user", text=text, layers=(Layer(GOLD, (part,)),))


def said(event: Utterance, *answers: str, **settings: Any) -> tuple[Utterance, Paraphrasing]:
    """Return an utterance after one answer an attempt, and the counts."""
    paraphraser = Said(lambda line: answers[min(line.attempt, len(answers) - 1)])
    paraphrasing = Paraphrasing(paraphraser, **settings)
    (after,) = paraphrasing.dialogue(Dialogue(id="1", events=(event,))).events
    assert isinstance(after, Utterance)
    return after, paraphrasing


TABLE = utterance("A table at Juniper for 4 at 7 pm.", ("restaurant", "Juniper"), ("time", "7 pm"))


def covered(event: Utterance) -> Iterator[tuple[tuple[str, ...], str]]:
    for span in spans_of(event):
        yield span.labels, event.text[span.start : span.end]


def test_spans_follow_their_values() -> None:
    after, paraphrasing = said(TABLE, "At 7 pm we would like to sit at Juniper, 4 of us.")
    assert after.text.startswith("At 7 pm")
    assert list(covered(after)) == list(covered(TABLE))
    assert paraphrasing.counts == {"utterances": 1, "paraphrased": 1}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "form"),
        ("Juniper, 4, 7 pm.\nIs that fine?", "form"),
        ("Juniper for 4 at 7 pm" + " indeed" * 60, "form"),
        ("A table for 4 at 7 pm.", "values"),
        ("A table at juniper for 4 at 7 pm.", "values"),
        ("A table at Junipers for 4 at 7 pm.", "values"),
        ("Juniper, I said Juniper, for 4 at 7 pm.", "values"),
        ("A table at Juniper at 7 pm.", "numbers"),
        ("A table at Juniper for 4 at 7 pm, on the 5th.", "numbers"),
        ("A table at Juniper for 4 at 7 pm, or for seven.", "numbers"),
        ("A table at Juniper, not the Copper Pan, for 4 at 7 pm.", "other values"),
    ],
)
def test_what_is_refused(answer: str, why: str) -> None:
    schemas = {"restaurant_book": pack.load("restaurant_book")}
    after, paraphrasing = said(TABLE, answer, schemas=schemas)
    assert after is TABLE
    assert paraphrasing.counts == {"utterances": 1, "refused": 1, f"refused: {why}": 1}


def test_what_another_node_says_is_refused() -> None:
    part = Part(acts=(Act("restaurant_ask_confirm_booking"),))
    event = Utterance(agent="system", text="Shall I book it?", layers=(Layer(GOLD, (part,)),))
    schemas = {"restaurant_book": pack.load("restaurant_book")}
    after, paraphrasing = said(event, "Who is the host", schemas=schemas)
    assert after is event
    assert paraphrasing.counts["refused: another act"] == 1
    assert said(event, "Do you want it?", schemas=schemas)[0].text == "Do you want it?"


def test_a_second_attempt() -> None:
    after, paraphrasing = said(TABLE, "No.", "Juniper at 7 pm, and a table for 4.")
    assert after.text.startswith("Juniper at")
    assert paraphrasing.counts == {"utterances": 1, "paraphrased": 1}


def test_the_same_words_are_no_paraphrase() -> None:
    after, paraphrasing = said(TABLE, TABLE.text)
    assert after is TABLE
    assert paraphrasing.counts == {"utterances": 1, "same": 1}


def test_values_that_read_alike_are_not_given_away() -> None:
    event = utterance("From 2 to 2, please.")
    (layer,) = event.layers
    alike = (Span(5, 6, ("from",)), Span(10, 11, ("to",)))
    event = replace(event, layers=(replace(layer, parts=(Part(spans=alike),)),))
    after, paraphrasing = said(event, "To 2 from 2, please.")
    assert after is event
    assert paraphrasing.counts["refused: alike"] == 1


@pytest.mark.parametrize("place", [(3, 3), (40, 45), (-2, 4), (5, 3)])
def test_spans_that_cover_nothing_are_not_given_away(place: tuple[int, int]) -> None:
    layer = Layer(GOLD, (Part(spans=(Span(*place, ("day",)),)),))
    event = Utterance(agent="user", text="On Monday, please.", layers=(layer,))
    after, paraphrasing = said(event, "Monday, please.")
    assert after is event
    assert paraphrasing.counts["refused: odd spans"] == 1


def test_values_that_only_acts_name_are_kept() -> None:
    event = utterance("Something cheap in the north.", values=("cheap", "north", "True"))
    assert [event.text[slice(*place)] for place in kept(event)] == ["cheap", "north"]
    assert said(event, "In the north, not dear.")[0] is event
    assert said(event, "In the north, and cheap.")[0].text == "In the north, and cheap."


def test_spans_within_one_another_stay_so() -> None:
    event = utterance("A large pizza, please.", ("item", "large pizza"), ("size", "large"))
    after, _ = said(event, "Please bring me a large pizza.")
    assert list(covered(after)) == [(("item",), "large pizza"), (("size",), "large")]


def test_marks_of_a_format_are_not_said() -> None:
    event = Utterance(agent="user", text="<SILENCE>")
    after, paraphrasing = said(event, "Nothing.")
    assert after is event
    assert not paraphrasing.counts


def test_only_whom_one_asks_for() -> None:
    paraphraser = Said(lambda line: "Good day!")
    events = (Utterance(agent="user", text="Hello."), Utterance(agent="system", text="Hi."))
    Paraphrasing(paraphraser, agent="system").dialogue(Dialogue(id="1", events=events))
    assert [line.text for line in paraphraser.asked] == ["Hi."]
    assert paraphraser.asked[0].history == (("user", "Hello."),)


def test_settings_that_cannot_be() -> None:
    nobody = Said(lambda line: line.text)
    with refuses(UnknownNameError, "unknown-name", "agent"):
        Paraphrasing(nobody, agent="nobody")
    with refuses(UsageError, "out-of-range", "0"):
        Paraphrasing(nobody, attempts=0)
    with refuses(UnknownNameError, "unknown-name", "language of paraphrases"):
        PARAPHRASERS.get("scripted")(ParaphraseOptions(language="tlh"))
    with refuses(UsageError, "out-of-range"):
        PARAPHRASERS.get("scripted")(ParaphraseOptions(share=2))


@given(dialogues(), st.text(max_size=30), st.booleans())
def test_whatever_is_answered(dialogue: Dialogue, answer: str, before: bool) -> None:
    paraphraser = Said(lambda line: answer + line.text if before else line.text[2:] + answer)
    paraphrasing = Paraphrasing(paraphraser)
    hold(dialogue, paraphrasing.dialogue(dialogue))
    counts = paraphrasing.counts
    assert counts["utterances"] == counts["paraphrased"] + counts["same"] + counts["refused"]


@sampled
@given(dialogues(), st.integers(0, 5))
def test_scripted_on_any_dialogue(dialogue: Dialogue, seed: int) -> None:
    hold(dialogue, scripted(seed).dialogue(dialogue))


def hold(before: Dialogue, after: Dialogue) -> None:
    """Nothing but words and where spans stand is changed, and they stand on the same values."""
    for old, new in zip(before.events, after.events, strict=True):
        if old == new:
            continue
        assert isinstance(old, Utterance)
        assert isinstance(new, Utterance)
        assert list(covered(old)) == list(covered(new))
        assert bare(old) == bare(new)


def bare(event: Utterance) -> Utterance:
    layers = tuple(
        replace(
            layer,
            parts=tuple(
                replace(p, spans=p.spans and tuple(replace(s, start=0, end=0) for s in p.spans))
                for p in layer.parts
            ),
        )
        for layer in event.layers
    )
    return replace(event, text="", layers=layers)


def scripted(seed: int = 0, language: str = "en") -> Paraphrasing:
    paraphraser = PARAPHRASERS.get("scripted")(ParaphraseOptions(seed=seed, language=language))
    return Paraphrasing(paraphraser, {}, language)


@pytest.mark.parametrize("scenario", ["happy", "mixed"])
def test_scripted_on_simulated_dialogues(scenario: str) -> None:
    tasks = tuple(pack.load(name) for name in ("weather", "hotel_book", "restaurant_search"))
    source = StarPlan(tasks=tasks, seed=1, dialogues=60, scenario=scenario).source()
    paraphrasing = scripted(7)
    for index in range(60):
        before = source(index)
        after = paraphrasing.dialogue(before)
        hold(before, after)
        assert after == scripted(7).dialogue(before)
    counts = paraphrasing.counts
    assert counts["paraphrased"] > counts["utterances"] / 5
    assert counts["refused"] < counts["utterances"] / 50


def test_scripted_in_another_language() -> None:
    event = utterance("Guten Tag, es geht um Montag.", ("tag", "Montag"))
    dialogue = Dialogue(id="1", events=(event,))
    texts = {e.text for n in range(20) for e in scripted(n, "de").dialogue(dialogue).events
             if isinstance(e, Utterance)}  # fmt: skip
    assert len(texts) > 3
    assert all(text.endswith("Montag.") for text in texts)
