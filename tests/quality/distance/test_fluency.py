"""Perplexity of users' turns under a model of real ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from dialoom.cli.app import app
from dialoom.dialogue import SYSTEM, USER, Dialogue, Utterance
from dialoom.models.ngram import NgramModel
from dialoom.quality.distance.fluency import compare, tokens

LEARNT = ("i need a boat", "i need a big boat", "we need two boats , please", "a boat , please")
WORDS = sorted({word for text in LEARNT for word in text.split()})


def model(*texts: str) -> NgramModel:
    ngrams = NgramModel()
    for text in texts:
        ngrams.learn(tokens(text))
    ngrams.freeze()
    return ngrams


def dialogue(*texts: str) -> Dialogue:
    turns = [Utterance(agent=(USER, SYSTEM)[n % 2], text=text) for n, text in enumerate(texts)]
    return Dialogue(id="1", events=tuple(turns))


@settings(max_examples=30)
@given(st.lists(st.sampled_from((*WORDS, "unheard")), max_size=6))
def test_what_may_follow_adds_up_to_one(context: list[str]) -> None:
    judge = model(*LEARNT, *LEARNT)
    following = judge.following(context)
    assert set(following) == {"", None, *WORDS}
    assert min(following.values()) > 0
    assert sum(following.values()) == pytest.approx(1)


def test_turns_like_those_learnt_are_less_surprising() -> None:
    judge = model(*LEARNT * 4)

    def surprise(text: str) -> float:
        bits, words, _ = judge.bits(tokens(text))
        return bits / words

    assert surprise("We need two boats, please") < surprise("Please boats need, two we")
    assert surprise("I need a boat") < surprise("Boat a need I")


def test_simulated_turns_are_compared_with_held_out_real_ones() -> None:
    real = [dialogue("I need a boat", "Unheard"), dialogue("I need a big boat")] * 10
    odd = [dialogue("Boat need, if you need a boat: big")]
    comparison = compare(lambda: odd, lambda: real)
    assert comparison["simulated"]["turns"] == 1
    assert comparison["real"]["turns"] == 10
    assert comparison["simulated"]["perplexity"] > comparison["real"]["perplexity"] > 1
    assert comparison["real"]["unknown"] == round(1 / 6, 4)
    low, high = comparison["ratio"]["interval"]
    assert 1 < low <= comparison["ratio"]["value"] <= high


def test_nothing_to_judge_has_no_perplexity() -> None:
    comparison = compare(list, lambda: [dialogue("Hello")])
    assert comparison["simulated"] == {"turns": 0, "words": 0, "unknown": None, "perplexity": None}
    assert comparison["ratio"]["value"] is None


def test_command_prints_both(tmp_path: Path) -> None:
    path = tmp_path / "made"
    runner = CliRunner()
    arguments = ["simulate", "--tasks", "weather", "-n", "8", "--out", str(path)]
    assert runner.invoke(app, arguments).exit_code == 0
    result = runner.invoke(app, ["distance", str(path), str(path)])
    assert result.exit_code == 0
    assert "perplexity" in result.output
    assert "5-gram-kneser-ney" in result.output
