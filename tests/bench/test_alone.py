"""Every model answers a question alike, asked alone or together with others of a corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.protocol import examples, questions
from tests.digests.cases import lacking
from tests.digests.corpora import Corpora
from tests.digests.models import MODEL_CASES, ModelCase, counted

MOST = 3
"""Questions of a model that are asked alone."""

LEARNT, ASKED = 40, 6
"""Examples and questions of a model at most."""


def _less(case: ModelCase) -> dict[str, int]:
    """Return settings by which a model is trained as far as this needs."""
    return {"epochs": 1} if case.needs else {"members": 1} if case.model == "tracker" else {}


@pytest.fixture(scope="session")
def corpora(shared: Path) -> Corpora:
    return Corpora(shared / "digests")


@pytest.mark.parametrize("case", MODEL_CASES, ids=lambda case: case.name)
def test_a_question_has_the_same_answer_alone_and_together(
    case: ModelCase, corpora: Corpora
) -> None:
    if lacks := lacking(case):
        pytest.skip(f"not installed: {lacks}")
    plan = case.plan(corpora)
    holdout = next(each for each in plan.holdouts if each.test)
    model = NamedModel(case.model, {**(case.experiment.settings or {}), **_less(case)})()
    asked = holdout.test[:ASKED]
    model.fit(examples(holdout.train[:LEARNT]), plan.train_schemas)
    together = model.predict(questions(asked), plan.schemas)
    for place in range(0, len(asked), max(1, len(asked) // MOST)):
        (alone,) = model.predict(questions([asked[place]]), plan.schemas)
        assert counted(alone) == counted(together[place]), place
