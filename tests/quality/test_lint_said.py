"""Texts, frames and candidates: each fault planted, and exactly its code found."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dialoom.dialogue import (
    GOLD,
    Act,
    Argument,
    Candidate,
    Constraint,
    Dialogue,
    Event,
    Frame,
    Layer,
    Part,
    Query,
    Reference,
    Result,
    Utterance,
)
from dialoom.quality.lint import Linter
from dialoom.quality.lint.texts import luhn
from tests.quality.lint_sample import change, insert
from tests.quality.lint_services import FRAMED, RANKED, found


def saying(text: str) -> Dialogue:
    return Dialogue(id="s1", events=(Utterance(agent="user", text=text),))


SAID: list[tuple[list[str], str]] = [
    (["W601"], ""),
    (["W601"], " \t\u00a0\n"),
    (["W603"], "a\x00b"),
    (["W603"], "\x1b[2Jboo"),
    (["W603"], "half a pair: \ud800"),
    (["W604"], "caf\ufffd"),
    (["W603", "W604"], "\ufffd\x07"),
    (["W605"], "write to ada@b\u00fccher.example"),
    (["W605"], "write to ada.l+x@mail.example.org."),
    (["W606"], "it is 4111 1111 1111 1111, thanks"),
    (["W606"], "4111111111111111"),
    (["I601"], "call 415-555-0100"),
    (["I601"], "call (020) 7946 0018 or not"),
    (["I601"], "+1 415-555-0100"),
    (["I601", "I601"], "415-555-0100 or 0131 496 0101"),
    ([], "two lines\nand a\ttab, é and 漢字"),
    ([], "at 10:30 on 2019-03-01 for 1,250.00, 4111 1111 1111 1112"),
    ([], "0000 0000 0000 0000"),
    ([], "me @ home"),
    ([], "room 12 34, gate 7"),
]


@pytest.mark.parametrize(("codes", "text"), SAID)
def test_texts(codes: list[str], text: str) -> None:
    assert found(saying(text)) == codes


def test_where_personal_data_are_is_reported_but_not_what_they_are() -> None:
    (finding,) = Linter().check(saying("write to ada@example.org now"))
    assert finding.pointer == "/events/0/text"
    assert finding.message.startswith("characters 9 to 24; ")


def test_the_check_digit_of_card_numbers() -> None:
    assert luhn("79927398713")
    assert not luhn("79927398710")
    assert not luhn("0000")


def gold(**fields: Any) -> Dialogue:
    """Return the dialogue with another gold layer."""
    event: Any = FRAMED.events[0]
    part = msgspec.structs.replace(event.layers[0].parts[0], **fields)
    return change(FRAMED, 0, layers=(Layer(GOLD, (part,)), *event.layers[1:]))


def referring(*numbers: int) -> tuple[Act, ...]:
    """Return the act with a reference for each number, one within the other."""
    said: tuple[Argument, ...] = (Argument("city", ("Turku",)),)
    for number in reversed(numbers):
        said = (Argument("ref", references=(Reference(number, said),)),)
    return (Act("inform", (Argument("city", ("Oslo",)), *said)),)


ONE = (Frame(1), Frame(2, parent=1))

FRAMES: list[tuple[list[str], Dialogue]] = [
    ([], FRAMED),
    ([], gold(acts=referring(1, 2))),
    (["E606", "W611"], gold(acts=(*referring(2), Act("mumble")))),
    (["E611"], gold(frames=(*ONE, Frame(2, parent=1)))),
    (["E612"], gold(frames=(Frame(1), Frame(2, parent=7)))),
    (["E613"], gold(active_frame=3)),
    (["E613", "E614"], gold(frames=())),
    (["E614"], gold(acts=referring(3))),
    (["E614"], gold(acts=referring(1, 3))),
    (["W611"], gold(acts=(*referring(2), Act("thankyou")))),
]


@pytest.mark.parametrize(("codes", "dialogue"), FRAMES)
def test_frames(codes: list[str], dialogue: Dialogue) -> None:
    assert found(dialogue, "frames") == codes


def test_frames_that_a_turn_does_not_repeat_are_those_of_the_turn_before() -> None:
    act = Act("inform", (Argument("ref", references=(Reference(2),)),))
    later = Utterance(agent="system", text="Fine.", layers=(Layer(GOLD, (Part(acts=(act,)),)),))
    assert not found(insert(FRAMED, 1, later), "frames")


def offering(*candidates: Candidate, choice: str | None = "a") -> Dialogue:
    return change(RANKED, 1, candidates=candidates, choice=choice)


A, B = Candidate("a", "good day"), Candidate("b", "farewell")

OFFERED: list[tuple[list[str], Dialogue]] = [
    ([], RANKED),
    ([], offering(A, B, choice=None)),
    (["E621"], offering(A, B, choice="c")),
    (["E622"], offering(A, B, Candidate("b", "so long"))),
    (["I621"], offering(A, B, Candidate("c", "farewell"))),
    (["I621"], offering(Candidate("a"), Candidate("a"))),
    ([], offering(Candidate("a"), Candidate("b"))),
]


@pytest.mark.parametrize(("codes", "dialogue"), OFFERED)
def test_candidates(codes: list[str], dialogue: Dialogue) -> None:
    assert found(dialogue) == codes


def call(number: str, *slots: str) -> Query:
    constraints = tuple(Constraint(slot, "equal", ("x",)) for slot in slots)
    return Query(id=number, api="api_call", constraints=constraints)


def told(name: str) -> Result:
    return Result(items=({"name": name, "price": "cheap"},))


USER, BOT = (Utterance(agent=agent, text="well") for agent in ("user", "system"))
UNREAD = Utterance(agent="system", text="api_call thai")

CALLED: list[tuple[list[str], tuple[Event, ...]]] = [
    ([], (USER, call("1", "food", "area"), USER, call("2", "food", "area"))),
    (["W801"], (USER, call("1", "food", "area"), USER, call("2", "food"))),
    ([], (told("the_inn"), USER, BOT)),
    (["E813"], (told("the_out"), USER, BOT)),
    (["E812"], (USER, UNREAD)),
    ([], (USER, BOT, Utterance(agent="user", text="api_call thai"))),
    (["E504"], (USER, USER)),
]


@pytest.mark.parametrize(("codes", "events"), CALLED)
def test_calls_and_facts_that_are_lines_of_text(
    codes: list[str], events: tuple[Event, ...]
) -> None:
    assert found(Dialogue(id="d", events=events), "dstc6") == codes


def test_a_call_is_a_turn_where_it_replaces_an_utterance_of_the_system() -> None:
    def said(agent: str) -> Utterance:
        return Utterance(agent=agent, text="well")

    called = Query(id="1", api="api_call"), Result(query="1")
    right = Dialogue(id="d", events=(said("user"), *called, said("user"), said("system")))
    assert not found(right, "babi")
    assert found(right, "sgd") == ["E504"]
    assert found(insert(right, 1, said("system")), "dstc6") == ["E504"]
    guided = insert(right, 3, Utterance(agent="guide", text="go on"))
    assert not found(guided, "dstc6")
