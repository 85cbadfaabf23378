"""Which worker ids need proof, and which ids of a recruiter count as it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.collect.settings import Settings, Stage
from dialoom.collect.study.identity import (
    is_first_submission,
    listed_workers,
    needs_proof,
    plain_id,
)
from tests.collect.studied import Played


@given(st.text(max_size=20))
def test_an_id_is_made_plain_once(worker: str) -> None:
    assert plain_id(plain_id(worker)) == plain_id(worker)
    assert plain_id(f" {worker}\t") == plain_id(worker)


def test_who_took_part_or_is_listed_needs_proof() -> None:
    played = Played(wizards=("w-1",))
    study, now = played.study, played.now
    study.grant("w-2", "single", now)
    study.grant("w-3", "single", now, granted=False)
    study.enter("w-4", now)
    workers = {"w-1", "w-2", "w-3", "w-4", "W-4", "w-5"}
    assert {each for each in workers if needs_proof(study.state, each)} == {"w-1", "w-2", "w-4"}


def test_listed_workers_are_those_of_wizards_and_stages() -> None:
    stages = (Stage(name="a", only=("w-2", "w-1")), Stage(name="b", only=("w-2", "person:3")))
    assert listed_workers(Settings(wizards=("w-1",), stages=stages)) == ("w-1", "w-2")
    assert listed_workers(Settings(tasks=("weather",))) == ()


FIRST = {"PROLIFIC_PID": "p1", "STUDY_ID": "st", "SESSION_ID": "s1"}


@pytest.mark.parametrize(
    ("changed", "same"),
    [({}, True), ({"more": "x"}, True), *(({name: "other"}, False) for name in FIRST)],
)
def test_a_submission_is_known_by_all_ids_of_its_recruiter(
    changed: dict[str, str], same: bool
) -> None:
    played = Played(recruiter="prolific")
    played.study.enter("p1", played.now, source=FIRST)
    source = {**FIRST, **changed}
    state = played.study.state
    assert is_first_submission(state, source["PROLIFIC_PID"], source) is same
    assert not is_first_submission(Played().study.state, "p1", FIRST)
