from __future__ import annotations

from typing import Any

import pytest

from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.kinds.room.messages import Say
from dialoom.collect.message import Leave, Refused
from tests.collect.documents import MARK, SETTLE, WRITE, Documents
from tests.make import refuses

LINE = {"speaker": "user", "text": "Hi."}


def test_whoever_agrees_has_something_to_do_at_once() -> None:
    played = Documents(WRITE)
    number = played.enter("w-1")
    state = played.state(number)
    assert state["step"] == "room"
    assert (state["room"]["kind"], state["room"]["role"]) == ("self_dialogue", "writer")
    assert [lack["code"] for lack in state["room"]["problems"]] == [
        "short",
        "no_user",
        "no_assistant",
    ]


def test_a_part_is_saved_from_the_revision_that_was_seen() -> None:
    played = Documents(WRITE)
    number = played.enter("w-1")
    played.send(number, Save("1", 0, LINE))
    conflict = played.refused(number, Save("1", 0, {**LINE, "text": "Hello."}))
    assert conflict.code == "conflict"
    assert conflict.detail == {"part": "1", "rev": 1, "value": LINE}
    played.send(number, Save("1", 1, None))
    assert played.refused(number, Save("1", 0, LINE)).detail["value"] is None
    played.send(number, Save("1", 2, LINE))
    work = played.study.units[1].work
    assert work.document == {"1": LINE}
    assert [event["rev"] for event in work.events.since("writer", 1)] == [1, 2, 3]
    assert played.replayed().units[1].work.document == work.document


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("0", LINE),
        ("x", LINE),
        ("", LINE),
        ("1" * 65, LINE),
        ("1", "Hi."),
        ("1", {**LINE, "speaker": "nobody"}),
        ("1", {**LINE, "text": " \u200b"}),
    ],
)
def test_what_is_no_part_is_refused(part: str, value: object) -> None:
    played = Documents(WRITE)
    number = played.enter("w-1")
    assert played.refused(number, Save(part, 0, value)).code == "malformed"


def test_a_document_is_handed_in_whole() -> None:
    played = Documents(WRITE)
    number = played.enter("w-1")
    assert played.refused(number, Say("Hi.")).code == "not_now"
    assert [p["code"] for p in played.refused(number, Submit()).detail["problems"]] == [
        "short",
        "no_user",
        "no_assistant",
    ]
    played.send(number, Save("1", 0, LINE))
    played.send(number, Save("2", 0, {"speaker": "assistant", "text": "Hello."}))
    played.send(number, Submit("Nice."))
    assert played.state(number)["done"]["outcome"] == "completed"
    assert played.state(number)["done"]["pending"] == 150
    assert played.study.state.comments[0]["text"] == "Nice."
    assert played.refused(number, Submit()).code == "over"


def test_a_lost_connection_keeps_the_document_and_an_hour_without_a_save_gives_it_away() -> None:
    played = Documents(WRITE, scenarios=1)
    number = played.enter("w-1")
    played.take(played.study.disconnected(number, played.now))
    for _ in range(3):
        played.now += 600_000
        played.take(played.study.tick(played.now))
    played.take(played.study.connected(number, played.now))
    assert played.state(number)["step"] == "room"
    for _ in range(3700):
        played.take(played.study.tick(played.now))
    assert played.state(number)["done"]["outcome"] == "idle"
    assert played.state(played.enter("w-2"))["room"]["item"]


def test_who_leaves_gives_the_item_to_another() -> None:
    played = Documents(WRITE, scenarios=1)
    number = played.enter("w-1")
    played.send(number, Leave())
    assert played.study.units[1].outcome == "DisconnectDuringDialogue"
    other = played.enter("w-2")
    assert played.study.units[2].item == played.study.units[1].item
    assert played.state(other)["step"] == "room"


def test_annotators_are_others_than_the_writer_and_judges_others_than_both() -> None:
    played = Documents(WRITE, MARK, SETTLE, scenarios=1)
    played.write("w-1")
    assert played.study.state.pool.offered == {"write": 1, "mark": 1}
    for worker, words in (("a-1", ("large",)), ("a-2", ("large latte",))):
        played.annotate(worker, *words)
    for worker in ("w-1", "a-1", "a-2"):
        with refuses(Refused, "full"):
            played.enter(worker)
    judge = played.enter("j-1")
    [first, second] = played.state(judge)["room"]["item"]["lines"]
    assert not first["same"] and second["same"]
    assert [marks["spans"][0]["text"] for marks in first["marks"]] == ["large", "large latte"]
    assert played.refused(judge, Submit()).detail["problems"] == [{"code": "open", "part": "0"}]
    played.send(judge, Save("0", 0, first["marks"][1]))
    played.send(judge, Submit())
    assert played.state(judge)["done"]["outcome"] == "completed"
    replayed = played.replayed()
    assert replayed.state.pool.complete == played.study.state.pool.complete
    assert replayed.state.results == played.study.state.results


def test_annotation_names_what_is_there() -> None:
    played = Documents(WRITE, MARK, scenarios=1)
    played.write("w-1")
    number = played.enter("a-1")
    label = played.state(number)["room"]["item"]["labels"][0]
    span = {"start": 6, "end": 9, "text": "5 €", "labels": [label]}
    coffee = {"start": 10, "end": 11, "text": "then", "labels": [label]}
    values: list[Any] = [
        {"spans": [coffee]},
        {"spans": [{**span, "end": 80}]},
        {"spans": [{**span, "start": 2, "text": "is 5 €"}]},
        {"spans": [{**span, "labels": ["colour"]}]},
        {"spans": [{**span, "labels": []}]},
        {"acts": [{"act": "sing"}]},
        {"acts": [{"act": "inform", "slot": "colour"}]},
        {"acts": [{"act": "inform", "slot": label, "value": "\u200b"}]},
        {"span": []},
        [],
    ]
    codes = [played.refused(number, Save("1", 0, value)).code for value in values]
    assert codes[:3] == ["bad_value"] * 3
    assert codes[3:7] == ["unknown"] * 4
    assert codes[7:] == ["bad_value", "malformed", "malformed"]
    assert played.refused(number, Save("2", 0, {})).code == "unknown"
    text = "It is 5 € ☕ then."
    start = text.index("☕")
    cup = {"start": start, "end": start + 1, "text": "☕", "labels": [label, label]}
    played.send(number, Save("1", 0, {"spans": [cup]}))
    assert played.study.units[2].work.document["1"]["acts"] == []
