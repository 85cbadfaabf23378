"""The list of experiments: repetitions with other seeds."""

from __future__ import annotations

from dialoom.bench.suite.experiments import Experiment, experiments, repeated

LEARNED = Experiment("one", "Table 1", "sgd-policy", model_settings={"rounds": "9"})
RULES = Experiment("two", "Table 1", "sgd-policy", model="act-rules")


def test_a_model_with_a_seed_is_fitted_with_each() -> None:
    first, second, third, rules = repeated([LEARNED, RULES], 3)
    assert [each.name for each in (first, second, third)] == ["one", "one-seed1", "one-seed2"]
    assert {each.family for each in (first, second, third)} == {"one"}
    assert first.model_settings == LEARNED.model_settings
    assert third.model_settings == {"rounds": "9", "seed": "2"}
    assert rules == RULES


def test_one_seed_changes_nothing() -> None:
    assert repeated([LEARNED, RULES], 1) == [LEARNED, RULES]


def test_repetitions_on_other_simulated_corpora_are_not_repeated_again() -> None:
    entries = experiments(["star-zero-shot-domain-simulated-100"])
    assert len(entries) == 10
    assert repeated(entries, 3) == entries


def test_drawn_worlds_are_a_second_training_corpus() -> None:
    (mixed,) = experiments(["star-zero-shot-domain-mixed"])
    assert [each.tasks for each in mixed.simulated] == [None, "drawn:240"]
    assert mixed.mixed
