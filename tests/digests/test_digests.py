"""Digests of models, simulators and agents: no change passes unnoticed, and none is missing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dialoom.bench.core.protocol import questions
from dialoom.dialogue import Prediction, digest
from dialoom.models import MODELS
from dialoom.registry import Registry
from dialoom.schema import pack
from dialoom.sim import PRESETS
from dialoom.sim.noise import KINDS
from dialoom.sim.paraphrase import PARAPHRASERS
from tests.digests import table
from tests.digests.cases import CASES, lacking
from tests.digests.corpora import Corpora
from tests.digests.models import MODEL_CASES, ModelCase, Ran, counted
from tests.digests.simulators import SIMULATOR_CASES
from tests.digests.table import Change, Entry, Table

ELSEWHERE = {
    "openai": "a language model over the network",
    "local": "a language model of a folder",
}
"""Paraphrasers without a digest, with the reason."""

ASKED = {"openai", "transformers", "lm"}
"""Models without a digest: language models that the user names."""

LEARNT = ("model/", "play/follower/")
"""Beginnings of the names of entries that depend on the versions of libraries."""

TABLE = table.read()

MANY = 6
"""Questions of a model of which every second one is asked alone, too."""


@pytest.fixture(scope="session")
def corpora(shared: Path) -> Corpora:
    return Corpora(shared / "digests")


@pytest.fixture(scope="module", params=MODEL_CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> ModelCase:
    """A model on a kind of question; the tests of one follow each other, and share its fit."""
    if lacks := lacking(request.param):
        pytest.skip(f"not installed: {lacks}")
    model_case: ModelCase = request.param
    return model_case


@pytest.fixture(scope="module")
def ran(case: ModelCase, corpora: Corpora) -> Ran:
    return case.run(corpora)


def test_answers_of_a_model_have_the_digest_of_the_table(case: ModelCase, ran: Ran) -> None:
    _compare(case.name, ran.entry, neural=bool(case.needs))


def test_a_question_has_the_same_answer_alone_and_together(ran: Ran) -> None:
    place = next(n for n, holdout in enumerate(ran.plan.holdouts) if holdout.test)
    targets, model = ran.plan.holdouts[place].test[:MANY], ran.models[place]
    together = model.predict(questions(targets), ran.plan.schemas)
    for number in range(0, len(targets), 2):
        (alone,) = model.predict(questions([targets[number]]), ran.plan.schemas)
        assert counted(alone) == counted(together[number]), number


@pytest.mark.parametrize("name", sorted(CASES.keys() - {case.name for case in MODEL_CASES}))
def test_dialogues_have_the_digest_of_the_table(name: str, corpora: Corpora) -> None:
    _compare(name, CASES[name].measure(corpora), neural=False)


def _compare(name: str, new: Entry, *, neural: bool) -> None:
    old = TABLE.entries.get(name)
    if new.gives(old):
        return
    others = table.other_libraries(TABLE, neural=neural)
    change = Change(name, old, new, others)
    if others and name.startswith(LEARNT) and not os.environ.get("CI"):
        pytest.skip(str(change))
    pytest.fail(f"{change}\n{table.ADVICE}", pytrace=False)


def test_every_case_has_an_entry_and_every_entry_a_case() -> None:
    assert TABLE.entries.keys() == CASES.keys()


def test_table_is_sorted_with_one_line_for_each_entry() -> None:
    text = table.FILE.read_text(encoding="utf-8")
    assert text == table.rendered(TABLE)
    assert sum(f'"{name}":' in line for line in text.splitlines() for name in CASES) == len(CASES)


def test_every_model_has_a_digest_for_each_kind_of_question() -> None:
    answered = {case.answers for case in MODEL_CASES}
    assert {each for name in set(_own(MODELS)) - ASKED for each in _kinds(name)} == answered


def test_every_preset_noise_and_paraphraser_has_a_digest() -> None:
    assert {case.preset for case in SIMULATOR_CASES} == set(_own(PRESETS))
    pairs = {tuple(name.split("/")[:2]) for name in CASES}
    assert {("noise", kind) for kind in _own(KINDS)} <= pairs
    paraphrasers = set(_own(PARAPHRASERS)) - ELSEWHERE.keys()
    assert {("paraphrase", name) for name in paraphrasers} <= pairs


def test_every_bundled_task_is_played() -> None:
    tasks = (*pack.names(), *pack.names("service"))
    assert {f"play/flow/{task}" for task in tasks} <= set(CASES)
    assert sum(name.startswith("play/follower/") for name in CASES) > len(tasks) / 4


def _own(registry: Registry[Any]) -> Iterator[str]:
    """Yield the names of the parts that are dialoom's own."""
    for name in registry:
        if registry.module(name).startswith("dialoom."):
            yield name


def _kinds(name: str) -> Iterator[tuple[str, type[Any]]]:
    for kind in MODELS.get(name).kinds:
        yield name, kind


OLD = Entry("0123456789abcdef", "fedcba9876543210", "f1 76.5")


def test_change_names_entry_and_scores_and_says_what_else_differs() -> None:
    message = str(Change("model/star/follower", OLD, Entry("other", OLD.inputs, "f1 71.2")))
    for part in ("model/star/follower", OLD.score, "f1 71.2", OLD.digest, "other"):
        assert part in message
    assert "inputs" not in message
    assert "inputs" in str(Change("one", OLD, Entry("other", "others", "f1 71.2")))
    assert "scikit-learn" in str(Change("one", OLD, OLD, ("scikit-learn 1.9.1, here 1.10.0",)))
    assert table.FILE.name in str(Change("one", None, OLD))
    for part in ("CHANGELOG.md", "make figures", table.WRITE):
        assert part in table.ADVICE


def test_other_inputs_alone_are_no_change() -> None:
    assert Entry(OLD.digest, "others", OLD.score).gives(OLD)
    assert not Entry("other", OLD.inputs, OLD.score).gives(OLD)
    assert not Entry(OLD.digest, OLD.inputs, "f1 71.2").gives(OLD)
    assert not OLD.gives(None)


def test_digits_beyond_the_second_and_lower_ranks_do_not_count() -> None:
    ranking = tuple((label, 0.1) for label in "abcd")
    one = Prediction("a", ranking, confidence=0.5001)
    near = Prediction("a", (*ranking[:3], ("e", 0.2)), confidence=0.4999)
    assert digest(counted(one)) == digest(counted(near))
    for other in (
        Prediction("b", ranking, confidence=0.5),
        Prediction("a", ranking[::-1], confidence=0.5),
        Prediction("a", ranking, confidence=0.6),
    ):
        assert digest(counted(one)) != digest(counted(other))


def test_table_keeps_entries_that_cannot_be_made_here_and_drops_those_of_no_case() -> None:
    old = Table({"torch": "2.13.0"}, {"kept": OLD, "changed": OLD, "gone": OLD})
    new = Entry("other", "inputs", "f1 80.0")
    merged = table.merged(old, {"changed": new}, frozenset({"kept", "changed"}))
    assert merged.entries == {"kept": OLD, "changed": new}
    assert merged.libraries["torch"] == "2.13.0" or "torch" in table.installed()


def test_libraries_of_neural_models_do_not_excuse_other_entries() -> None:
    old = Table(dict.fromkeys(("numpy", "torch"), "0"), {})
    assert [each.split()[0] for each in table.other_libraries(old, neural=False)] == ["numpy"]
