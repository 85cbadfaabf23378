"""The last page names the stage that the worker enters when they go on, or why there is none."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.collect.log.change import Change
from dialoom.collect.log.record import ROLES
from dialoom.collect.message import Leave, Refused
from dialoom.collect.settings import Stage
from tests.collect.documents import MARK, WRITE, Documents
from tests.collect.studied import Played, PlayedStudy, Shelf, library


def _named(played: PlayedStudy, number: int) -> str | None:
    done: dict[str, str | None] = played.state(number)["done"]
    return done["next"] or done["next_reason"]


def _entered(played: PlayedStudy, worker: str) -> str:
    """Return the stage that a worker comes into, which they leave again, or the refusal's code."""
    try:
        number, change = played.study.enter(worker, played.now)
    except Refused as refused:
        played.take(played.study.transaction.take())
        return refused.code
    played.take(change)
    played.send(number, Leave())
    return played.study.assignment(number).stage


def _agree(played: PlayedStudy, number: int) -> str | None:
    """Check that the page of an ended assignment names what comes; return that."""
    stage = _named(played, number)
    assert stage == _entered(played, played.study.assignment(number).worker)
    return stage


def test_nobody_is_sent_to_a_stage_that_has_only_their_own_work() -> None:
    played = Documents(WRITE, MARK, scenarios=2)
    assert _agree(played, played.write("w1")) == "write"
    second = played.write("w1")
    assert _named(played, second) == "full"
    other = played.enter("w2")
    assert played.study.assignment(other).stage == "mark"
    played.send(other, Leave())
    assert _agree(played, other) == "mark", "there are two, and they have had one"


@pytest.mark.parametrize("given", [2, 200])
def test_a_source_that_is_smaller_than_the_setting_runs_out(given: int) -> None:
    whole, _ = library()
    played = Played(Shelf(whole.made[:2], whole.tasks), scenarios=given, target=1)
    first = played.dialogue("w1", "w2")
    assert [_agree(played, number) for number in first] == ["single", "single"]
    second = played.dialogue("w1", "w2")
    assert [_agree(played, number) for number in second] == ["full", "full"]


def test_looking_ahead_adds_nothing_to_the_log() -> None:
    played = Played(scenarios=3)
    one, _ = played.dialogue("w1", "w2")
    before = played.study.state.records
    assert _named(played, one) == "single"
    assert played.study.state.records == before
    assert played.study.transaction.take() == Change()
    played.dialogue("w1", "w2")
    assert [unit.item.id for unit in played.study.units.values()] == ["s1", "s2"]


# --- links for wizards --------------------------------------------------------------------------


def _refusal(played: PlayedStudy, worker: str) -> str:
    with pytest.raises(Refused) as refused:
        played.study.enter(worker, played.now, role="wizard")
    return refused.value.code


@pytest.mark.parametrize(
    "second",
    [
        MARK,
        Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), only=("w9",)),
        Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), gate="review"),
    ],
)
def test_a_link_for_wizards_lets_only_the_pool_into_dialogues(second: Stage) -> None:
    talk = Stage(name=second.of or "talk")
    played = Played(wizards=("w9",), stages=(talk, second))
    assert _refusal(played, "w1") == "not_a_wizard"
    for number in (played.enter("w1"), played.enter("w9", "wizard")):
        assert played.study.assignment(number).stage in (talk.name, "write")


def test_a_link_with_a_role_leads_to_dialogues_and_the_quiz_before_them() -> None:
    quiz, gated = Stage(name="single_tutorial", kind="quiz"), Stage(name="more", gate="quiz")
    for stages, name in (((Stage(name="talk"),), "talk"), ((quiz, gated), "single_tutorial")):
        played = Played(wizards=("w9",), stages=(*stages, WRITE), scenarios=1)
        for worker, role in zip(("w1", "w9"), ROLES, strict=True):
            one = played.enter(worker, role)
            assert played.study.assignment(one).stage == name
            played.send(one, Leave())
            assert _named(played, one) == name
        assert played.study.assignment(played.enter("w1")).stage == "write"
        assert _refusal(played, "w2") == "not_a_wizard"


def test_a_link_with_a_role_leads_to_work_that_qualifies_for_dialogues() -> None:
    stages = (WRITE, Stage(name="talk", gate="review"), replace(WRITE, name="later"))
    played = Played(stages=stages, scenarios=1)
    assert played.study.assignment(played.enter("w1", "user")).stage == "write"
