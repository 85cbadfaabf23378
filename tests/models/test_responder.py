"""The responder: next actions' templates, filled with what is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dialoom.dialogue import (
    SYSTEM,
    Dialogue,
    Example,
    NextReply,
    Query,
    Question,
    Result,
    Utterance,
)
from dialoom.errors import UsageError
from dialoom.flow.action_view import view_actions
from dialoom.models.responder import KnownValues, Responder, Source, TemplateFiller
from dialoom.models.responder import picked as picked_as
from dialoom.schema.task import TaskSchema
from tests.make import refuses
from tests.models.tiny import (
    SCHEMAS,
    STEPS,
    picked,
    query,
    result,
    system,
    user,
    visit,
    visits,
    way,
)
from tests.schema.tiny import VISIT, WAY

PROGRAM = view_actions(VISIT)
ROOM = view_actions(WAY)


def replies(dialogues: list[Dialogue]) -> Iterator[Example[NextReply, str]]:
    for dialogue in dialogues:
        for place, event in enumerate(dialogue.events):
            if isinstance(event, Utterance) and event.agent == SYSTEM:
                question = Question(dialogue, place, NextReply(dialogue.services[0]))
                yield Example(question, event.text)


def at(dialogue: Dialogue, event: int) -> KnownValues:
    return KnownValues(dialogue.events[:event], SCHEMAS[dialogue.services[0]])


def offered(garden: str, **item: str) -> Dialogue:
    """Return a dialogue in which a garden is offered after a result."""
    events = (
        user("At noon?"),
        query("Check", Hour="12 pm"),
        result(**item),
        picked("offer", garden=garden, time=item["Time"]),
    )
    return Dialogue(id="1", events=events, services=("garden_visit",))


def test_what_is_known_comes_from_results_calls_and_the_user() -> None:
    events = visit(2, "Ada", "7 pm", 4).events
    values = KnownValues(events, VISIT)
    assert values.found[Source("item", "Message")] == "Booked."
    assert values.found[Source("earlier", "Time")] == "7 pm"
    assert values.found[Source("query", "PartySize")] == 4
    assert values.item == {"APIName": "garden_visit", "Message": "Booked."}
    assert values.state[Source("state", "GuestName")] == "Ada"


def test_the_last_result_is_that_of_the_tasks_own_calls_where_there_is_one() -> None:
    other = Query(id="w", api="way_out"), Result(query="w", items=({"Steps": 2},))
    own = query("Check", Hour="7 pm"), result(Time="7 pm")
    assert KnownValues(other, VISIT).item == {"Steps": 2}
    values = KnownValues((*own, system(None, "Free."), *other, system(None, "Left.")), VISIT)
    assert values.item == {"Time": "7 pm"} and values.said == ["Free.", "Left."]
    assert values.found[Source("earlier", "Steps")] == 2


def test_a_placeholder_is_filled_by_its_name_from_the_last_result() -> None:
    item = {"APIName": "garden_visit", "GardenName": "Rose Garden", "Time": "7 pm"}
    values = KnownValues(offered("It", **item).events[:3], VISIT)
    filled = TemplateFiller().fill(PROGRAM, "offer", values)
    assert filled.text == "Rose Garden is open at 7 pm. Shall I put you down?"
    assert filled.missing == 0


def test_what_nothing_gives_is_left_out_and_counted() -> None:
    filled = TemplateFiller().fill(PROGRAM, "offer", KnownValues((), VISIT))
    assert (filled.text, filled.missing) == (" is open at . Shall I put you down?", 2)


def test_training_tells_sources_and_spellings() -> None:
    filler = TemplateFiller()
    for key, name in [("g1", "The Oaks"), ("g2", "The Elms")] * 3:
        dialogue = offered(name, Key=key, Time="noon", Other="x")
        (example,) = replies([dialogue])
        filler.learn(PROGRAM, "offer", at(dialogue, 3), example.answer)
    values = at(offered("", Key="g2", Time="3 pm", Garden="Other"), 3)
    filled = filler.fill(PROGRAM, "offer", values)
    assert filled.text == "The Elms is open at 3 pm. Shall I put you down?"


def test_training_tells_what_a_template_without_places_really_says() -> None:
    filler = TemplateFiller()
    for text in ("Who is it?", "Who is it?", "Under which name, please?"):
        filler.learn(PROGRAM, "ask_guest", KnownValues((), VISIT), text)
    assert filler.fill(PROGRAM, "ask_guest", KnownValues((), VISIT)).text == "Who is it?"


@pytest.mark.parametrize("told", [0, 1, 2])
def test_a_list_is_read_out_element_by_element(told: int) -> None:
    events = way(1, "Go on", "Go on").events[: 5 + 2 * told]
    filled = TemplateFiller().fill(ROOM, "tell_step", KnownValues(events, WAY))
    assert filled.text == f"{STEPS[told]} Do you need more about this?"


@pytest.fixture(scope="module")
def learnt() -> Responder:
    model = Responder(members=1)
    model.fit(list(replies(visits())), SCHEMAS)
    return model


def test_it_answers_with_what_was_said(learnt: Responder) -> None:
    examples = list(replies([visit(9, "Ida", "9 am", 3)]))
    answers = learnt.predict([example.question for example in examples], SCHEMAS)
    right = [a.answer == e.answer for a, e in zip(answers, examples, strict=True)]
    assert sum(right) >= len(examples) - 1  # all 7
    assert all(len(answer.ranking) <= learnt.templates for answer in answers)
    offer = next(a.answer for a, e in zip(answers, examples, strict=True) if "open at" in e.answer)
    assert offer == "It is open at 9 am. Shall I put you down?"


def test_a_label_that_the_schema_lacks_is_read_off_the_text() -> None:
    def labelled(name: str | None) -> Dialogue:
        events = (user("Hi"), system(name, "Under which name, please?"))
        return Dialogue(id="1", events=events, services=("garden_visit",))

    (unknown,) = replies([labelled("ask_the_name")])
    (none,) = replies([labelled(None)])
    assert picked_as(unknown, PROGRAM) == picked_as(none, PROGRAM) == "ask_guest"


def test_it_must_be_fitted_on_something(learnt: Responder) -> None:
    schemas: dict[str, TaskSchema] = dict(SCHEMAS)
    (first, *_) = replies(visits())
    with refuses(UsageError, "nothing-to-learn"):
        Responder().fit([], schemas)
    with refuses(UsageError, "not-fitted"):
        Responder().predict([first.question], schemas)
