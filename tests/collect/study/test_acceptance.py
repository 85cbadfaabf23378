"""Work that is accepted by rules, and the sample of it that is looked at."""

from __future__ import annotations

from math import comb
from pathlib import Path
from typing import Any

import pytest

from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.log.change import Paid
from dialoom.collect.log.record import Reviewed
from dialoom.collect.message import Refused
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.settings_check import setting_mistakes
from dialoom.collect.stage_rules import Acceptance, GoldItems
from dialoom.collect.study import administration, dashboard
from dialoom.collect.study.acceptance import bound, more_to_see, most_wrong
from tests.collect.documents import Documents
from tests.collect.ratings import written


def _exact(population: int, sample: int, wrong: int, doubt: float) -> int:
    """Return the highest compatible number of wrong pieces, by integers."""
    for all in range(population - (sample - wrong), wrong, -1):
        ways = sum(
            comb(all, hits) * comb(population - all, sample - hits) for hits in range(wrong + 1)
        )
        if ways > doubt * comb(population, sample):
            return all
    return wrong


@pytest.mark.parametrize("population", [1, 7, 20, 61])
def test_the_bound_is_the_exact_hypergeometric_one(population: int) -> None:
    for sample in range(population + 1):
        for wrong in range(min(sample, 5) + 1):
            expected = _exact(population, sample, wrong, 0.05)
            assert most_wrong(population, sample, wrong, 0.95) == expected, (sample, wrong)


def test_the_bound_holds_for_nineteen_of_twenty_samples() -> None:
    population = 50
    for all in range(population + 1):
        for sample in (5, 20, 40):
            missed = sum(
                comb(all, wrong) * comb(population - all, sample - wrong)
                for wrong in range(min(all, sample) + 1)
                if sample - wrong <= population - all
                and most_wrong(population, sample, wrong, 0.95) < all
            )
            assert missed <= 0.05 * comb(population, sample)


def test_large_populations_need_the_sample_of_the_binomial_bound() -> None:
    assert more_to_see(10**6, 0, 0, 0.05, 0.95) == 59  # log .05 / log .95
    assert more_to_see(100, 0, 0, 0.05, 0.95) == 78  # then at most 1 of the other 22 is wrong
    assert bound(100, 0, 0, 0.95) == 1.0 and bound(100, 100, 3, 0.95) == 0.0


def test_what_is_found_wrong_makes_the_sample_larger() -> None:
    sizes = [30 + more_to_see(300, 30, wrong, 0.05, 0.95) for wrong in range(4)]
    assert sizes == sorted(set(sizes))
    assert all(
        bound(300, size, wrong, 0.95) <= 0.05 < bound(300, size - 1, wrong, 0.95)
        for wrong, size in enumerate(sizes)
    )


def _study(tmp_path: Path, lines: int = 3, **rules: Any) -> Documents:
    outputs = str(written(tmp_path / "outputs.jsonl", items=lines))
    accept = Acceptance(**rules)
    stage = Stage(name="judge", kind="rating", outputs=outputs, workers=2, pay=20, accept=accept)
    return Documents(stage, scenarios=lines)


def _grade(study: Documents, worker: str, grade: int = 3) -> int:
    number = study.enter(worker)
    for place, _ in enumerate(study.state(number)["room"]["item"]["outputs"]):
        study.send(number, Save(f"0.{place}", 0, grade))
    study.send(number, Submit())
    return number


def _cents(study: Documents, number: int) -> int:
    return int(study.state(number)["done"]["cents"])


def _shown(study: Documents) -> dict[str, Any]:
    view = dashboard.state(study.study, study.now)
    assert dashboard.state(study.replayed(), study.now) == view
    return view


def test_work_that_took_long_enough_is_paid_at_once(tmp_path: Path) -> None:
    study = _study(tmp_path, seconds=3)  # each message takes a second
    number = _grade(study, "r-1")
    assert _cents(study, number) == 20
    assert Paid(key=f"pay/{number}", worker="r-1", cents=20) in study.claims
    [review] = [each.body for each in study.log if isinstance(each.body, Reviewed)]
    assert (review.automatic, review.accepted) == (True, True)
    assert _shown(study)["queue"] == []


def test_faster_work_waits_and_the_admin_reads_why(tmp_path: Path) -> None:
    study = _study(tmp_path, seconds=60)
    numbers = [_grade(study, "r-1") for _ in range(3)]
    view = _shown(study)
    assert [row["lacks"] for row in view["queue"]] == [["seconds"]] * 3
    study.take(administration.review(study.study, numbers[2], study.now, accepted=True))
    assert [_cents(study, number) for number in numbers] == [0, 0, 20]


def test_work_is_accepted_once_another_person_agrees(tmp_path: Path) -> None:
    study = _study(tmp_path, lines=1, agreement=0.75)
    first = _grade(study, "r-1", 4)
    assert _shown(study)["queue"][0]["lacks"] == ["agreement"] and _cents(study, first) == 0
    second = _grade(study, "r-2", 5)
    assert (_cents(study, first), _cents(study, second)) == (20, 20)


def test_work_with_too_little_agreement_waits(tmp_path: Path) -> None:
    study = _study(tmp_path, lines=1, agreement=0.8)
    numbers = _grade(study, "r-1", 4), _grade(study, "r-2", 5)
    assert [_cents(study, number) for number in numbers] == [0, 0]
    assert len(_shown(study)["queue"]) == 2


def test_the_sample_shrinks_the_bound_and_finds_wrong_work(tmp_path: Path) -> None:
    study = _study(tmp_path, lines=30, error=0.2)
    for _ in range(30):
        _grade(study, "r-1")
        _grade(study, "r-2")
    [sample] = _shown(study)["samples"]
    assert (sample["accepted"], sample["seen"], sample["bound"]) == (60, 0, 1.0)
    wrong, count = sample["next"][0], 0
    while sample["more"]:
        number = sample["next"][0]
        accepted = number != wrong
        reason = "" if accepted else "all the same"
        study.take(
            administration.review(study.study, number, study.now, accepted=accepted, reason=reason)
        )
        count += 1
        [sample] = _shown(study)["samples"]
        assert sample["seen"] == count
    assert sample["wrong"] == 1 and sample["bound"] <= 0.2 and sample["next"] == []
    assert 10 < count < 30
    assert _cents(study, wrong) == 20  # what was accepted stays paid
    worker = study.study.assignment(wrong).worker
    assert study.study.state.worker(worker).granted["judge"] is False
    try:
        administration.review(study.study, number, study.now, accepted=True)
    except Refused as refused:
        assert refused.code == "reviewed_already"


def test_rules_that_cannot_hold_are_mistakes() -> None:
    rules = Acceptance(gold=0.5, agreement=2, seconds=-1, error=0)
    stages = (
        Stage(name="a", kind="paraphrase", accept=rules),
        Stage(name="b", accept=Acceptance()),
        Stage(name="c", kind="annotation", corpus="c", workers=2, accept=Acceptance(agreement=0.5)),
        Stage(name="d", kind="annotation", corpus="c", gold=GoldItems(items="c"), accept=rules),
    )
    places = {each.pointer[1:] for each in setting_mistakes(Settings(stages=stages))}
    names = ("gold", "agreement", "seconds", "error")
    assert {(0, "accept", name) for name in names} | {(1, "accept")} <= places
    assert not any(pointer[0] == 2 for pointer in places) and (3, "accept", "gold") not in places
