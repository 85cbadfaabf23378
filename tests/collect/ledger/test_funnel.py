from __future__ import annotations

from dialoom.collect.ledger.funnel import Funnel
from dialoom.collect.study import dashboard
from tests.collect.studied import Played


def test_the_paper_s_funnel() -> None:
    funnel = Funnel()
    for number in range(210):
        funnel.mark(f"w{number}", "single_tutorial", "attempted")
    for number in range(162):
        funnel.mark(f"w{number}", "single_tutorial", "passed")
    row = funnel.rows(["single_tutorial"])[0]
    assert (row["attempted"], row["passed"], row["passed_share"]) == (210, 162, 0.7714)


def test_workers_are_counted_once_and_programs_not() -> None:
    funnel = Funnel()
    for worker in ("w1", "w1", "bot:1"):
        funnel.mark(worker, "single", "entered")
    assert funnel.rows(["single"])[0]["entered"] == 1
    assert funnel.rows(["single"])[0]["passed_share"] is None


def test_who_was_never_in_a_stage_does_not_go_on_from_it() -> None:
    funnel = Funnel()
    funnel.go_on("w1", "single_tutorial")
    assert funnel.rows(["single_tutorial"])[0]["went_on"] == 0
    funnel.mark("w1", "single_tutorial", "entered")
    funnel.go_on("w1", "single_tutorial")
    assert funnel.rows(["single_tutorial"])[0]["went_on"] == 1


def test_a_study_s_funnel() -> None:
    played = Played(stages="star", scenario="mixed")
    passed, failed = played.ready_for_quiz("w1"), played.ready_for_quiz("w2")
    played.enter("w3")
    played.quiz(passed)
    played.quiz(failed, wrong=7)
    rows = {row["stage"]: row for row in dashboard.state(played.study, 0)["funnel"]}
    first = rows["single_tutorial"]
    counts = [first[mark] for mark in ("entered", "attempted", "passed", "went_on")]
    assert counts == [3, 2, 1, 1]
    assert list(rows) == ["single_tutorial", "single", "multi_tutorial", "multi"]
    assert dashboard.state(played.replayed(), 0)["funnel"] == list(rows.values())
