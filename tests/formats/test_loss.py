"""What a format cannot hold is named by field and counted, as reading back shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dialoom.dialogue import (
    Act,
    Answer,
    Argument,
    Candidate,
    Completion,
    Dialogue,
    Layer,
    Options,
    Part,
    Query,
    Result,
    Scenario,
    Selected,
    Selection,
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.event import Event
from dialoom.errors import FormatError, OutputError
from dialoom.formats.base.conversion import convert
from dialoom.formats.base.loss import Loss, lost
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.star import FORMAT, writing
from dialoom.schema import pack
from tests.formats.star_json import DATA, read
from tests.make import refuses

STAR = sorted((DATA / "star" / "dialogues").glob("*.json"))
OTHERS = sorted(DATA.glob("*.json"))


def there_and_back(dialogue: Dialogue) -> Dialogue:
    return read(writing.to_bytes(dialogue, 1))


def _gold(*parts: Part, source: str = "gold") -> tuple[Layer, ...]:
    return (Layer(source, parts),)


ACT = Part(acts=(Act("inform"),))


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (Utterance(agent="user", text="", layers=_gold(ACT)), "utterance.layers.parts.acts.name"),
        (Utterance(agent="user", text="", selected=Selected({})), "utterance.selected.primary"),
        (Utterance(agent="nobody", text=""), "utterance"),
        (
            Utterance(agent="system", text="", layers=_gold(ACT, ACT)),
            "utterance.layers.parts.acts.name",
        ),
        (
            Utterance(
                agent="system", text="", layers=_gold(Part(acts=(Act("a", (Argument("b"),)),)))
            ),
            "utterance.layers.parts.acts.arguments.slot",
        ),
        (
            Utterance(agent="system", text="", layers=_gold(ACT, source="me")),
            "utterance.layers.source",
        ),
        (
            Utterance(agent="system", text="", layers=_gold(Part(spans=(Span(0, 1),)))),
            "utterance.layers.parts.spans.start",
        ),
        (
            Utterance(agent="user", text="", layers=_gold(Part(state=State()))),
            "utterance.layers.parts.state",
        ),
        (
            Utterance(agent="user", text="", layers=_gold(Part("hotels"))),
            "utterance.layers.parts.service",
        ),
        (
            Utterance(agent="user", text="", layers=_gold(Part(active_frame=1))),
            "utterance.layers.parts.active_frame",
        ),
        (Utterance(agent="user", text="", time=1001), "utterance.time"),
        (Query(id="1", api="a", service="b"), "query.service"),
        (Result(query="", items=({}, {})), "result.items"),
        (Options(candidates=(Candidate("a", "b"),)), "options.candidates.text"),
        (Options(candidates=(Candidate("a"),)), "options.candidates.id"),
        (Options(choice="a"), "options.choice"),
        (Selection(kind="primary", task="a"), "selection.task"),
    ],
)
def test_what_an_event_loses_is_named(event: Event, field: str) -> None:
    dialogue = Dialogue(id="1", events=(event,))
    loss = lost(dialogue, there_and_back(dialogue))
    assert loss[field] == 1


def test_what_a_dialogue_loses_is_named() -> None:
    dialogue = Dialogue(
        id="one",
        events=(),
        services=("hotels",),
        scenario=Scenario(goal={}, instruction_id="1"),
        workers={"user": "a", "judge": "b"},
        answers=(Answer("judge", "?", True),),
        provenance="simulated",
    )
    assert set(lost(dialogue, there_and_back(dialogue))) == {
        "dialogue.id",
        "dialogue.provenance",
        "dialogue.services",
        "dialogue.workers",
        "dialogue.answers.agent",
        "dialogue.answers.question",
        "dialogue.answers.answer",
        "dialogue.scenario.goal",
        "dialogue.scenario.instruction_id",
    }


@pytest.mark.parametrize("file", [*STAR, *OTHERS], ids=lambda file: file.name)
def test_a_star_file_loses_nothing(file: Path) -> None:
    dialogue = read(file.read_bytes())
    loss = lost(dialogue, there_and_back(dialogue))
    if file in OTHERS:  # STAR's layout sorts what one object holds
        loss = Loss({field: n for field, n in loss.items() if not field.startswith("order of")})
    assert not loss


def test_what_a_task_file_has_beyond_stars_schemas_is_reported(tmp_path: Path) -> None:
    task = pack.load("bank_fraud_report")
    loss = convert(lambda: iter(()), {task.id: task}, FORMAT, tmp_path)
    assert {"schema.slots", "schema.flow"} <= set(loss)


def test_values_in_another_order_are_named() -> None:
    turned = Part(acts=(Act("b"), Act("a")))
    straight = Part(acts=(Act("a"), Act("b")))
    before = Dialogue(id="1", events=(Utterance(agent="user", text="", layers=_gold(straight)),))
    after = Dialogue(id="1", events=(Utterance(agent="user", text="", layers=_gold(turned)),))
    assert lost(before, after) == {"order of utterance.layers.parts.acts.name": 1}


def test_the_same_words_of_another_event_are_not_the_same() -> None:
    events = [Utterance(agent="user", text=text) for text in ("a", "b", "a")]
    before = Dialogue(id="1", events=(events[0], events[1]))
    assert lost(before, Dialogue(id="1", events=(events[2], events[0]))) == {"utterance.text": 1}
    assert lost(before, None)["utterance.text"] == 2


def test_what_is_added_between_does_not_change_the_order() -> None:
    acts = [Act(name) for name in ("inform", "request", "inform")]
    before, after = (
        Dialogue(
            id="1",
            events=(
                Utterance(agent="user", text="Hi.", layers=_gold(Part(acts=tuple(each)))),
                Utterance(agent="user", text="Hi."),
            ),
        )
        for each in (acts[:2], acts)
    )
    assert lost(before, after) == {}


def test_calls_may_be_numbered_anew() -> None:
    call = (Query(id="a", api="x"), Result(query="a"))
    again = (Query(id="1", api="x"), Result(query="1"))
    assert not lost(Dialogue(id="1", events=call), Dialogue(id="1", events=again))
    parted = (Query(id="1", api="x"), Result(query="2"))
    assert lost(Dialogue(id="1", events=call), Dialogue(id="1", events=parted)) == {
        "result.query": 1
    }


def test_dialogues_that_come_back_in_another_order_are_compared_by_id(tmp_path: Path) -> None:
    dialogues = [Dialogue(id=name, events=(Completion(),)) for name in ("12", "7", "9")]
    assert not convert(lambda: dialogues, {}, FORMAT, tmp_path)


def test_dialogues_whose_ids_cannot_be_kept_are_compared_by_place(tmp_path: Path) -> None:
    dialogues = [Dialogue(id=name, events=(Completion(),)) for name in ("b", "a")]
    assert convert(lambda: dialogues, {}, FORMAT, tmp_path) == {"dialogue.id": 2}


def test_a_number_is_no_truth() -> None:
    one = Dialogue(id="1", events=(), extra={"a": 1})
    other = Dialogue(id="1", events=(), extra={"a": True})
    assert lost(one, one) == {}
    assert lost(one, other) == {"dialogue.extra.a": 1}
    events = (Result(items=({"a": 1},)),), (Result(items=({"a": True},)),)
    assert lost(Dialogue(id="1", events=events[0]), Dialogue(id="1", events=events[1])) == {
        "result.items": 1
    }


def test_an_error_of_reading_back_names_the_dialogue_and_not_the_stage(tmp_path: Path) -> None:
    def broken(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
        raise FormatError(file, "no text", dialogue="1", event=2)

    dialogues = (Dialogue(id="1", events=()),)
    format = FileFormat(
        name="odd",
        owns=re.compile("a"),
        new_name=lambda number: "a",
        render=lambda _: b"",
        read=broken,
    )
    with refuses(OutputError, "unwritable", "dialogue 1, event 2", "odd", "no text") as caught:
        convert(lambda: dialogues, {}, format, tmp_path)
    assert str(tmp_path) not in str(caught.value)
