"""The challenge's baselines, checks and scores, and items made of histories."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.bench.dstc6.histories import CANDIDATES, Histories
from dialoom.bench.dstc6.items import Item, figures, item_of, load, plain, read_truth
from dialoom.bench.dstc6.rankings import by_tfidf, count, in_random_order, scores
from dialoom.bench.dstc6.validity import CODES, check
from dialoom.dialogue import Options
from dialoom.errors import FormatError, MissingDataError
from dialoom.formats.dstc6 import FORMAT
from dialoom.formats.dstc6.results import Ranking
from tests.formats.star_json import DATA
from tests.make import refuses

GOLDEN = DATA / "dstc6"
TRAINING = GOLDEN / "dialog-task3OPTIONS-kb1_atmosphere_restrictions-distr0.5-trn0002.json"
TEST = GOLDEN / "tst9" / "dialog-task2REFINE-kb1_atmosphere-distr0.5-tst0002.json"
ANSWERS = TEST.with_name(TEST.name.replace(".json", ".answers.json"))

ITEMS = [
    Item("1", ("a table in bergen",), (("x", "no idea"), ("y", "bergen it is")), "y"),
    Item("2", ("harstad please",), (("x", "harstad"), ("y", "bergen"), ("z", "oslo")), "z"),
]
KNOWN = {"1": frozenset("xy"), "2": frozenset("xyz")}


def ranked(dialogue: str, *names: str) -> dict[str, Any]:
    pairs = [{"candidate_id": name, "rank": rank} for rank, name in enumerate(names, start=1)]
    return {"dialog_id": dialogue, "lst_candidate_id": pairs}


def codes(raw: Any, known: dict[str, frozenset[str]] | None = None) -> list[str]:
    return [finding.code for finding in check(raw, "results.json", known)]


def test_the_truth_is_read_from_answers_and_from_dialogues() -> None:
    assert read_truth(ANSWERS) == {"a-1": "a04", "a-2": "b03"}
    assert read_truth(TEST) == read_truth(ANSWERS)
    assert read_truth(TRAINING) == {"t-0": "t0-00", "t-1": "t1-00"}


def test_dialogues_without_answers_are_no_truth(tmp_path: Path) -> None:
    file = tmp_path / TEST.name
    file.write_bytes(TEST.read_bytes())
    with refuses(MissingDataError, "no-file"):
        read_truth(file)


def test_answers_without_a_best_candidate_are_no_truth(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('[{"dialog_id": "1", "lst_candidate_id": []}]')
    with refuses(FormatError, "no-key", "1"):
        read_truth(file)


def test_missing_dialogues_are_wrong_and_others_are_ignored() -> None:
    rankings = [
        Ranking("1", (("x", 1), ("y", 2))),
        Ranking("9", (("z", 1),)),
    ]
    counts = count({"1": "y", "2": "z"}, rankings)
    figures = {score.name: score.value for score in scores(counts, {"seed": 7})}
    assert figures == {"p@1": 0.0, "p@2": 50.0, "p@5": 50.0}
    assert "|seed:7|" in str(scores(counts, {"seed": 7})[0].signature)


def test_of_several_rankings_and_of_several_candidates_of_a_rank_the_last_counts() -> None:
    rankings = [
        Ranking("1", (("y", 1),)),
        Ranking("1", (("y", 1), ("x", 1))),
    ]
    assert scores(count({"1": "x"}, rankings), {})[0].value == 100.0


entries = st.lists(
    st.builds(
        Ranking,
        st.sampled_from(["1", "2", "3", "9"]),
        st.lists(st.tuples(st.sampled_from("xyz"), st.integers(1, 7)), max_size=5).map(tuple),
    ),
    max_size=5,
)


@given(entries)
def test_scores_are_those_of_a_list_of_places_filled_in_turn(rankings: list[Ranking]) -> None:
    truth = {"1": "x", "2": "y", "3": "z"}
    places: dict[str, list[str | None]] = {}
    for ranking in rankings:
        places[ranking.dialogue] = [None] * 11
        for name, rank in ranking.candidates:
            places[ranking.dialogue][rank - 1] = name
    for score, k in zip(scores(count(truth, rankings), {}), (1, 2, 5), strict=True):
        hits = [right in places.get(name, [])[:k] for name, right in truth.items()]
        assert score.value == pytest.approx(100 * sum(hits) / 3)


def test_random_order_depends_on_the_seed_alone() -> None:
    many = [Item(str(n), (), (("x", "a"), ("y", "b"), ("z", "c")), None) for n in range(50)]
    first = list(in_random_order(many, 1))
    assert first == list(in_random_order(many, 1))
    assert first != list(in_random_order(many, 2))
    assert all({name for name, _ in ranking.candidates} == set("xyz") for ranking in first)
    assert all([rank for _, rank in ranking.candidates] == [1, 2, 3] for ranking in first)


def test_tfidf_puts_what_is_like_the_history_first() -> None:
    rankings = list(by_tfidf(ITEMS, "x"))
    assert [ranking.candidates[0][0] for ranking in rankings] == ["y", "x"]


def test_equal_likeness_keeps_the_order_of_the_file() -> None:
    one = Item("1", ("bergen",), tuple((name, "oslo") for name in "cab"), None)
    (ranking,) = by_tfidf([one], "x")
    assert [name for name, _ in ranking.candidates] == ["c", "a", "b"]


def test_an_item_may_have_no_candidates() -> None:
    (ranking,) = by_tfidf([Item("1", ("bergen",), (), None)], "x")
    assert ranking.candidates == ()


def test_histories_without_words_are_refused() -> None:
    with refuses(FormatError, "nothing-to-ask"):
        list(by_tfidf([Item("1", ("a", "!"), (), None)], "x.json"))


def test_a_whole_ranking_is_valid() -> None:
    assert codes([ranked("1", "x", "y"), ranked("2", "y", "x", "z")], KNOWN) == []


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ({}, "E001"),
        ([7], "E002"),
        ([{"dialog_id": 1}], "E002"),
        ([{"dialog_id": "1"}], "E003"),
        ([{"dialog_id": "1", "lst_candidate_id": [{}]}], "E004"),
        ([{"dialog_id": "1", "lst_candidate_id": [{"candidate_id": "x"}]}], "E005"),
        ([{"dialog_id": "1", "lst_candidate_id": [{"candidate_id": "x", "rank": 0}]}], "E005"),
        ([{"dialog_id": "1", "lst_candidate_id": [{"candidate_id": "x", "rank": True}]}], "E005"),
        ([ranked("1", "x"), ranked("1", "x")], "W003"),
        ([ranked("1", "x", "x")], "W004"),
    ],
)
def test_the_shape_is_checked_without_the_dialogues(raw: Any, code: str) -> None:
    assert codes(raw) == [code]


def test_ids_gaps_and_coverage_are_checked_with_them() -> None:
    raw = [ranked("1", "x", "q"), ranked("8", "x")]
    raw[1]["lst_candidate_id"] = [
        {"candidate_id": "x", "rank": 2},
        {"candidate_id": "y", "rank": "2"},
    ]
    assert codes(raw, KNOWN) == ["W002", "W007", "W001", "W005", "W006", "W008"]


def test_every_code_is_of_a_known_severity_and_found_by_a_test() -> None:
    assert {code[0] for code in CODES} == {"E", "W"}
    assert len(CODES) == 13


def test_a_file_for_readers() -> None:
    assert list(plain(ITEMS[0])) == [
        "dialog_id: 1",
        "Utterances:",
        " * a table in bergen",
        "Candidates:",
        " * x - no idea",
        " * y - bergen it is",
        "Answer:",
        " * y - bergen it is",
        "",
    ]
    assert list(plain(ITEMS[0]._replace(answer=None)))[-2] == "None"


def test_figures_count_everything() -> None:
    assert figures(ITEMS) == {
        "dialogues": 2,
        "utterances": 2,
        "utterances_distinct": 2,
        "utterances_per_dialogue": 1.0,
        "candidates": 5,
        "answers": 2,
        "vocabulary": 5,
        "vocabulary_without_stop_words": 3,
    }


# --- items of histories -------------------------------------------------------------------------


def of_histories(file: Path, **options: Any) -> list[Item]:
    histories = Histories(FORMAT.read_file(file, file.parent), options.pop("seed", 0))
    return [item_of(dialogue) for dialogue in histories.items(**options)]


def test_every_turn_of_the_bot_is_an_item() -> None:
    items = of_histories(TRAINING)
    replies = [dict(item.candidates)[item.answer or ""] for item in items]
    assert replies == [
        "what can i do",
        "let me see",
        "what can i do",
        "let me see",
        "api_call nordic bergen two cheap casual vegan",
        "how about blue_fjord",
    ]
    whole = {item.id: item.history for item in load(TRAINING)}
    for item in items:
        before = whole[item.id.rpartition("-")[0]]
        assert item.history == before[: len(item.history)]
        texts = [text for _, text in item.candidates]
        assert len(set(texts)) == len(texts)
    assert len({item.id for item in items}) == len(items)


def test_one_entity_is_changed() -> None:
    *_, offer = of_histories(TRAINING)
    texts = [text for _, text in offer.candidates]
    assert {"how about blue_fjord", "how about old_pier"} <= set(texts)


def test_only_the_last_turn_of_each() -> None:
    assert len(of_histories(TRAINING, last=True)) == 2


def test_items_depend_on_the_seed_and_can_be_written(tmp_path: Path) -> None:
    assert of_histories(TEST, seed=1) == of_histories(TEST, seed=1)
    assert of_histories(TEST, seed=1) != of_histories(TEST, seed=2)
    histories = Histories(FORMAT.read_file(TEST, TEST.parent), 0)
    file = tmp_path / "dialog-h.json"
    file.write_bytes(FORMAT.render_file(list(histories.items())))
    assert read_truth(file) == {item.id: item.answer for item in of_histories(TEST)}


@pytest.mark.corpus
def test_real_histories_have_whole_lists_and_chance_is_one_in_eleven(corpora: Path) -> None:
    file = next((corpora / "dstc6" / "tst1").glob("dialog-task3*.json"))
    histories = Histories(FORMAT.read_file(file, file.parent), 0)
    lengths: Counter[int] = Counter()
    questions = []
    for dialogue in histories.items():
        last = dialogue.events[-1]
        assert isinstance(last, Options)
        lengths[len(last.candidates)] += 1
        questions.append(item_of(dialogue))
    assert set(lengths) == {CANDIDATES}
    assert len(questions) == 4867
    truth = {item.id: item.answer or "" for item in questions}
    chance = scores(count(truth, in_random_order(questions, 0)), {})
    for score, k in zip(chance, (1, 2, 5), strict=True):
        assert abs(score.value - 100 * k / CANDIDATES) < 2
