"""Counts over a corpus, on the golden files by hand and on the real one by the facts of STAR."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import Completion, Dialogue, Utterance
from dialoom.quality.stats import Statistics
from tests.formats.star_json import DATA


def count(path: Path) -> dict[str, Any]:
    corpus = formats.load(path)
    return Statistics(formats.get(corpus.format).event_name).add_all(corpus.dialogues()).result()


def test_the_golden_corpus() -> None:
    counts = count(DATA / "star")
    assert {name: counts[name] for name in ("dialogues", "complete", "events", "turns")} == {
        "dialogues": 3,
        "complete": 2,
        "events": 35,
        "turns": 17,
    }
    assert counts["difficulty_of_complete"] == {"happy": 1, "multi-task": 1}
    assert counts["outcomes"] == {"Complete": 2, "EarlyDisconnectDuringDialogue": 1}
    assert counts["constraint_operators"]["equal"] == 4
    assert counts["constraint_operators"]["one_of"] == 1
    assert counts["constraint_operators"]["unread"] == 1
    assert counts["queries_that_repeat_a_parameter"] == 1
    assert counts["queries_without_a_constraint"] == 1
    assert counts["longest_query"] == 5
    assert counts["options_lists_that_offer_only_custom"] == 1
    assert counts["results_with_an_item"] == 3
    assert counts["custom_system_utterances"] == 2
    assert counts["with_secondary_item"]["Wizard pick_suggestion"] == 1
    assert counts["flags"] == {"IntroducesConflicts": 1}
    assert counts["domains"] == {"boat": 3, "(none)": 1}


def test_words_and_tokens() -> None:
    statistics = Statistics(lambda event: event.agent)
    text = "Don't! It’s 5 o'clock, don't you know?"
    statistics.add(Dialogue(id="1", events=(Utterance(agent="user", text=text),)))
    result = statistics.result()
    assert result["tokens_white_space_per_utterance"] == 7
    assert result["tokens_punctuation_split_per_utterance"] == 10
    assert result["user_vocabulary"] == len({"don't", "it’s", "o'clock", "you", "know"})


@pytest.mark.parametrize(("provenance", "complete"), [("simulated", 1), ("imported", 2)])
def test_a_played_dialogue_is_complete_where_somebody_ended_it(
    provenance: Any, complete: int
) -> None:
    statistics = Statistics(lambda event: event.agent)
    utterance = Utterance(agent="user", text="Hello")
    for events in ((utterance, Completion(agent="user")), (utterance,)):
        played = Dialogue(id="1", events=events, outcome="missed", provenance=provenance)
        statistics.add(played)
    result = statistics.result()
    assert (result["complete"], result["turns"]) == (complete, complete)


def test_an_empty_corpus_has_no_ratios() -> None:
    result = Statistics(lambda event: event.agent).result()
    assert result["dialogues"] == 0
    assert result["turns_per_complete_dialogue"] is None


@pytest.mark.corpus
def test_the_real_corpus_holds_what_the_facts_say(star: Path, star_counts: dict[str, Any]) -> None:
    counts = star_counts
    kinds = counts["events_by_kind"]
    assert counts["dialogues"] == len(list((star / "dialogues").glob("*.json")))
    assert kinds["Wizard query"] == kinds["KnowledgeBase return_item"]
    assert sum(kinds.values()) == counts["events"]
    assert sum(counts["difficulty_of_complete"].values()) == counts["complete"]
    assert counts["longest_query"] <= 11
    assert counts["distinct_action_labels"] <= 166  # 163 and the three kinds of query
    assert 20 < counts["turns_per_complete_dialogue"] < 23
