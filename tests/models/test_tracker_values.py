"""What the tracker learns of values from training's states, on dialogues written here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Layer,
    Part,
    State,
    Utterance,
)
from dialoom.learn.words import normal_text
from dialoom.models.tracker.features import FeatureSources, FrameFeatures
from dialoom.models.tracker.frame_rows import FrameRows, update_state
from dialoom.models.tracker.history import (
    DialogueHistory,
    Occurrence,
    ServiceHistory,
    ValueCandidate,
)
from dialoom.models.tracker.known_values import UNKNOWN, KnownStates, StateValues, known_values
from dialoom.models.tracker.pairs import Ranked
from dialoom.models.tracker.scorer_examples import ExampleMaker
from dialoom.models.tracker.scorers import Scorers
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.turns import Speech, TrackedTurn, turns
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service

NAMES = ("when", "where", "name")
FERRY = from_service(
    "Ferry",
    Service(
        description="Ferries",
        slots=tuple(ServiceSlot(name=name, description=f"{name} of the ferry") for name in NAMES),
        intents=(ServiceIntent(name="find", optional=dict.fromkeys(NAMES, "")),),
    ),
)

SAID = (
    ("when", "at 5:15 pm", "5:15 pm", "17:15"),
    ("when", "at 9:30 am", "9:30 am", "09:30"),
    ("where", "in the middle", "middle", "centre"),
    ("where", "in the North", "North", "north"),
    ("name", "on the Blue Gull", "the Blue Gull", "blue gull"),
    ("name", "on the Old Tern", "Old Tern", "old tern"),
)
"""Slot, utterance, what an act gives the slot, and the value of the state."""


def turn(text: str, slot: str, value: str, held: str, service: str = "Ferry") -> TrackedTurn:
    """Return the only turn of a dialogue, in which the user gives a slot a value."""
    act = Act("Inform", (Argument(slot, (value,)),))
    part = Part(service, acts=(act,), state=State(values={slot: (held,)}))
    (user_turn,) = turns((Utterance(agent=USER, text=text, layers=(Layer(GOLD, (part,)),)),))
    return user_turn


def learnt(said: Sequence[tuple[str, str, str, str]] = SAID, times: int = 12) -> KnownStates:
    """Return what dialogues of one turn show."""
    return known_values(
        ([turn(t, s, v, h)] for _ in range(times) for s, t, v, h in said), {"Ferry": FERRY}
    )


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        ("when", "a quarter past five", "17:15"),
        ("where", "middle", "centre"),
        ("where", "the North", "north"),
        ("name", "The Blue-Gull", "blue gull"),
        ("name", "Grey Heron", "grey heron"),
    ],
)
def test_a_text_is_spelled_as_states_do(slot: str, text: str, value: str) -> None:
    assert learnt()[0]["Ferry"][slot].spelled(text) == value


def test_few_values_that_nobody_says_are_listed_and_found_by_what_people_say() -> None:
    lexicon = learnt()
    assert lexicon[0]["Ferry"]["where"].listed == ("centre", "north")
    view = ServiceView(FERRY, "Ferry", values=lexicon[0]["Ferry"])
    assert view.slot("where").listed
    assert view.choices[view.phrases["middl"][0][1]][1] == "centre"
    assert view.slot("when").kind == "time"


def test_names_of_slots_without_lists_are_looked_for() -> None:
    samples = [*SAID, *(("name", f"on the {n} Gull", f"{n} Gull", f"{n} gull") for n in range(30))]
    lexicon = learnt(samples, 2)
    assert lexicon[0]["Ferry"]["name"].listed == ()
    assert {"old tern", "7 gull"} <= set(lexicon[1])


def test_nothing_is_learnt_where_states_copy_what_was_said() -> None:
    copied = [(slot, text, value, value) for slot, text, value, _ in SAID]
    assert list(learnt(copied)[0]["Ferry"].values()) == [UNKNOWN] * 3
    assert UNKNOWN.spelled("5:15 pm") == "5:15 pm"


def test_figures_of_times_are_kept_where_states_keep_them() -> None:
    samples = [("when", f"at {n}:15", f"{n}:15", f"0{n}:15") for n in (2, 5, 6)]
    when = learnt(samples)[0]["Ferry"]["when"]
    assert [when.spelled(text) for text in ("5:15", "5:15 pm")] == ["05:15", "17:15"]
    assert StateValues(timed=True).spelled("5:15") == "17:15"


def test_a_canonical_value_fills_as_many_slots_as_it_was_said_for() -> None:
    once = [Occurrence(0, True, Ranked([], []), Ranked([], []), frozenset())]
    none = np.zeros((0, 0), np.float32)
    lexicon = learnt()[0]["Ferry"]
    for places, values, filled in (
        (once, lexicon, ["when"]),
        (once * 2, {}, ["when"]),
        (once * 2, lexicon, ["when", "where"]),
    ):
        both = [ValueCandidate(slot, "3", "3", -1, places, "integer") for slot in ("when", "where")]
        state = ServiceHistory(ServiceView(FERRY, "Ferry", values=values), 0)
        frame = FrameRows(state, both, none, none, none)
        update_state(frame, np.array([0.9, 0.8], np.float32), 0, 0.5)
        assert list(state.values) == filled


def examples(read: TrackedTurn) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield scorer and services of the examples of a turn, from all that can be drawn."""
    views = {name: ServiceView(FERRY, name) for name in ("Ferry", "Tram")}
    for n in range(30):
        for each in ExampleMaker(views, Random(n), canonical=True).examples([[read]]):
            yield each.score, each.services


def test_a_service_that_nobody_speaks_of_gives_examples_of_intents_alone() -> None:
    act = Act("Inform", (Argument("name", ("Gull",)),))
    layer = Layer(GOLD, (Part("Ferry", acts=(act,)), Part("Tram", state=State())))
    (read,) = turns((Utterance(agent=USER, text="The Gull", layers=(layer,)),))
    of_tram = {score for score, services in examples(read) if services == ("Tram",)}
    assert of_tram == {"user_intent"}


def test_words_for_a_service_or_its_values_refer_to_it() -> None:
    view = ServiceView(FERRY, "Ferry")
    speech = Speech.of(Utterance(agent=USER, text="A cab from the ferry at the museum to it"))
    places = list(view.references(speech, ("museum", "dontcare")))
    assert [speech.says(place) for place in places] == ["ferry", "museum"]


def test_a_value_of_a_service_that_is_referred_to_has_the_scores_of_the_reference() -> None:
    views = {name: ServiceView(FERRY, name) for name in ("Ferry", "Tram")}
    layer = Layer(GOLD, tuple(map(Part, views)))
    texts = ("On the Blue Gull", "A tram from the ferry, please")
    history = DialogueHistory(Scorers(), views)
    for read in turns(Utterance(agent=USER, text=text, layers=(layer,)) for text in texts):
        history.read(read)
        history.services["Ferry"].values["name"] = "blue gull"
    tram, sources = (
        history.services["Tram"],
        FeatureSources(Scorers(), {}, frozenset(), False, True),
    )
    assert list(tram.references) == ["Ferry"]
    features = FrameFeatures(history, tram, sources)
    each = [
        ValueCandidate("name", value, normal_text(value), -1, [], "")
        for value in ("blue gull", "grey heron")
    ]
    rows = [next(features.rows(tram.view.slot("name"), [value])) for value in each]
    assert rows[0] != rows[1]
    assert history.refers("the ferry")
    assert not history.refers("blue gull")


def test_system_utterances_are_read_for_acceptance() -> None:
    offer = Layer(GOLD, (Part("Ferry", acts=(Act("Recommend", (Argument("name", ("Gull",)),)),)),))
    consent = Part("Ferry", acts=(), state=State(values={"name": ("gull",)}))
    events = (
        Utterance(agent=SYSTEM, text="How about the Gull?", layers=(offer,)),
        Utterance(agent=USER, text="Yes, please", layers=(Layer(GOLD, (consent,)),)),
    )
    (read,) = turns(events)
    examples = ExampleMaker(
        {"Ferry": ServiceView(FERRY, "Ferry")}, Random(0), canonical=True
    ).examples([[read]])
    accepted = [each.example[2] for each in examples if each.score == "user_accept"]
    assert accepted.count(True) == 1
