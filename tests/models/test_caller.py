"""Models of calls: what they give each parameter, and which parameters they leave out."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from dialoom.dialogue import (
    Constraint,
    Dialogue,
    Event,
    Example,
    NextCall,
    Query,
    Question,
    Result,
)
from dialoom.dialogue.constraint import Operator
from dialoom.errors import UsageError
from dialoom.models import MODELS
from dialoom.models.caller.evidence import CallPlan, Evidence, durations
from dialoom.models.caller.model import ColumnLayout, OperatorChooser
from dialoom.schema.call import Call, Column
from dialoom.schema.lexicon import lexicon
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from tests.make import refuses
from tests.models import tiny


def asked(dialogue: Dialogue) -> list[Example[NextCall, Query]]:
    return [
        Example(Question(dialogue, place, NextCall(dialogue.services[0])), event)
        for place, event in enumerate(dialogue.events)
        if isinstance(event, Query)
    ]


def given(call: Query) -> dict[str, Any]:
    return {each.slot: each.value for each in call.constraints}


def test_what_is_tracked_is_called_with() -> None:
    check, book = asked(tiny.visit(1, "Ada", "7 pm", 4))
    answers = MODELS.get("tracked")().predict([check.question, book.question], tiny.SCHEMAS)
    calls = [answer.answer for answer in answers]
    assert [call.api for call in calls] == ["garden_visit"] * 2
    assert given(calls[0]) == {
        "GuestName": "Ada",
        "Hour": "7 pm",
        "PartySize": 4,
        "RequestType": "Check",
    }
    assert given(calls[1]) == {**given(calls[0]), "RequestType": "Book"}


def test_nothing_is_called_with_before_anything_is_said() -> None:
    question = Question(Dialogue(id="1", events=()), 0, NextCall("way_out"))
    (answer,) = MODELS.get("tracked")().predict([question], tiny.SCHEMAS)
    assert (answer.answer.api, answer.answer.constraints) == ("way_out", ())


def fitted() -> Any:
    model = MODELS.get("caller")()
    model.fit([each for dialogue in tiny.visits() for each in asked(dialogue)] * 8, tiny.SCHEMAS)
    return model


def test_the_caller_learns_what_each_parameter_is_given() -> None:
    check, book = asked(tiny.visit(3, "Ilse", "2 pm", 5))
    (first, second) = fitted().predict([check.question, book.question], tiny.SCHEMAS)
    assert given(first.answer) == given(check.answer)
    assert given(second.answer) == given(book.answer)
    assert 0 < second.confidence <= 1


def test_one_seed_gives_one_answer_whatever_else_is_asked() -> None:
    questions = [each.question for each in asked(tiny.visit(2, "Jo", "5 pm", 6))]
    together = fitted().predict(questions, tiny.SCHEMAS)
    assert together == [fitted().predict([each], tiny.SCHEMAS)[0] for each in questions]


def test_a_caller_needs_calls_and_a_fit() -> None:
    model = MODELS.get("caller")()
    with refuses(UsageError, "not-fitted"):
        model.predict([], tiny.SCHEMAS)
    with refuses(UsageError, "nothing-to-learn"):
        model.fit([], tiny.SCHEMAS)


def heard(task: TaskSchema, *events: Event) -> Evidence:
    evidence = Evidence(CallPlan(task))
    for event in events:
        evidence.observe(event)
    return evidence


def values(evidence: Evidence, name: str) -> list[tuple[Any, ...]]:
    return [proposal.values for proposal in evidence.proposals(name)]


STAY = TaskSchema(
    id="stay",
    slots={
        "From": Slot(name="From", type="time"),
        "Until": Slot(name="Until", type="time"),
        "Guest": Slot(name="Guest", type="short text"),
        "Area": Slot(name="Area", type="category", values={"North": (), "East": (), "West": ()}),
        "Paid": Slot(name="Paid", type="boolean"),
        "Price": Slot(name="Price", type="integer", minimum=1, maximum=900),
    },
    calls={
        "stay": Call(
            name="stay",
            inputs=tuple(
                Column(name=name, slot=name)
                for name in ("From", "Until", "Guest", "Area", "Paid", "Price")
            ),
        )
    },
)


def test_what_is_said_returned_and_queried_is_proposed() -> None:
    query = Query(id="q", api="stay", constraints=(Constraint("Price", "at_most", (80,)),))
    pool = heard(
        STAY, tiny.user("north or west please"), query, Result(query="q", items=({"Area": "East"},))
    )
    assert {("North",), ("West",), ("East",)} <= set(values(pool, "Area"))
    assert values(pool, "Paid") == [(True,), (False,)]
    (price, following) = pool.proposals("Price")
    assert (price.values, price.queried) == ((80,), query.constraints[0])
    assert following.values == (81,)


def test_a_duration_gives_the_second_of_two_times() -> None:
    pool = heard(STAY, tiny.user("At 2 pm"), tiny.user("for two hours"))
    assert ("16:00",) in values(pool, "Until")
    assert ("16:00",) not in values(pool, "From")


def test_phrases_are_proposed_for_free_text_alone() -> None:
    pool = heard(STAY, tiny.user("from mill lane and oak street to the quay"))
    assert {("mill lane",), ("oak street",), ("mill lane and oak street",), ("quay",)} <= set(
        values(pool, "Guest")
    )
    assert values(pool, "Area") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [("two hours", {"time": 120}), ("a week", {"date": 7}), ("two or three", {}), ("hours", {})],
)
def test_durations(text: str, found: dict[str, int]) -> None:
    assert durations(text, "en") == found


def test_every_operator_that_is_compared_with_is_one() -> None:
    for language in ("en", "de"):
        assert set(lexicon(language).comparisons) <= set(get_args(Operator))


def test_operators_are_learnt_from_the_phrases_beside_a_value() -> None:
    layout = ColumnLayout()
    rows = [{"kind_number": 1.0, "compared_at_most": float(n % 2), "age": n} for n in range(80)]
    vectors = [layout.vector(row) for row in rows]
    chooser = OperatorChooser(layout, 0)
    labels: list[Operator] = ["at_most" if n % 2 else "equal" for n in range(80)]
    chooser.fit(layout.table(vectors), labels)
    assert chooser.choose(layout.table(vectors[:2])) == ["equal", "at_most"]
    assert OperatorChooser(layout, 0).choose(layout.table(vectors[:1])) == ["equal"]
