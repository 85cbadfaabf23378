"""Choosing settings by leaving out training groups: what is fitted, and what is never seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.nested import choose, describe, folds, run_chosen, with_variants
from dialoom.bench.core.protocol import Plan
from dialoom.bench.core.run import select
from dialoom.dialogue import Example, NextAction, Prediction, Question
from dialoom.errors import FormatError, UsageError
from dialoom.learn.model import Kinds
from dialoom.models import settings_of
from dialoom.schema.task import TaskSchema
from tests.bench import tiny
from tests.make import refuses

DOMAIN = PROTOCOLS.get("star-zero-shot-domain")


@dataclass
class Constant:
    """Always answers the same."""

    name: ClassVar[str] = "constant"
    kinds: ClassVar[Kinds] = (NextAction,)
    answer: str

    def fit(self, examples: Sequence[Example[Any, str]], schemas: Mapping[str, TaskSchema]) -> None:
        pass

    def predict(
        self, questions: Sequence[Question[Any]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[str]]:
        return [Prediction(self.answer)] * len(questions)


MAKES = [partial(Constant, answer) for answer in ("hello", "query")]


def plan_of(path: Path, **more: Any) -> Plan:
    return tiny.plan(DOMAIN, tiny.three(path), **more)


def test_every_pair_is_fitted_once(tmp_path: Path) -> None:
    pairs = {f.holdout.name: f.holdout for f in folds(plan_of(tmp_path))}
    assert sorted(pairs) == ["hotel+ride", "hotel+weather", "ride+weather"]
    pair = pairs["hotel+ride"]
    assert {t.source for t in pair.train} == {"2", "4"}
    assert {t.source for t in pair.test} == {"1", "3"}


def test_the_leak_is_closed_in_folds_too(tmp_path: Path) -> None:
    pairs = {f.holdout.name: f.holdout for f in folds(plan_of(tmp_path, form="noleak"))}
    assert {t.source for t in pairs["hotel+ride"].train} == {"2"}


def test_the_choice_never_sees_the_test_part(tmp_path: Path) -> None:
    """For ride, hotel and weather vote and tie; for hotel, the others both want queries."""
    plan = plan_of(tmp_path)
    choices = choose(plan, MAKES)
    assert {name: choice.variant for name, choice in choices.items()} == {
        "ride": 0,
        "weather": 0,
        "hotel": 1,
    }
    assert choices["hotel"].inner == [0.0, 100.0]
    outcomes = {o.holdout: o for o in run_chosen(plan, MAKES, choices)}
    assert {name: o.predictions[0].answer for name, o in outcomes.items()} == {
        "ride": "hello",
        "weather": "hello",
        "hotel": "query",
    }
    record = describe(choices, [settings_of(make()) for make in MAKES])
    assert record["holdouts"]["hotel"] == {"chosen": 1, "inner": [0.0, 100.0]}
    assert with_variants(plan, 2).options["nested"] == "leave-one-out/2"


def test_a_dialogue_of_several_groups_is_in_no_fold_that_leaves_one_out(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, tiny.staged(tmp_path), train="all")
    pairs = {f.holdout.name: f.holdout for f in folds(plan)}
    assert sorted(pairs) == ["bank+trivia", "bank+weather", "trivia+weather"]
    assert {t.source for t in pairs["bank+trivia"].train} == {"2", "4", "5", "12"}
    assert {t.source for t in pairs["bank+trivia"].test} == {"3", "6", "9"}
    assert {t.source for t in pairs["trivia+weather"].train} == {"4", "9"}


def test_training_elsewhere_uses_its_groups(tmp_path: Path) -> None:
    test = tiny.memory(tmp_path, tiny.dialogue(9, "hello", task="bank_balance", domain="bank"))
    plan = tiny.plan(DOMAIN, test, train_corpus=tiny.three(tmp_path))
    assert [f.holdout.name for f in folds(plan)] == ["hotel", "ride", "weather"]
    assert choose(plan, MAKES)["bank"].variant == 1


def test_one_hold_out_chooses_as_it_does_among_all(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    alone = choose(select(plan, ["hotel"]), MAKES)
    assert alone == {"hotel": choose(plan, MAKES)["hotel"]}


def test_answers_are_kept_and_taken_up_again(tmp_path: Path) -> None:
    plan, cache = plan_of(tmp_path), tmp_path / "cache"
    first = choose(plan, MAKES, cache=cache)
    files = sorted(cache.glob("*.json"))
    assert len(files) == 6
    assert choose(plan, MAKES, cache=cache) == first
    files[0].write_bytes(b"[]")
    with refuses(FormatError, "wrong-type"):
        choose(plan, MAKES, cache=cache)
    files[0].write_bytes(b"{")
    with refuses(FormatError, "wrong-type"):
        choose(plan, MAKES, cache=cache)


def test_too_little_to_leave_out(tmp_path: Path) -> None:
    two = tiny.memory(
        tmp_path,
        tiny.dialogue(1, "hello", task="hotel_book", domain="hotel"),
        tiny.dialogue(2, "query", task="weather", domain="weather"),
    )
    with refuses(UsageError, "nothing-to-learn"):
        folds(tiny.plan(DOMAIN, two))
    stages = tiny.plan(PROTOCOLS.get("star-next-action"), tiny.three(tmp_path))
    with refuses(UsageError, "too-few"):
        folds(stages)
