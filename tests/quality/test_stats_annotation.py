"""Statistics of annotation: generation items, frames, spans, distributions, people."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given

from dialoom import formats
from dialoom.dialogue import (
    GOLD,
    Act,
    Answer,
    Dialogue,
    Event,
    Layer,
    Part,
    Query,
    Span,
    State,
    Utterance,
)
from dialoom.quality.stats import Statistics
from dialoom.quality.stats.analysis import spread
from dialoom.quality.stats.annotation import GEM_NUMBERS, GEM_TYPES
from dialoom.quality.stats.distributions import skew
from dialoom.quality.stats.overview import Distinct
from dialoom.schema.labels import read
from dialoom.schema.service import Service, ServiceSlot
from dialoom.schema.service_words import domain_of
from dialoom.schema.services import from_service
from tests.quality.boats import boat_hire, count
from tests.quality.published_samples import frames, sgd, taskmaster1
from tests.strategies import dialogues, sampled


def said(*acts: str, agent: str = "system", service: str | None = None) -> Event:
    part = Part(service=service, acts=tuple(map(Act, acts)))
    return Utterance(agent=agent, text="…", layers=(Layer(GOLD, (part,)),))


# Generation items


def test_an_item_is_a_system_utterance_with_acts_and_has_the_type_of_its_first() -> None:
    events = (
        said("INFORM", agent="user"),
        said("OFFER", "OFFER", "INFORM_COUNT"),
        said(),
        said("REQUEST"),
        said("OFFER", "INFORM_COUNT"),
        said("GOODBYE"),
    )
    tally = count(Dialogue(id="1", events=events), format="sgd")["generation_items"]
    assert tally["items"] == 4
    numbers = {n: cell["items"] for n, cell in tally["by_number_of_acts"].items() if cell["items"]}
    assert numbers == {"1": 2, "2": 1, "3": 1}
    first, last = tally["by_type_of_first_act"], tally["by_type_of_last_act"]
    assert (first["OFFER"]["items"], first["INFORM_COUNT"]["items"]) == (2, 0)
    assert (last["OFFER"]["items"], last["INFORM_COUNT"]["items"]) == (0, 2)
    assert first["OFFER"]["number"] == 11
    assert first["INFORM_COUNT"]["items_with_it_anywhere"] == 2
    assert tally["by_number_of_acts"]["7"]["card_share"] == 0.0046
    assert 0 < tally["distance"]["by_type_of_last_act"] < 1


def test_the_cards_tables_add_up() -> None:
    assert sum(GEM_NUMBERS.values()) == sum(GEM_TYPES.values()) == 10_000


def test_acts_of_others_make_no_generation_items() -> None:
    assert "generation_items" not in count(Dialogue(id="1", events=(said("ask_name"),)))


# Frames


def test_frames_and_changes_as_the_page_counts_them() -> None:
    dialogue = frames()
    result = count(dialogue, format="frames")
    figures = result["frames"]
    assert (figures["turns"], figures["frames"]["max"], figures["frames"]["mean"]) == (8, 4, 4)
    assert figures["frame_changes"]["max"] == 2  # to frame 2, then to frame 3
    assert figures["acts_with_a_reference"] == 7
    assert (figures["rating"], figures["participants"]) == (4.5, 2)
    assert figures["published"]["frame_changes"] == {"mean": 3.58, "max": 16}
    assert figures["published"]["comparable"] is False
    assert "published" not in count(dialogue)["frames"]  # nothing says whose frames these are
    people = result["people"]
    assert people["participants"] == 2
    assert people["answers"][0]["mean"] == 4.5
    assert people["answers"][1]["share_of_yes"] == 1
    assert result["table_1"]["published"]["turns"] == 19_986


def test_a_corpus_without_frames_has_no_such_table() -> None:
    assert "frames" not in count(sgd())


# Spans


def test_spans_labels_and_missing_arguments() -> None:
    figures = count(
        *taskmaster1(), schemas=boat_hire()
    )["spans"]  # fmt: skip
    assert figures["annotated_dialogues"] == 2
    assert figures["annotated_utterances"] < figures["utterances"]
    assert figures["spans_with_several_labels"] >= 1
    assert figures["spans_that_overlap_another"] >= 3
    assert sum(figures["by_label"].values()) == figures["labels"]
    row = figures["required_arguments"]["boat_hire"]
    assert row["missing"]["colour.sail"] == row["dialogues"]
    assert row["missing"]["num.people"] < row["dialogues"]


def labelled(*labels: str) -> Dialogue:
    spans = tuple(Span(0, 1, (label,)) for label in labels)
    layer = Layer(GOLD, (Part(spans=spans),))
    return Dialogue(id="1", events=(Utterance(agent="user", text="abc", layers=(layer,)),))


def test_labels_without_the_vertical_count_for_the_others_of_the_dialogue() -> None:
    figures = count(labelled("boat_hire.accept", "num.people.reject"), schemas=boat_hire())["spans"]
    row = figures["required_arguments"]["boat_hire"]
    assert row == {
        "dialogues": 1,
        "without_any": 0,
        "missing": {"num.people": 0, "name.boat": 1, "colour.sail": 1},
    }
    assert (figures["accepted"], figures["rejected"]) == (1, 1)
    none = count(labelled("boat_hire.accept"), schemas=boat_hire())["spans"]
    assert none["required_arguments"]["boat_hire"]["without_any"] == 1
    alone = count(labelled("num.people"), schemas=boat_hire())["spans"]
    assert alone["required_arguments"] == {}


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("boat_hire.num.people.accept", ("boat_hire", "num.people")),
        ("boat_hire.reject", ("boat_hire", "")),
        ("type.topping.reject", (None, "type.topping")),
        ("accept", (None, "accept")),
        ("", (None, "")),
    ],
)
def test_what_a_label_names(label: str, expected: tuple[str | None, str]) -> None:
    assert read(label, {"boat_hire"})[:2] == expected


# Distributions and table 1


def test_services_domains_intents_and_acts() -> None:
    result = count(sgd(), format="sgd")
    figures = result["distributions"]
    assert figures["services"] == {"Plays_1": 1, "Taxis_2": 1}
    assert figures["domains"] == {"Plays": 1, "Taxis": 1}
    assert figures["services_per_dialogue"] == {"2": 1}
    assert set(figures["intents"]) >= {"Taxis_2.OrderTaxi"}
    assert figures["acts"]["system"]["REQUEST"] >= 1
    assert figures["arguments_with_another_canonical_value"] >= 1
    assert any(slot.startswith("Plays_1.") for slot in figures["slots"]["queries"])
    column = result["table_1"]
    assert (column["domains"], column["tasks"]) == (2, 2)
    assert column["published"]["comparable"] is False


def test_a_services_own_slots_count_where_it_lists_them() -> None:
    state = State(intent="Go", values={"city": ("Ostby", "ostby"), "intent": ("Go",)})
    layer = Layer(GOLD, (Part(service="Trips_1", state=state),))
    dialogue = Dialogue(
        id="1",
        services=("Trips_1",),
        events=(
            Utterance(agent="user", text="To Ostby!", layers=(layer,)),
            Query(id="1", api="Go", service="Trips_1"),
        ),
    )
    service = Service(slots=(ServiceSlot(name="city"), ServiceSlot(name="day")))
    schemas = {"Trips_1": from_service("Trips_1", service)}
    column = count(dialogue, schemas=schemas)["table_1"]
    assert (column["slots"], column["values"], column["slots_in_schemas"]) == (1, 2, 2)
    assert (column["utterances"], column["queries"], column["turns"]) == (1, 1, 2)
    assert column["unique_tokens"] == 3
    assert count(dialogue)["table_1"]["slots"] == 2


def test_turns_of_a_speaker_are_runs_of_utterances() -> None:
    events = tuple(Utterance(agent=agent, text=".") for agent in ("user", "user", "system", "user"))
    column = count(Dialogue(id="1", events=events), format="frames-text")["table_1"]
    assert (column["utterances"], column["speaker_turns"]) == (4, 3)
    assert column["published"]["turns_are"] == "speaker_turns"


def test_how_uneven_counts_are() -> None:
    assert skew({"a": 5, "b": 5}) == {
        "n": 2,
        "largest": 5,
        "smallest": 5,
        "largest_to_smallest": 1,
        "evenness": 1,
        "half_in": 1,
    }
    assert skew({"a": 98, "b": 1, "c": 1})["evenness"] < 0.2
    assert skew({"a": 3})["evenness"] is None
    assert skew({}) == {"n": 0}


def test_a_domain_is_a_service_without_its_number() -> None:
    assert [domain_of(name) for name in ("Flights_2", "RentalCars_10", "hotel_book", "_1")] == [
        "Flights",
        "RentalCars",
        "hotel_book",
        "_1",
    ]


def test_what_a_histogram_is_like() -> None:
    assert spread(Counter([1, 2, 2, 3, 12])) == {
        "n": 5,
        "mean": 4,
        "min": 1,
        "quartiles": [2, 2, 3],
        "max": 12,
    }
    assert spread(Counter()) == {"n": 0}


def test_more_than_can_be_distinguished_is_no_figure() -> None:
    distinct = Distinct(most=2)
    distinct.add(["a", "b", "a"])
    assert distinct.count == 2
    distinct.add(["c"])
    assert distinct.count is None


# People


def test_answers_that_are_no_ratings_are_only_counted() -> None:
    answers = (
        Answer("user", "how was it", 4),
        Answer("user", "how was it", 10**300),
        Answer("user", "how was it", "fine"),
        Answer("user", "how was it", None),
        Answer("system", "done?", False),
    )
    figures = count(Dialogue(id="1", events=(), answers=answers))["people"]
    assert figures["answers"][0] == {
        "agent": "user",
        "question": "how was it",
        "mean": 4,
        "answers": {"4": 1, "words": 2, "none": 1},
    }
    assert figures["answers"][1]["share_of_yes"] == 0


@sampled
@given(found=dialogues())
def test_any_dialogue_can_be_counted(found: Dialogue) -> None:
    result = count(found, found, schemas=boat_hire())
    assert result["dialogues"] == 2
    msgspec.json.encode(result)


# Real corpora


@pytest.mark.corpus
def test_the_shared_part_of_sgd(corpora: Path) -> None:
    corpus = formats.load(corpora / "sgd" / "dev", "sgd")
    statistics = Statistics(formats.get("sgd").event_name, corpus.schemas, "sgd")
    figures = statistics.add_all(corpus.dialogues()).result()
    items = figures["generation_items"]
    assert items["items"] * 2 == figures["utterances"]
    assert items["distance"]["by_type_of_last_act"] < items["distance"]["by_type_of_first_act"]
    assert figures["table_1"]["slots"] <= figures["table_1"]["slots_in_schemas"]
