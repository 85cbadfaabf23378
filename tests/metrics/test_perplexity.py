"""Perplexity by word."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from dialoom.dialogue import Dialogue, NextReply, Prediction, Question
from dialoom.metrics.generation import Perplexity

QUESTION = Question(Dialogue(id="d", events=()), 0, NextReply(""))


def test_it_is_the_inverse_of_the_mean_probability_of_a_word() -> None:
    metric = Perplexity()
    prediction = Prediction("", log_likelihood=4 * math.log(1 / 8))
    counts = metric.statistics(QUESTION, "Yes, sir", prediction)
    counts += metric.statistics(QUESTION, "No", Prediction("", log_likelihood=2 * math.log(1 / 8)))
    assert metric.scores(counts)["perplexity"].value == pytest.approx(8.0, abs=0.01)


def test_models_without_probabilities_have_none() -> None:
    metric = Perplexity()
    assert metric.statistics(QUESTION, "No", Prediction("No")) == Counter()
    assert metric.scores(Counter()) == {}
