"""The state tracker on services that are described in other words than those of training."""

from __future__ import annotations

from msgspec.structs import replace

from dialoom.dialogue import Question, StateOf
from dialoom.models.tracker import Tracker
from dialoom.models.tracker.known_values import SlotTypes, TypedSlot
from dialoom.models.tracker.matching import KnownServices
from dialoom.models.tracker.scorers import Scorers
from dialoom.models.tracker.service import ServiceView
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.variants import Names, Renaming, rename
from tests.models.tracker_sample import SERVICE, TRAINS, examples

RAIL = Service(
    description="Rail",
    slots=(
        ServiceSlot(name="town_to", description="The city where you go"),
        ServiceSlot(
            name="size_of_party", categorical=True, possible_values=("1", "2"), description="People"
        ),
        ServiceSlot(name="town_from", description="The city which you leave"),
    ),
    intents=(ServiceIntent(name="LookUpRail", required=("town_to", "town_from", "size_of_party")),),
)
"""The journeys' service in other words and another order."""

NAMES = {"origin": "town_from", "destination": "town_to", "seats": "size_of_party"}


def view(name: str, service: Service) -> ServiceView:
    """Return the view of a service that training does not know."""
    types = SlotTypes(
        TypedSlot("x", ServiceSlot(name=name), kind)
        for name, kind in (("city", "short text"), ("hour", "time"))
    )
    return ServiceView(from_service(name, service), name, has_names=False, types=types)


KNOWN = KnownServices({TRAINS: ServiceView(SERVICE, TRAINS)}, Scorers(), {})


def test_a_known_service_is_recognised_in_other_words() -> None:
    pairing = KNOWN.match(view("Rail_4", RAIL))
    assert pairing is not None
    assert {slot: twin.name for slot, twin in pairing.slots.items()} == {
        "town_to": "destination",
        "town_from": "origin",
    }
    assert list(pairing.intents) == ["LookUpRail"]


def test_slots_that_nothing_tells_apart_keep_their_own_words() -> None:
    names = ("alpha", "size_of_party", "beta")
    slots = tuple(
        replace(slot, name=name, description="City" if name != "size_of_party" else "")
        for slot, name in zip(RAIL.slots, names, strict=True)
    )
    intents = (ServiceIntent(name="LookUpRail", required=names),)
    pairing = KNOWN.match(view("Rail_4", Service(slots=slots, intents=intents)))
    assert pairing is not None
    assert pairing.slots == {}


def test_a_service_with_another_contract_is_not_recognised() -> None:
    fewer = replace(RAIL, slots=RAIL.slots[:2])
    (intent,) = RAIL.intents
    other = replace(RAIL, intents=(replace(intent, required=(), results=("town_to",)),))
    for service in (fewer, other):
        assert KNOWN.match(view("Rail_4", service)) is None


def test_a_tracker_answers_as_before_when_a_service_is_described_in_other_words() -> None:
    fitted = Tracker(members=1)
    fitted.fit(examples(range(60)), {TRAINS: SERVICE})
    renaming = Renaming({TRAINS: Names("Rail_4", NAMES, {"FindTrain": "LookUpRail"})})
    cases = examples(range(60, 66))
    before = fitted.predict([each.question for each in cases], {TRAINS: SERVICE})
    renamed = [
        Question(
            rename(each.question.dialogue, renaming), each.question.event, StateOf(("Rail_4",))
        )
        for each in cases
    ]
    after = fitted.predict(renamed, {"Rail_4": from_service("Rail_4", RAIL)})
    assert any(each.answer[TRAINS].values for each in before)
    for one, other in zip(before, after, strict=True):
        was, now = one.answer[TRAINS], other.answer["Rail_4"]
        assert now.intent == "LookUpRail"
        for slot in ("origin", "destination"):
            assert now.values.get(NAMES[slot]) == was.values.get(slot)


def test_the_type_of_a_slot_is_learnt_from_names_and_descriptions() -> None:
    taught = [
        TypedSlot("Trains_1", ServiceSlot(name=name, description=description), kind)
        for name, description, kind in (
            ("origin", "City where the trip starts", "short text"),
            ("destination", "City where the trip ends", "short text"),
            ("leaving_time", "When the trip starts", "time"),
            ("arrival_time", "Hour of the arrival", "time"),
        )
    ]
    slot = ServiceSlot(name="trip_start", description="The city that you leave")
    assert SlotTypes(taught)(slot, "time") == "short text"
    assert SlotTypes()(slot, "time") == "time"


def test_rules_that_agree_on_name_and_description_decide_the_type_of_a_slot() -> None:
    taught = [
        TypedSlot("Trains_1", ServiceSlot(name=name, description=description), kind)
        for name, description, kind in (
            ("travel_date", "Date of the journey", "date"),
            ("return_date", "Day to come back", "date"),
            ("origin", "City where the trip starts", "short text"),
        )
    ]
    slot = ServiceSlot(name="number_of_days", description="Number of days of the journey")
    assert SlotTypes(taught)(slot, "integer") == "integer"
