"""The learnt state tracker and its parts, on dialogues written here."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from dialoom.bench.tracked import LAYER, tracked
from dialoom.bench.visibility import words
from dialoom.corpus.processes import sharing
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Dialogue,
    Example,
    Layer,
    Part,
    Question,
    State,
    StateOf,
    Utterance,
)
from dialoom.learn.crf import TokenSpan, spans
from dialoom.learn.saved import TrainingRecord, save
from dialoom.learn.vectors import vectors
from dialoom.learn.words import codes, content, normal_text
from dialoom.models import load
from dialoom.models.tracker import Tracker
from dialoom.models.tracker.cross_fitting import locate
from dialoom.models.tracker.frame_rows import FrameRows, set_reference, update_state
from dialoom.models.tracker.history import (
    DialogueHistory,
    Occurrence,
    ServiceHistory,
    SlotElsewhere,
    ValueCandidate,
)
from dialoom.models.tracker.pairs import (
    CodedText,
    PairExample,
    PairScorer,
    Ranked,
    Targets,
    VectorScorer,
    pairs,
    rows_of_pairs,
)
from dialoom.models.tracker.scorers import Scorers, coded, stated_spans
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.spans import REPEATED, SpanTagger, capitalised
from dialoom.models.tracker.turns import RUN, Speech, turns
from dialoom.schema.services import from_service
from tests.models.tracker_sample import JOURNEYS, SERVICE, TRAINS, examples, journey, said


@pytest.fixture(scope="module")
def model() -> Tracker:
    """Return a tracker that learnt from journeys."""
    fitted = Tracker(members=1)
    fitted.fit(examples(range(60)), {"Trains_1": SERVICE})
    return fitted


def test_states_are_learnt_from_dialogues(model: Tracker) -> None:
    cases = examples(range(60, 72))
    answers = model.predict([each.question for each in cases], {"Trains_1": SERVICE})
    right = sum(
        each.answer["Trains_1"].values == answer.answer["Trains_1"].values
        for each, answer in zip(cases, answers, strict=True)
    )
    assert right >= len(cases) - 1  # all 24
    assert all(answer.answer["Trains_1"].intent == "FindTrain" for answer in answers)


def test_a_saved_tracker_answers_as_before(model: Tracker, tmp_path: Path) -> None:
    questions = [each.question for each in examples(range(60, 66))]
    save(model, tmp_path / "tracker.model", TrainingRecord(protocol="sgd-tracking"))
    read = load(tmp_path / "tracker.model", StateOf).model
    schemas = {"Trains_1": SERVICE}
    assert read.predict(questions, schemas) == model.predict(questions, schemas)


def test_any_number_of_processes_teaches_the_same(tmp_path: Path) -> None:
    names = (TRAINS, "Cabs_1", "Coaches_1", "Boats_1", "Trams_1")
    schemas = {name: from_service(name, JOURNEYS) for name in names}
    taught, file = examples(range(8), names), tmp_path / "tracker.model"
    saved = []
    for workers in (1, 2):
        fitted = Tracker(members=1)
        with sharing(workers):
            fitted.fit(taught, schemas)
        save(fitted, file, TrainingRecord())
        saved.append(file.read_bytes())
    assert saved[0] == saved[1]


def test_simulated_dialogues_weigh_less_next_to_real_ones(tmp_path: Path) -> None:
    def trees(simulated: float, first: int) -> bytes:
        taught = [
            Example(
                replace(
                    each.question, dialogue=replace(each.question.dialogue, provenance="simulated")
                )
                if int(each.question.dialogue.id) >= first
                else each.question,
                each.answer,
            )
            for each in examples(range(8))
        ]
        fitted = Tracker(members=1, simulated=simulated)
        fitted.fit(taught, {TRAINS: SERVICE})
        return pickle.dumps([member.trees for member in fitted._members])

    assert trees(0.1, first=4) != trees(1, first=4)
    assert trees(0.1, first=0) == trees(1, first=0)  # nothing else is there


def test_any_number_of_processes_tracks_the_same(
    model: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = [each.question for each in examples(range(60, 72))]
    schemas = {"Trains_1": SERVICE}
    monkeypatch.setattr("dialoom.models.tracker.model.CHUNK", 5)
    alone = model.predict(questions, schemas)
    with sharing(2):
        assert model.predict(questions, schemas) == alone
    assert any(state.values for each in alone for state in each.answer.values())


def last_states(dialogue: Dialogue) -> dict[str, State | None]:
    """Return the states of a dialogue's last utterance, by layer."""
    last = dialogue.events[-1]
    assert isinstance(last, Utterance)
    return {layer.source: layer.parts[0].state for layer in last.layers}


def test_states_are_written_as_a_layer_or_in_place(model: Tracker) -> None:
    dialogue, schemas = journey(64), {"Trains_1": SERVICE}
    own = last_states(dialogue)
    layered = last_states(tracked(dialogue, model, schemas, words))
    assert list(layered) == [GOLD, LAYER]
    assert layered[GOLD] == own[GOLD]
    replaced = tracked(dialogue, model, schemas, words, in_place=True)
    assert last_states(replaced) == {GOLD: layered[LAYER]}
    assert replaced.events[1] == dialogue.events[1]


def test_pairs_judge_a_description_that_was_not_learnt_from_by_its_words() -> None:
    scorer = PairScorer(rounds=20)
    leave, go = coded(["city", "leave"]), coded(["city", "arrive"])
    start, end = coded(["from"]), coded(["to"])
    table = [(leave, start, True), (leave, end, False), (go, start, False), (go, end, True)]
    scorer.fit([PairExample(*each) for each in table] * 25, seed=0)
    unseen = Targets.of([coded(["town", "leave"]), coded(["town", "arrive"])])
    leaves, arrives = scorer.score(unseen, start).tolist()
    assert leaves > arrives


def test_rows_of_many_pairs_are_those_of_each() -> None:
    draw = Random(0)
    ones, others = (
        [codes([draw.choice("abcdefg") for _ in range(draw.randint(1, 5))], m) for _ in range(1100)]
        for m in ("", "w")
    )
    rows, sizes = rows_of_pairs(ones, others)
    each = [pairs(one, other) for one, other in zip(ones, others, strict=True)]
    alone = [np.concatenate((pair.every.ravel(), pair.same)) for pair in each]
    assert rows.tolist() == np.concatenate(alone).tolist()
    assert sizes.tolist() == list(map(len, alone))


def test_a_description_is_heard_by_its_own_words_whatever_they_are() -> None:
    scorer = PairScorer(rounds=20)
    words_ = ["garden", "pool", "sauna", "bar", "gym", "piano"]
    table = [
        PairExample(coded([one]), coded([other], "w"), one == other)
        for one in words_
        for other in words_
    ]
    scorer.fit(table * 10, seed=0)
    unseen = Targets.of([coded(["lift"]), coded(["terrace"])])
    lift, terrace = scorer.score(unseen, coded(["terrace"], "w")).tolist()
    assert terrace > lift + 1


def meant(*texts: str) -> CodedText:
    """Return texts as their vectors alone."""
    return CodedText(codes([]), vectors(texts))


def test_vectors_judge_words_that_were_not_learnt_from_by_their_meaning() -> None:
    scorer = VectorScorer()
    cuisine, city = meant("cuisine of food"), meant("city of residence")
    foods, cities = ["pizza", "sushi", "curry", "noodles"], ["Paris", "Rome", "Berlin", "Madrid"]
    table = [(cuisine, food, True) for food in foods] + [(city, food, False) for food in foods]
    table += [(cuisine, each, False) for each in cities] + [(city, each, True) for each in cities]
    scorer.fit([PairExample(one, meant(word), fits) for one, word, fits in table], seed=0)
    both = Targets.of([cuisine, city])
    burger, london = (scorer.score(both, meant(word)).tolist() for word in ("burger", "London"))
    assert burger[0] > burger[1]
    assert london[1] > london[0]


def test_without_examples_of_both_labels_vectors_say_no() -> None:
    scorer = VectorScorer()
    scorer.fit([PairExample(meant("name"), meant("Ann"), True)] * 3, seed=0)
    assert scorer.score(Targets.of([meant("name"), meant("age")]), meant("Bob")).tolist() == [
        -5,
        -5,
    ]


def test_runs_of_words_have_a_vector_each() -> None:
    speech = Speech.of(Utterance(agent=USER, text="A cheap room, please."))
    runs = speech.runs()
    assert np.array_equal(runs[1], vectors(["a cheap"])[0])
    assert len(runs) == sum(min(RUN, len(speech.words) - n) for n in range(len(speech.words)))


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        (
            "A room at The Old Mill in York, please.",
            ["The Old Mill", "York", "The Old Mill in York"],
        ),
        ("Old Mill sounds good.", ["Old Mill", "Mill"]),
        ("Yes. I do, as I'd say.", []),
        ("anything there", []),
    ],
)
def test_runs_of_capitalised_words_may_be_values(text: str, runs: list[str]) -> None:
    speech = Speech.of(Utterance(agent=USER, text=text))
    assert [speech.says(place) for place in capitalised(speech)] == runs


def test_what_was_said_before_is_found_again() -> None:
    events = (
        Utterance(agent=SYSTEM, text="What about Old Mill or Dumbo?"),
        Utterance(agent=USER, text="dumbo would be great"),
    )
    dialogue = list(turns(events))
    locate(dialogue, {}, SpanTagger())
    speech = dialogue[0].user
    assert [(speech.says(place), place.finders) for place in speech.places] == [
        ("dumbo", 1 << REPEATED)
    ]


def test_acts_tell_where_their_values_stand_and_of_which_kind() -> None:
    utterance = said(SYSTEM, "From Bath to Hull?", {"origin": "Bath", "seats": "2"})
    speech, view = Speech.of(utterance), ServiceView(SERVICE, "Trains_1")
    (place,) = stated_spans({"Trains_1": view}, speech)
    assert (speech.says(place), place.kind) == ("Bath", view.slot("origin").kind)
    assert list(stated_spans({}, speech)) == []


def test_what_the_system_told_of_one_service_is_known_to_another() -> None:
    views = {name: ServiceView(SERVICE, name) for name in ("Trains_1", "Cabs_1")}
    both = Layer(GOLD, tuple(map(Part, views)))
    events = (
        said(SYSTEM, "It ends in Hull.", {"destination": "Hull"}),
        Utterance(agent=USER, text="A cab there, please.", layers=(both,)),
    )
    history = DialogueHistory(Scorers(), views)
    for turn in turns(events):
        history.read(turn)
    mentions = dict(history.elsewhere(history.services["Cabs_1"], acts=True))
    assert mentions == {"hull": SlotElsewhere(history.services["Trains_1"], "destination", 0, True)}
    assert dict(history.elsewhere(history.services["Trains_1"], acts=True)) == {}


@pytest.mark.parametrize(
    ("chances", "values"),
    [
        ([0.5, 0.0, 0.0, 0.0], {"origin": "Old Mill"}),
        ([0.3, 0.0, 0.0, 0.0], {}),
        ([0.3, 0.2, 0.0, 0.0], {"origin": "Old Mill"}),
        ([0.3, 0.0, 0.2, 0.0], {"origin": "Old Mill"}),
        ([0.9, 0.0, 0.8, 0.0], {"origin": "Old Mill"}),
        ([0.9, 0.0, 0.8, 0.5], {"origin": "Old Mill", "destination": "Mill"}),
        ([0.09, 0.09, 0.0, 0.0], {}),
    ],
)
def test_a_slot_changes_where_its_candidates_or_a_value_s_slots_are_likely_enough(
    chances: list[float], values: dict[str, str]
) -> None:
    places = [Occurrence(0, True, Ranked([], []), Ranked([], []), frozenset())]
    both = [
        ValueCandidate(slot, value, normal_text(value), -1, places, "short text")
        for slot in ("origin", "destination")
        for value in ("Old Mill", "Mill")
    ]
    state = ServiceHistory(ServiceView(SERVICE, "Trains_1"), 0)
    none = np.zeros((0, 0), np.float32)
    update_state(FrameRows(state, both, none, none, none), np.array(chances, np.float32), 0, 0.4)
    assert state.values == values


def test_a_value_fills_one_slot_of_listed_and_free_ones() -> None:
    places = [Occurrence(0, True, Ranked([], []), Ranked([], []), frozenset())]
    both = [
        ValueCandidate(slot, value, "bath", -1, places, kind)
        for slot, value, kind in (("origin", "Bath", "category"), ("destination", "bath", "text"))
    ]
    state = ServiceHistory(ServiceView(SERVICE, "Trains_1"), 0)
    none = np.zeros((0, 0), np.float32)
    update_state(FrameRows(state, both, none, none, none), np.array([0.9, 0.8], np.float32), 0, 0.4)
    assert state.values == {"origin": "Bath"}


def test_an_annotated_slot_that_the_schema_lacks_is_passed_over() -> None:
    state = ServiceHistory(ServiceView(SERVICE, "Trains_1"), 0)
    set_reference(state, State(values={"origin": ("Bath",), "platform": ("2",)}, intent="Go"), 3)
    assert (state.values, state.filled, state.intent) == ({"origin": "Bath"}, {"origin": 3}, "Go")


def test_a_service_can_be_described_in_other_words() -> None:
    own, other = (ServiceView(SERVICE, "Trains_1", draw=draw) for draw in (None, Random(1)))
    assert [slot.name for slot in own.slots] == [slot.name for slot in other.slots]
    assert [slot.stems for slot in own.slots] != [slot.stems for slot in other.slots]


def test_a_service_that_was_not_learnt_from_has_no_words_of_its_own() -> None:
    own, other = (ServiceView(SERVICE, "Trains_1", has_names=has) for has in (True, False))
    assert other.slot_targets.lengths.tolist() == [n - 1 for n in own.slot_targets.lengths]
    assert other.intent_targets.lengths.tolist() == [n - 1 for n in own.intent_targets.lengths]


def test_labels_of_words_are_read_as_places() -> None:
    labels = ["O", "B-date", "I-date", "B-time", "O", "I-time"]
    assert spans(labels) == [
        TokenSpan(1, 3, "date"),
        TokenSpan(3, 4, "time"),
        TokenSpan(5, 6, "time"),
    ]


def test_words_are_compared_without_endings_and_numbers_in_digits() -> None:
    assert content("leaving_date", "Date of the departure") == ["leav", "dat", "depart"]
    assert normal_text("Two Tickets") == normal_text("2 ticket")


def test_the_dialogues_of_a_sample_are_the_ones_that_are_named() -> None:
    examples: list[Example[StateOf, dict[str, State]]] = [
        Example(Question(Dialogue(id=str(n), events=()), 0, StateOf(())), {}) for n in range(9)
    ]
    assert Tracker(dialogues=20).learnt_from(examples) == frozenset(map(str, range(9)))
    sample = Tracker(dialogues=4, seed=3).learnt_from(examples)
    assert len(sample) == 4
    assert sample == Tracker(dialogues=4, seed=3).learnt_from(examples)
