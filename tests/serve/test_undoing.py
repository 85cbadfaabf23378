"""Faults of ours: a failed command writes nothing, and no record keeps a room from opening."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom.collect.kinds.room.room_state import RoomState
from dialoom.collect.kinds.room.view import PageView
from dialoom.collect.log.record import Record, Role, unit_stream
from dialoom.dialogue import Utterance
from tests.naughty import STRINGS
from tests.serve.conftest import SINGLE
from tests.serve.served import Served, served

FRAME = 3000
"""Bytes of a text that fit into a frame."""


def texts(study: Served) -> list[str]:
    records = study.opened.store.stream(unit_stream(1))
    return [record.body.text for record in records if isinstance(record.body, Utterance)]


def test_a_number_that_no_float_holds_does_not_close_a_room(tmp_path: Path) -> None:
    digits = "9" * 309
    with served(tmp_path / "study.sqlite", SINGLE) as study:
        user, wizard = study.pair()
        assert user.do("say", text=f"For {digits} people.")["type"] == "ack"
        wizard.until_turn()
        wizard.close()
        assert wizard.open().state["room"]["your_turn"]
    with served(tmp_path / "study.sqlite", SINGLE) as again:
        unit = again.hub.study.units[1]
        assert unit.view.of(unit.work, "wizard")["your_turn"]
        assert texts(again) == [f"For {digits} people."]


def test_naughty_strings_are_said_or_refused_and_both_can_come_back(study: Served) -> None:
    user, wizard = study.pair()
    for text in [each for each in STRINGS if len(json.dumps(each)) < FRAME][::7]:
        user.until_turn()
        answer = user.ask("say", text=text)
        assert answer["type"] == "ack" or answer["code"] == "malformed"
        if answer["type"] == "ack":
            wizard.until_turn()
            wizard.ask("suggest", text=text)
            wizard.do("say", text=text, reason=text)
    for page in (user, wizard):
        page.close()
        assert page.open().state["room"]["step"] == "talk"


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("where", [(RoomState, "apply"), (PageView, "of")])
def test_a_message_that_cannot_be_applied_or_shown_is_not_written(
    study: Served, monkeypatch: pytest.MonkeyPatch, where: tuple[type, str], there: bool
) -> None:
    user, wizard = study.pair()
    if not there:
        wizard.close()
        user.until(lambda frame: frame["type"] == "presence")
    owner, name = where
    whole = getattr(owner, name)

    def failing(self: object, subject: object, *rest: Role) -> object:
        log = [subject] if isinstance(subject, Record) else getattr(subject, "log", ())
        if not there and rest == ("user",):
            return whole(self, subject, *rest)
        for record in log:
            if isinstance(record.body, Utterance) and record.body.text == "boom":
                raise OverflowError("int too large to convert to float")
        return whole(self, subject, *rest)

    monkeypatch.setattr(owner, name, failing)
    answer = user.ask("say", "boom-1", text="boom")
    assert (answer["type"], answer["code"]) == ("refused", "internal")
    user.until(lambda frame: frame["type"] == "welcome")
    assert user.state["room"]["your_turn"]
    assert texts(study) == []
    assert user.do("say", text="Hello")["type"] == "ack"
    if not there:
        wizard.open()
    wizard.until_turn()
    assert texts(study) == ["Hello"]


def test_a_record_that_cannot_be_read_is_skipped_and_shown_to_the_admin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path / "study.sqlite", SINGLE) as study:
        user, wizard = study.pair()
        user.do("say", text="poison")
        wizard.until_turn()
        wizard.do("say", text="Hello", reason="x")
    whole = RoomState.apply

    def failing(self: RoomState, record: Record) -> None:
        whole(self, record)
        if isinstance(record.body, Utterance) and record.body.text == "poison":
            raise OverflowError("int too large to convert to float")

    monkeypatch.setattr(RoomState, "apply", failing)
    with served(tmp_path / "study.sqlite", SINGLE) as study, study.admin() as admin:
        assert texts(study) == ["poison", "Hello"]
        assert study.hub.study.units[1].work is not None
        [comment] = admin.get("/api/admin/dashboard").json()["comments"]
        assert (comment["room"], comment["role"]) == (1, "server")
        assert "OverflowError" in comment["text"]
