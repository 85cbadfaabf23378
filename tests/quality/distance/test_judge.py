"""The judge of simulated and real turns, and the sample it judges."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable

import pytest

from dialoom.dialogue import SYSTEM, USER, Dialogue, Utterance
from dialoom.quality.distance import sample
from dialoom.quality.distance.comparing import compare_wording
from dialoom.quality.distance.judge import judge
from dialoom.quality.distance.report import marks, recognised, worded
from dialoom.quality.distance.sample import Spoken, draw, masked, resampled

PLAIN = ("i need a boat", "yes please", "a big boat for two", "no thanks", "that is all")
ODD = ("what i have in mind: boat", "exactly so", "boat for persons two", "by no means", "the end")


def spoken(wordings: tuple[str, ...], number: int, seed: int) -> Spoken:
    rng = random.Random(seed)
    return [
        [Utterance(agent=USER, text=rng.choice(wordings)) for _ in range(4)] for _ in range(number)
    ]


def dialogues(wordings: tuple[str, ...], number: int, seed: int = 1) -> list[Dialogue]:
    return [
        Dialogue(id=str(at), events=(*turns, Utterance(agent=SYSTEM, text="Fine.")))
        for at, turns in enumerate(spoken(wordings, number, seed))
    ]


def held(found: Iterable[Dialogue]) -> Callable[[], list[Dialogue]]:
    return lambda: list(found)


def test_turns_in_other_words_are_recognised() -> None:
    verdict = judge(spoken(PLAIN, 40, 1), spoken(ODD, 40, 2))
    assert verdict is not None
    assert verdict["turn"]["auroc"] == verdict["dialogue"]["auroc"] == 1
    assert verdict["turn"]["interval"] == (1, 1)
    assert "exactly" in verdict["words"]["simulated"]
    assert "yes" in verdict["words"]["real"]


def test_turns_of_one_source_are_not_distinguished() -> None:
    verdict = judge(spoken(PLAIN, 120, 1), spoken(PLAIN, 120, 2))
    assert verdict is not None
    for unit in ("turn", "dialogue"):
        low, high = verdict[unit]["interval"]
        assert low < 0.5 < high or abs(verdict[unit]["auroc"] - 0.5) < 0.1
        assert abs(verdict[unit]["within"] - 0.5) < 0.2
        assert low <= verdict[unit]["auroc"] <= high


@pytest.mark.parametrize("number", [0, 3])
def test_too_few_dialogues_are_not_judged(number: int) -> None:
    assert judge(spoken(PLAIN, 20, 1), spoken(ODD, number, 2)) is None


def test_turns_without_words_are_not_judged() -> None:
    assert judge(spoken((".",), 12, 1), spoken((".",), 12, 2)) is None


def test_the_judge_needs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    comparison = compare_wording(held(dialogues(ODD, 15)), held(dialogues(PLAIN, 15)), "en")
    assert "pip install 'dialoom[models]'" in comparison["judge_needs"]
    assert comparison["judge"] == {}
    assert worded(comparison).rows
    assert not recognised(comparison).rows


def test_names_and_numbers_are_masked() -> None:
    assert masked("We meet Anna Berg at 12:30, Tuesday") == "we meet name at 0:0, name"


def test_as_many_dialogues_of_both_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "MOST", 5)
    silent = Dialogue(id="x", events=(Utterance(agent=USER, text="  "),))
    one, other = [*dialogues(PLAIN, 8), silent], dialogues(ODD, 3)
    draws = draw((held(one), held(other)))
    assert [len(side) for side in draws[USER]] == [len(side) for side in draws[SYSTEM]] == [3, 3]
    assert all(turn.text in PLAIN for turns in draws[USER][0] for turn in turns)
    assert draws == draw((held(one), held(other)))


def test_scores_are_resampled_by_dialogue() -> None:
    values = resampled([(0, 1), (1, 1)], lambda sums: sums[0] / sums[1])
    assert set(values) == {0, 0.5, 1}


def test_both_sides_are_compared() -> None:
    comparison = compare_wording(held(dialogues(ODD, 15)), held(dialogues(PLAIN, 15)), "en")
    assert comparison["judge_needs"] is None
    assert comparison["judge"]["user"]["turn"]["auroc"] == 1
    assert comparison["judge"]["system"]["turn"]["auroc"] == 0.5
    assert len(recognised(comparison).rows) == 4
    assert len(marks(comparison).rows) == 4
    assert {row[0] for row in worded(comparison).rows} == {"user", "system"}


def test_nothing_is_compared_with_nothing() -> None:
    comparison = compare_wording(held([]), held(dialogues(PLAIN, 15)), "en")
    assert comparison["judge"] == comparison["wording"] == {}


@pytest.mark.corpus
def test_halves_of_star_are_not_distinguished_but_simulated_users_are(
    star_dialogues: list[Dialogue], simulated_star: list[Dialogue]
) -> None:
    comparison = compare_wording(held(simulated_star), held(star_dialogues), "en")
    for agent in (USER, SYSTEM):
        verdict = comparison["judge"][agent]["turn"]
        assert abs(verdict["within"] - 0.5) < 0.06
        assert verdict["auroc"] > verdict["within"] + 0.1
    first = comparison["wording"]["user"][0]
    assert first["simulated"]["value"] < first["real"]["value"]
