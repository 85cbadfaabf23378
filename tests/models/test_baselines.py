"""The baselines, the registry and the encoder."""

from __future__ import annotations

import numpy as np
import pytest

from dialoom.errors import UnknownNameError, UsageError
from dialoom.learn.text import TfidfEncoder, encoders
from dialoom.models import MODELS, settings_of
from tests.make import refuses
from tests.models.tiny import SCHEMAS, examples, visits


def test_names() -> None:
    assert {"majority", "nearest", "follower"} <= set(MODELS)
    with refuses(UnknownNameError, "unknown-name", "follower"):
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
    assert right == len(learnt)


def test_tfidf() -> None:
    encoder = TfidfEncoder()
    encoder.fit(["where to", "when do you leave", ""])
    matrix = encoder.similarity(["where to", "zzz"], ["where to", "when do you leave"])
    assert matrix.shape == (2, 2)
    assert matrix[0, 0] == pytest.approx(1.0) and matrix[0, 1] < 0.5
    assert not np.any(matrix[1])
    assert encoder.similarity([], ["where"]).shape == (0, 1)


def test_tfidf_is_that_of_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = ["Where to, where to?", "I do", "a", "Über\u00a0all  it's 5", ""]
    encoder = TfidfEncoder()
    encoder.fit(texts)
    target = 0
    for part in (
        {"ngram_range": (1, 2), "token_pattern": r"(?u)\b\w+\b"},
        {"analyzer": "char_wb", "ngram_range": (2, 4)},
    ):
        rows = TfidfVectorizer(sublinear_tf=True, **part).fit(texts).transform(texts)
        target += (rows @ rows.T).toarray() / 2
    assert encoder.similarity(texts, texts) == pytest.approx(target)


def test_tfidf_without_texts() -> None:
    encoder = encoders.get("tfidf")()
    encoder.fit([])
    assert not np.any(encoder.similarity(["a"], ["b"]))


def test_a_text_alone_has_the_similarity_that_it_has_among_others() -> None:
    encoder = TfidfEncoder()
    phrases = ["which day?", "how many people?", "which city on which day?"]
    encoder.fit(phrases)
    texts = ["which day", "cities", "", "nothing like it"]
    together = encoder.similarity(texts, phrases)
    alone = np.vstack([encoder.similarity([text], phrases) for text in texts])
    assert together.any()
    assert (alone == together).all()
