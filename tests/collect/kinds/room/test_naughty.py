"""Whatever is said, typed or asked in a room, it goes on, and a replay gives the same room."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.collect.kinds.room.messages import Ask, FormCondition, Pick, Say, Suggest
from dialoom.collect.kinds.room.wizard.forms import read_value
from dialoom.collect.log.record import encode_body
from dialoom.collect.message import LONGEST_TEXT, Refused
from dialoom.dialogue import Utterance
from dialoom.reading.tracker import SlotTracker
from tests.collect.rooms import Played, scenario, state, tools
from tests.naughty import naughty
from tests.strategies import sampled

SAID = naughty().map(lambda text: text[:LONGEST_TEXT])
VALUES = SAID | st.integers() | st.floats() | st.booleans() | st.none() | st.just([10**400])


@sampled
@given(st.lists(SAID, min_size=1, max_size=3), VALUES, st.data())
def test_a_room_goes_on_whatever_is_said_and_asked(
    texts: list[str], value: Any, data: st.DataObject
) -> None:
    task = data.draw(st.sampled_from(("restaurant_book", "hotel_book", "trip_directions")))
    played = Played(scenario(task), guard="warn")
    for text in texts:
        with suppress(Refused):
            played.send("user", Say(text))
        form = data.draw(st.sampled_from(tools().forms(task)))
        field = data.draw(st.sampled_from(form.fields))
        operator = data.draw(st.sampled_from((*field.operators, "like")))
        conditions = (FormCondition(field.name, operator, value), FormCondition(text, text, text))
        for message in (
            Ask(form.api, conditions[:1]),
            Ask(form.api, conditions),
            Suggest(text),
            Pick(text, text),
            Say(text, text),
        ):
            with suppress(Refused):
                played.send("wizard", message)
    for record in played.records:
        encode_body(record.body)
    assert state(played.room) == state(played.again())
    assert not played.room.faults.noted


@sampled
@given(VALUES, st.data())
def test_a_field_takes_a_value_or_refuses_it(value: Any, data: st.DataObject) -> None:
    tasks = tools().tasks
    task = tasks[data.draw(st.sampled_from(sorted(tasks)))]
    form = data.draw(st.sampled_from(tools().forms(task.id)))
    field = data.draw(st.sampled_from(form.fields))
    column = next(each for each in task.calls[form.api].inputs if each.name == field.name)
    with suppress(Refused):
        read_value(field, task.slots.get(column.slot or ""), value, "en")


@pytest.mark.parametrize("value", ["--5", "-", "5-", "1.2.3", "9" * 309, 10**400, "٣"])
def test_a_number_field_refuses_what_is_no_number(value: object) -> None:
    played = Played()
    form = played.tools.form("restaurant_book", "restaurant_book")
    [party] = [field for field in form.fields if field.name == "PartySize"]
    slot = played.tools.tasks["restaurant_book"].slots["guests"]
    if value == "٣":
        assert read_value(party, slot, value, "en") == 3
        return
    with pytest.raises(Refused) as refused:
        read_value(party, slot, value, "en")
    assert refused.value.code == "bad_value"


def test_a_room_opens_where_a_reader_fails_on_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    played, observe = Played(), SlotTracker.observe

    def failing(tracker: SlotTracker, event: object) -> None:
        if isinstance(event, Utterance) and event.text == "For 99.":
            raise OverflowError("int too large")
        observe(tracker, event)  # type: ignore[arg-type]

    monkeypatch.setattr(SlotTracker, "observe", failing)
    played.user("For 99.")
    assert played.view("wizard")["turn"] == "wizard"
    played.wizard("hello", "hello")
    played.user("For four, at 7:30 pm.")
    assert played.room.known.slots("restaurant_book") == {"guests": 4, "time": "19:30"}
    [(seq, what)] = played.room.faults.noted.items()
    assert "OverflowError" in what
    assert played.records[seq - 1].body.text == "For 99."  # type: ignore[union-attr]
    assert [event["text"] for event in played.room.events.since("wizard") if event["kind"] == "say"]
