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
    found = judge(spoken(PLAIN, 40, 1), spoken(ODD, 40, 2))
    assert found is not None
    assert found["turn"]["auroc"] == found["dialogue"]["auroc"] == 1
    assert found["turn"]["interval"] == (1, 1)
    assert "exactly" in found["words"]["simulated"]
    assert "yes" in found["words"]["real"]


def test_turns_of_one_source_are_not_distinguished() -> None:
    found = judge(spoken(PLAIN, 120, 1), spoken(PLAIN, 120, 2))
    assert found is not None
    for unit in ("turn", "dialogue"):
        low, high = found[unit]["interval"]
        assert low < 0.5 < high or abs(found[unit]["auroc"] - 0.5) < 0.1
        assert abs(found[unit]["within"] - 0.5) < 0.2
        assert low <= found[unit]["auroc"] <= high


@pytest.mark.parametrize("number", [0, 3])
def test_too_few_dialogues_are_not_judged(number: int) -> None:
    assert judge(spoken(PLAIN, 20, 1), spoken(ODD, number, 2)) is None


def test_turns_without_words_are_not_judged() -> None:
    assert judge(spoken((".",), 12, 1), spoken((".",), 12, 2)) is None


def test_the_judge_needs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    found = compare_wording(held(dialogues(ODD, 15)), held(dialogues(PLAIN, 15)), "en")
    assert "pip install 'dialoom[models]'" in found["judge_needs"]
    assert found["judge"] == {}
    assert worded(found).rows
    assert not recognised(found).rows


def test_names_and_numbers_are_masked() -> None:
    assert masked("We meet Anna Berg at 12:30, Tuesday") == "we meet name at 0:0, name"


def test_as_many_dialogues_of_both_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "MOST", 5)
    silent = Dialogue(id="x", events=(Utterance(agent=USER, text="  "),))
    one, other = [*dialogues(PLAIN, 8), silent], dialogues(ODD, 3)
    drawn = draw((held(one), held(other)))
    assert [len(side) for side in drawn[USER]] == [len(side) for side in drawn[SYSTEM]] == [3, 3]
    assert all(turn.text in PLAIN for turns in drawn[USER][0] for turn in turns)
    assert drawn == draw((held(one), held(other)))


def test_scores_are_resampled_by_dialogue() -> None:
    values = resampled([(0, 1), (1, 1)], lambda sums: sums[0] / sums[1])
    assert set(values) == {0, 0.5, 1}


def test_both_sides_are_compared() -> None:
    found = compare_wording(held(dialogues(ODD, 15)), held(dialogues(PLAIN, 15)), "en")
    assert found["judge_needs"] is None
    assert found["judge"]["user"]["turn"]["auroc"] == 1
    assert found["judge"]["system"]["turn"]["auroc"] == 0.5
    assert len(recognised(found).rows) == 4
    assert len(marks(found).rows) == 4
    assert {row[0] for row in worded(found).rows} == {"user", "system"}


def test_nothing_is_compared_with_nothing() -> None:
    found = compare_wording(held([]), held(dialogues(PLAIN, 15)), "en")
    assert found["judge"] == found["wording"] == {}


@pytest.mark.corpus
def test_halves_of_star_are_not_distinguished_but_simulated_users_are(
    star_dialogues: list[Dialogue], simulated_star: list[Dialogue]
) -> None:
    found = compare_wording(held(simulated_star), held(star_dialogues), "en")
    for agent in (USER, SYSTEM):
        told = found["judge"][agent]["turn"]
        assert abs(told["within"] - 0.5) < 0.06
        assert told["auroc"] > told["within"] + 0.1
    first = found["wording"]["user"][0]
    assert first["simulated"]["value"] < first["real"]["value"]
