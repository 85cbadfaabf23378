"""Schema attention: a tiny encoder learns which node a history is like; what is missing is said."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.protocol import examples, questions
from dialoom.bench.core.run import run
from dialoom.dialogue import NextAction
from dialoom.errors import FormatError, MissingDataError, UsageError
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models import load
from dialoom.models.neural.schema_attention import SchemaAttention, nodes_of
from dialoom.schema import pack
from tests.bench import tiny
from tests.make import refuses

pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")
pytest.importorskip("transformers", reason="not installed: dialoom[neural]")


def asked(path: Path) -> Any:
    return tiny.plan(PROTOCOLS.get("star-next-action"), tiny.star(path)).holdouts[0]


def fitted(path: Path, **settings: Any) -> SchemaAttention:
    model = SchemaAttention(length=48, batch=4, **settings)
    model.fit(examples(asked(path).train), tiny.SCHEMAS)
    return model


@pytest.mark.parametrize("schema", [True, False])
def test_it_learns_and_answers(tmp_path: Path, weights: str, *, schema: bool) -> None:
    model = fitted(tmp_path, weights=weights, schema=schema, epochs=20, rate=0.1)
    train = asked(tmp_path).train
    answers = model.predict(questions(train), tiny.SCHEMAS)
    right = sum(each.answer == target.gold for each, target in zip(answers, train, strict=True))
    assert right >= 5 * len(train) / 6  # 5 of 6
    for each in answers:
        assert each.ranking[0][0] == each.answer
        assert sum(weight for _, weight in each.ranking) == pytest.approx(1, abs=1e-3)


def test_the_same_seed_gives_the_same_answers(tmp_path: Path, weights: str) -> None:
    one, two, other = (
        fitted(tmp_path, weights=weights, epochs=2, seed=seed).predict(
            questions(asked(tmp_path).test), tiny.SCHEMAS
        )
        for seed in (0, 0, 1)
    )
    assert one == two
    assert one != other


def test_encodings_lie_in_the_folder_that_outcomes_are_kept_in(
    tmp_path: Path, weights: str
) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-next-action"), tiny.star(tmp_path))
    make = partial(SchemaAttention, weights=weights, length=48, epochs=1)
    outcomes, alone = list(run(plan, make, cache=tmp_path / "kept")), list(run(plan, make))
    assert [each.predictions for each in outcomes] == [each.predictions for each in alone]


def test_an_action_that_was_never_trained_on_can_be_answered(tmp_path: Path, weights: str) -> None:
    model = fitted(tmp_path, weights=weights, epochs=1)
    task = pack.load("hotel_book")
    target = asked(tmp_path).test[0]
    target = type(target)(
        target.source, target.event, type(target.asked)("hotel_book"), "", target.seen, 1
    )
    (prediction,) = model.predict(questions([target]), {"hotel_book": task})
    assert set(nodes_of(task).following) <= {label for label, _ in prediction.ranking}


def test_a_saved_model_answers_the_same(tmp_path: Path, weights: str) -> None:
    model = fitted(tmp_path, weights=weights, epochs=1)
    save(model, tmp_path / "model", TrainingRecord(), ())
    copy = load(tmp_path / "model", NextAction).model
    asking = questions(asked(tmp_path).test)
    assert copy.predict(asking, tiny.SCHEMAS) == model.predict(asking, tiny.SCHEMAS)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with refuses(MissingDataError, "no-file", "config.json"):
        fitted(tmp_path, weights=str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    with refuses(FormatError, "damaged"):
        fitted(tmp_path, weights=str(tmp_path))
    with refuses(UsageError, "not-fitted"):
        SchemaAttention().predict([], {})
