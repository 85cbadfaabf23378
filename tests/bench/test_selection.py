"""The next utterance among candidates: what is drawn, and what each number of turns shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Plan
from dialoom.bench.core.run import run
from dialoom.bench.core.saved import with_overlap
from dialoom.bench.protocols.selection import TURNS
from dialoom.corpus import Corpus
from dialoom.dialogue import Candidate, Utterance
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.bench.tiny import talk
from tests.make import refuses

SELECTION = PROTOCOLS.get("star-selection")


def corpus(path: Path) -> Corpus:
    """Return ten dialogues: the weather's ask where and when, trivia's who and what."""
    weather = [("ask", "Where?"), ("ask", "When?"), ("", "It rains."), ("ask", "Where?")]
    trivia = [("ask", "Who?"), ("ask", "What?")]
    return tiny.memory(
        path,
        *(talk(n, *weather, task="weather", domain="weather") for n in range(1, 6)),
        *(talk(n, *trivia, task="trivia", domain="trivia") for n in range(6, 11)),
    )


def plan(path: Path, **settings: Any) -> Plan:
    return tiny.plan(SELECTION, corpus(path), **settings)


def test_each_hold_out_shows_so_many_utterances(tmp_path: Path) -> None:
    turn_plan = plan(tmp_path, turns=(1, 3))
    assert [holdout.name for holdout in turn_plan.holdouts] == ["1", "3"]
    for holdout, most in zip(turn_plan.holdouts, (1, 3), strict=True):
        assert max(target.position for target in holdout.test) == most
        for target in (*holdout.train, *holdout.test):
            assert len(target.seen) == target.position <= most
            assert all(isinstance(e, Utterance) and not e.layers for e in target.seen)
    assert [holdout.name for holdout in plan(tmp_path).holdouts] == [str(n) for n in TURNS]


def test_the_right_text_is_among_candidates_that_all_differ(tmp_path: Path) -> None:
    (holdout,) = plan(tmp_path, turns=(2,), candidates=4).holdouts
    for target in holdout.train:
        texts = {candidate.id: candidate.text for candidate in target.asked.candidates}
        assert len(set(texts.values())) == len(texts) == 4
        assert texts[target.gold]
        assert sorted(texts) == ["0", "1", "2", "3"]
    places = {target.gold for target in (*holdout.train, *holdout.test)}
    assert len(places) > 1


@pytest.mark.parametrize(
    ("pool", "others"),
    [("same-task", {"When?", "It rains."}), ("other-tasks", {"Who?", "What?"})],
)
def test_distractors_come_from_the_pool_that_was_asked_for(
    pool: str, others: set[str], tmp_path: Path
) -> None:
    (holdout,) = plan(tmp_path, turns=(2,), distractors=pool).holdouts
    targets = [t for t in holdout.train if {c.text for c in t.asked.candidates} >= {"Where?"}]
    first = next(t for t in targets if _right(t.asked.candidates, t.gold) == "Where?")
    assert {c.text for c in first.asked.candidates} == {"Where?", *others}


def _right(candidates: tuple[Candidate, ...], gold: str) -> str | None:
    return next(c.text for c in candidates if c.id == gold)


def test_one_seed_draws_the_same_for_every_number_of_turns(tmp_path: Path) -> None:
    one, other = plan(tmp_path, turns=(1, 4)).holdouts
    again = plan(tmp_path, turns=(1,), seed=1).holdouts[0]
    choices = [[target.asked for target in holdout.test] for holdout in (one, other, again)]
    assert choices[0] == choices[1] != choices[2]


def test_what_was_drawn_stands_in_the_prediction_lines(tmp_path: Path) -> None:
    turn_plan = plan(tmp_path, turns=(2,))
    lines = write_predictions(turn_plan, run(turn_plan, NamedModel("selector", {})))
    row = msgspec.json.decode(lines.splitlines()[0])
    assert row["candidates"][row["gold"]] in {"Where?", "When?", "It rains.", "Who?", "What?"}
    assert sorted(row["ranking"]) == sorted(row["candidates"])


def test_data_without_a_complete_dialogue_has_nothing_to_ask(tmp_path: Path) -> None:
    cut = tiny.dialogue(1, "hello", task="weather", domain=None, outcome="Disconnect")
    with refuses(MissingDataError, "nothing-to-ask"):
        tiny.plan(SELECTION, tiny.memory(tmp_path, cut))


def test_common_openings_are_no_notice_about_training_dialogues(tmp_path: Path) -> None:
    talks = [
        talk(n, ("ask", "Where?"), ("ask", f"Call {n}."), task="weather", domain="weather")
        for n in range(1, 11)
    ]
    openings = tiny.plan(SELECTION, tiny.memory(tmp_path, *talks), turns=(1,))
    assert with_overlap(openings).notices == openings.notices
    assert len(with_overlap(plan(tmp_path)).notices) > len(plan(tmp_path).notices)
