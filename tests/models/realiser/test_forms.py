"""Acts as text: by name, by description, by template."""

from __future__ import annotations

import pytest

from dialoom.dialogue import Act, Argument, Dialogue, Question, Realise, ServiceAct
from dialoom.models import MODELS
from dialoom.models.realiser.forms import Form
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.task import TaskSchema

CAFES = TaskSchema(
    id="Cafes_1",
    source=Service(
        slots=(
            ServiceSlot(name="city", description="Where the cafe is"),
            ServiceSlot(name="has_music", categorical=True, possible_values=("True", "False")),
        ),
        intents=(ServiceIntent(name="BookTable", description="Book a table"),),
    ),
)
ACTS = (
    Act("OFFER", (Argument("city", ("Bonn",)),)),
    Act("OFFER", (Argument("has_music", ("True",)),)),
    Act("OFFER_INTENT", (Argument("intent", ("BookTable",)),)),
)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("naive", "OFFER(city=Bonn) OFFER(has_music=True) OFFER_INTENT(intent=BookTable)"),
        (
            "schema",
            "OFFER(Where the cafe is=Bonn) OFFER(has_music=True) "
            "OFFER_INTENT(Book a table=BookTable)",
        ),
        (
            "template",
            "I have this one: the city is Bonn and there is has music. "
            "Would you like me to book a table?",
        ),
    ],
)
def test_acts_in_each_form(form: Form, text: str) -> None:
    acts = tuple(ServiceAct(act, "Cafes_1") for act in ACTS)
    question = Question(Dialogue(id="1", events=()), 0, Realise(acts))
    model = MODELS.get("copy")(form=form)
    assert [p.answer for p in model.predict([question], {"Cafes_1": CAFES})] == [text]


def test_templates_say_acts_without_slots_and_of_no_known_name() -> None:
    acts = (Act("REQ_MORE"), Act("SHOUT", (Argument("word", ("hey",)),)))
    question = Question(
        Dialogue(id="1", events=()), 0, Realise(tuple(ServiceAct(act) for act in acts))
    )
    (prediction,) = MODELS.get("template")().predict([question], {})
    assert prediction.answer == "Is there anything else I can do? word hey"
