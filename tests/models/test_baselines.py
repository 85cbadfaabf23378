"""The baselines, the registry and the encoder."""

from __future__ import annotations

import numpy as np
import pytest

from dialoom.errors import UnknownNameError, UsageError
from dialoom.models import MODELS, settings_of
from dialoom.models.encoder import TfidfEncoder, encoders
from tests.models.tiny import SCHEMAS, examples, visits


def test_names() -> None:
    assert {"majority", "nearest", "follower"} <= set(MODELS)
    with pytest.raises(UnknownNameError, match="follower"):
        MODELS.get("folower")


@pytest.mark.parametrize("name", ["majority", "nearest"])
def test_a_baseline_answers_every_question(name: str) -> None:
    learnt = list(examples(visits()))
    model = MODELS.get(name)()
    with pytest.raises(UsageError):
        model.predict([learnt[0].question], SCHEMAS)
    with pytest.raises(UsageError):
        model.fit([], SCHEMAS)
    model.fit(learnt, SCHEMAS)
    answers = model.predict([example.question for example in learnt], SCHEMAS)
    assert len(answers) == len(learnt)
    assert all(answer.answer == answer.ranking[0][0] for answer in answers)
    assert settings_of(model) == {} and model.name == name


def test_majority_takes_the_first_of_equals() -> None:
    model = MODELS.get("majority")()
    learnt = list(examples(visits()))
    model.fit(learnt, SCHEMAS)
    counts = dict(model.predict([learnt[0].question], SCHEMAS)[0].ranking)
    assert sum(counts.values()) == pytest.approx(1.0)


def test_nearest_remembers() -> None:
    model = MODELS.get("nearest")()
    learnt = list(examples(visits()))
    model.fit(learnt, SCHEMAS)
    answers = model.predict([example.question for example in learnt], SCHEMAS)
    right = sum(a.answer == e.answer for a, e in zip(answers, learnt, strict=True))
    assert right / len(learnt) > 0.9


def test_tfidf() -> None:
    encoder = TfidfEncoder()
    encoder.fit(["where to", "when do you leave", ""])
    found = encoder.similarity(["where to", "zzz"], ["where to", "when do you leave"])
    assert found.shape == (2, 2)
    assert found[0, 0] == pytest.approx(1.0) and found[0, 1] < 0.5
    assert not np.any(found[1])
    assert encoder.similarity([], ["where"]).shape == (0, 1)


def test_tfidf_without_texts() -> None:
    encoder = encoders.get("tfidf")()
    encoder.fit([])
    assert not np.any(encoder.similarity(["a"], ["b"]))
