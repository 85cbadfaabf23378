"""Dates and times are written as STAR's API files list them, where a task file tells how."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import Constraint, Dialogue, Query, Result, Selected, Selection, Utterance
from dialoom.dialogue.constraint import Operator
from dialoom.formats.base.conversion import convert
from dialoom.formats.star.publishing import ValueListing
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema

TASKS = {"restaurant_book": pack.load("restaurant_book")}
ITEM = {"Name": "Juniper", "Time": "19:30", "PartySize": 4, "Message": "19:30"}
OTHER = ITEM | {"Time": "20:00"}


def at(*times: str, operator: Operator = "equal") -> Constraint:
    return Constraint("Time", operator, times)


EITHER = at("20:00", "19:00", operator="one_of")
TALK = Dialogue(
    id="1",
    events=(
        Query(id="a", api="restaurant_book", constraints=(at("19:30"), at("soon"))),
        Result(query="a", items=(ITEM,)),
        Query(
            id="b", api="restaurant_book", constraints=(at("20:00", "19:00", operator="one_of"),)
        ),
        Result(query="b", items=(OTHER,)),
        Selection(kind="secondary", selected=Selected(OTHER, ITEM)),
        Utterance(agent="system", text="At 19:30?", selected=Selected({"Time": "19:30"})),
        Query(id="c", api="elsewhere", constraints=(at("19:30"),)),
    ),
)


def listed(tasks: dict[str, TaskSchema]) -> Dialogue:
    return ValueListing(tasks).dialogue(TALK)


def test_queries_items_and_what_was_chosen_of_them() -> None:
    first, item, second, other, selection, remark, elsewhere = listed(TASKS).events
    assert isinstance(first, Query)
    assert [each.values for each in first.constraints] == [("7:30 pm",), ("soon",)]
    assert isinstance(second, Query)
    assert second.constraints[0].values == ("8 pm", "7 pm")
    assert isinstance(item, Result)
    assert item.items[0] == ITEM | {"Time": "7:30 pm"}  # its message is no time
    assert isinstance(other, Result)
    assert isinstance(selection, Selection)
    assert selection.selected == Selected(other.items[0], item.items[0])
    assert remark == TALK.events[5]  # an item that no query brought
    assert elsewhere == TALK.events[6]


def test_without_a_task_file_nothing_changes() -> None:
    assert listed({}) is TALK
    assert (
        listed({"restaurant_book": replace(TASKS["restaurant_book"], slots={}, calls={})}) is TALK
    )


def test_it_is_written_so_and_the_loss_is_reported(tmp_path: Path) -> None:
    loss = convert(lambda: [TALK], TASKS, formats.get("star"), tmp_path)
    assert loss["query.constraints.values"] == 2
    assert loss["result.items"] == 2
    raw = json.loads((tmp_path / "dialogues" / "1.json").read_bytes())
    assert raw["Events"][0]["Constraints"][0] == {"Time": '"7:30 pm"'}
    [api] = (json.loads((tmp_path / "apis" / "apis" / "restaurant_book.json").read_bytes()),)
    [time] = [each for each in api["input"] if each["Name"] == "Time"]
    assert "7:30 pm" in time["Categories"]
    corpus = formats.load(tmp_path, "star")
    [back] = corpus.dialogues()
    again = tmp_path / "again"
    again.mkdir()
    assert not convert(lambda: [back], corpus.schemas, formats.get("star"), again)
