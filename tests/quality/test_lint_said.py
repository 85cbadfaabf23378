"""Texts, frames and candidates: each fault planted, and exactly its code found."""

from __future__ import annotations

import pytest

from dialoom.dialogue import (
    GOLD,
    USER,
    Act,
    Answer,
    Argument,
    Dialogue,
    Event,
    Layer,
    Part,
    Query,
    Reference,
    Result,
    Utterance,
)
from dialoom.quality.lint import Linter
from dialoom.quality.lint.dialogues import luhn
from tests.quality.lint_sample import insert
from tests.quality.lint_services import FRAMED, found
from tests.quality.lint_utterances import CALLED, FRAMES, OFFERED, SAID


def saying(text: str) -> Dialogue:
    return Dialogue(id="s1", events=(Utterance(agent="user", text=text),))


@pytest.mark.parametrize(("codes", "text"), SAID)
def test_texts(codes: list[str], text: str) -> None:
    assert found(saying(text)) == codes


def test_where_personal_data_are_is_reported_but_not_what_they_are() -> None:
    (finding,) = Linter().check(saying("write to ada@example.org now"))
    assert finding.pointer == "/events/0/text"
    assert finding.message.startswith("characters 9 to 24; ")


def test_personal_data_in_comments_and_notes_are_reported_and_digests_are_not() -> None:
    mail = "ada@example.org"
    layer = Layer("rater-1", (Part(extra={"comments": {"a/b": mail}}),), extra={"text": mail})
    turn = Utterance(agent=USER, text="Hi.", layers=(layer,), extra={"Override": {"Reason": mail}})
    extra = {"Notices": [mail], "Digest": "a4111111111111111b"}
    answers = (Answer(USER, "comment", mail), Answer(USER, "rating", 4))
    said = Dialogue(id="1", events=(turn,), provenance="collected", answers=answers, extra=extra)
    assert [(each.code, each.pointer) for each in Linter().check(said)] == [
        ("W605", "/answers/0/answer"),
        ("W605", "/extra/Notices/0"),
        ("W605", "/events/0/extra/Override/Reason"),
        ("W605", "/events/0/layers/0/extra/text"),
        ("W605", "/events/0/layers/0/parts/0/extra/comments/a~1b"),
    ]


def test_the_check_digit_of_card_numbers() -> None:
    assert luhn("79927398713")
    assert not luhn("79927398710")
    assert not luhn("0000")


@pytest.mark.parametrize(("codes", "dialogue"), FRAMES)
def test_frames(codes: list[str], dialogue: Dialogue) -> None:
    assert found(dialogue, "frames") == codes


def test_frames_that_a_turn_does_not_repeat_are_those_of_the_turn_before() -> None:
    act = Act("inform", (Argument("ref", references=(Reference(2),)),))
    later = Utterance(agent="system", text="Fine.", layers=(Layer(GOLD, (Part(acts=(act,)),)),))
    assert not found(insert(FRAMED, 1, later), "frames")


@pytest.mark.parametrize(("codes", "dialogue"), OFFERED)
def test_candidates(codes: list[str], dialogue: Dialogue) -> None:
    assert found(dialogue) == codes


@pytest.mark.parametrize(("codes", "events"), CALLED)
def test_calls_and_facts_that_are_lines_of_text(
    codes: list[str], events: tuple[Event, ...]
) -> None:
    assert found(Dialogue(id="d", events=events), "dstc6") == codes


def test_a_call_is_a_turn_where_it_replaces_an_utterance_of_the_system() -> None:
    def said(agent: str) -> Utterance:
        return Utterance(agent=agent, text="well")

    lookup = Query(id="1", api="api_call"), Result(query="1")
    right = Dialogue(id="d", events=(said("user"), *lookup, said("user"), said("system")))
    assert not found(right, "babi")
    assert found(right, "sgd") == ["E504"]
    assert found(insert(right, 1, said("system")), "dstc6") == ["E504"]
    guided = insert(right, 3, Utterance(agent="guide", text="go on"))
    assert not found(guided, "dstc6")
