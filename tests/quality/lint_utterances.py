"""Utterances, calls and frames that lint has findings in."""

from __future__ import annotations

from typing import Any

import msgspec

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
    Query,
    Reference,
    Result,
    Utterance,
)
from tests.quality.lint_sample import change
from tests.quality.lint_services import FRAMED, RANKED

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


def gold(**fields: Any) -> Dialogue:
    """Return the dialogue with another gold layer."""
    event: Any = FRAMED.events[0]
    part = msgspec.structs.replace(event.layers[0].parts[0], **fields)
    return change(FRAMED, 0, layers=(Layer(GOLD, (part,)), *event.layers[1:]))


def referring(*numbers: int) -> tuple[Act, ...]:
    """Return the act with a reference for each number, one within the other."""
    arguments: tuple[Argument, ...] = (Argument("city", ("Turku",)),)
    for number in reversed(numbers):
        arguments = (Argument("ref", references=(Reference(number, arguments),)),)
    return (Act("inform", (Argument("city", ("Oslo",)), *arguments)),)


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
