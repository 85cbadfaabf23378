"""State trackers without learning."""

from __future__ import annotations

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Layer,
    Part,
    Question,
    State,
    StateOf,
    Utterance,
)
from dialoom.models.rule_tracker import RuleTracker
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service

TABLES = from_service(
    "Tables_1",
    Service(
        description="Tables in restaurants",
        slots=(ServiceSlot(name="city"), ServiceSlot(name="date"), ServiceSlot(name="time")),
        intents=(
            ServiceIntent(name="FindTable", required=("city",), results=("city",)),
            ServiceIntent(
                name="BookTable", transactional=True, required=("city", "date", "time"), results=()
            ),
        ),
    ),
)


def said(agent: str, text: str, *acts: Act) -> Utterance:
    part = Part("Tables_1", acts=acts or None)
    return Utterance(agent=agent, text=text, layers=(Layer(GOLD, (part,)),))


def state(*events: Utterance) -> State:
    question = Question(Dialogue(id="0", events=events), len(events), StateOf(("Tables_1",)))
    (prediction,) = RuleTracker().predict([question], {"Tables_1": TABLES})
    return prediction.answer["Tables_1"]


def test_values_are_the_words_said_of_a_place_a_day_and_a_time() -> None:
    belief = state(
        said(USER, "Find me a table in Norwich."),
        said(SYSTEM, "When?", Act("REQUEST", (Argument("date"),))),
        said(USER, "Tomorrow at half past 7 in the evening."),
    )
    assert belief.intent == "FindTable"
    words = {name: values[0] for name, values in belief.values.items()}
    assert words == {"city": "Norwich", "date": "Tomorrow", "time": "half past 7 in the evening"}


def test_what_is_confirmed_counts_when_the_user_agrees() -> None:
    act = Act("CONFIRM", (Argument("city", ("Norwich",)), Argument("time", ("7 pm",))))
    intent = Act("OFFER_INTENT", (Argument("intent", ("BookTable",)),))
    opening = said(USER, "Find me a table."), said(SYSTEM, "In Norwich at 7 pm?", act, intent)
    assert state(*opening, said(USER, "No, thanks.")).values == {}
    agreed = state(*opening, said(USER, "Yes, please."))
    assert agreed.values == {"city": ("Norwich",), "time": ("7 pm",)}
    assert agreed.intent == "BookTable"
