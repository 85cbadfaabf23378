"""A local language model that is fine-tuned on training questions, saved, loaded and asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom.bench.core.protocol import Target, examples, questions
from dialoom.dialogue import NextAction
from dialoom.errors import DialoomError, FormatError, UsageError
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models import load
from dialoom.models.lm.tuned import TunedModel
from tests.bench import tiny
from tests.cli.runner import Run, in_process
from tests.http.tiny_model import local_model
from tests.models.lm.scripted import TASKS, asked
from tests.models.lm.test_model import DOMAIN, corpus

pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")

folder = pytest.fixture(scope="module")(local_model)
run = pytest.fixture(in_process)
corpus = corpus

SHORT = {"request": "max_tokens=20", "workers": 1}

SCHEMAS: dict[str, Any] = {}


def weather(said: str, answer: str, source: str) -> Target:
    return Target(source, 0, NextAction("weather"), answer, (tiny.user(said),), 1)


TARGETS = [weather("Rain?", "weather_ask_day", "0"), weather("Bye.", "weather_bye", "1")]


def tuned(folder: Path, **settings: Any) -> TunedModel:
    model = TunedModel(folder=str(folder), **{**SHORT, **settings})
    model.fit(examples(TARGETS), SCHEMAS)
    return model


@pytest.mark.parametrize(("rank", "rate"), [(0, 1e-2), (8, 3e-2)])
def test_it_learns_the_form_and_the_answers_and_a_file_keeps_them(
    folder: Path, tmp_path: Path, rank: int, rate: float
) -> None:
    model = tuned(folder, rank=rank, rate=rate, epochs=150, batch=2)
    began = __import__('time').time()
    found = model.predict(questions(TARGETS), SCHEMAS)
    assert not any(each.record.unreadable for each in found if each.record)
    assert [each.answer for each in found] == [target.gold for target in TARGETS]
    save(model, tmp_path / "m", TrainingRecord())
    again = load(tmp_path / "m", NextAction).model
    assert again.predict(questions(TARGETS), SCHEMAS) == found
