"""A language model of a local folder in every seat: a tiny one with random weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import choose
from dialoom.bench.core.protocol import questions
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import limited, run
from dialoom.errors import DialoomError, MissingDataError
from dialoom.http.failure import NoAnswerError
from dialoom.http.local import LocalModel
from dialoom.http.metering import Meter
from dialoom.models.lm.model import TransformersModel
from tests.bench import tiny
from tests.http.tiny_model import local_model
from tests.make import refuses
from tests.models.lm.scripted import QUESTIONS_OF_ACTION, TASKS, asked

pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")

folder = pytest.fixture(scope="module")(local_model)

SHORT = "max_tokens=8"


def test_one_row_of_a_local_model_is_printed_with_its_weights(folder: Path, tmp_path: Path) -> None:
    experiment = PROTOCOLS.get("star-zero-shot-domain")
    plan = limited(tiny.plan(experiment, tiny.star(tmp_path)), 4, 0)
    make = choose(f"transformers:{folder}", experiment, [f"request={SHORT}", "shots=1"])
    outcomes = list(run(plan, make, cache=tmp_path / "kept"))
    result = summarise(plan, outcomes, make(), samples=2)
    assert result.answers["questions"] == 4
    assert result.answers["tokens_written"] > 0
    assert result.answers["unreadable"] == 4  # random weights write no JSON
    assert result.scores[result.main].value == 0
    assert "weights:" in result.scores[result.main].signature
    again = list(run(plan, make, cache=tmp_path / "kept"))
    assert [each.predictions for each in again] == [each.predictions for each in outcomes]


@pytest.mark.parametrize("name", sorted(asked()))
def test_every_kind_of_question_is_asked_of_a_local_model(name: str, folder: Path) -> None:
    targets = asked()[name][:1]
    model = TransformersModel(folder=str(folder), request=SHORT)
    (prediction,) = model.predict(questions(targets), TASKS)
    assert prediction.record is not None
    assert prediction.record.requests == 2
    assert "limit of tokens" in prediction.record.unreadable


def test_likely_tokens_are_those_of_the_next_place(folder: Path) -> None:
    messages = [{"role": "user", "content": "Hello."}]
    meter = Meter()
    fields = {"logprobs": True, "max_tokens": 3}
    reply = LocalModel(folder).complete(messages, [], meter, fields)
    assert reply.tokens is not None
    assert len(reply.tokens) == meter.spent.written <= 3
    for token in reply.tokens:
        assert token.top_logprobs
        assert token.top_logprobs[0].logprob == pytest.approx(token.logprob, abs=1e-5)
        assert token.chance < 1


def test_what_cannot_be_asked_is_one_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        TransformersModel(folder=str(tmp_path)).predict(questions(QUESTIONS_OF_ACTION), TASKS)
    long = TransformersModel(folder=str(folder), request="max_tokens=5000")
    with refuses(NoAnswerError, "over-limit"):
        long.predict(questions(QUESTIONS_OF_ACTION), TASKS)
    with pytest.raises(DialoomError):
        TransformersModel().predict(questions(QUESTIONS_OF_ACTION), TASKS)
