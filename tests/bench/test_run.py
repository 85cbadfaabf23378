"""Fitting and asking: masks, hold-outs chosen, processes, settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import NamedModel, choose
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.run import mask, run, select
from dialoom.dialogue import Example, Prediction, Question
from dialoom.errors import UnknownNameError
from dialoom.models import settings_of
from dialoom.registry import Registry
from dialoom.schema.task import TaskSchema
from tests.bench import tiny
from tests.make import refuses

DOMAIN = PROTOCOLS.get("star-zero-shot-domain")


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {"frequency": "tests.bench.tiny:Frequency"}
    registry: Registry[object] = Registry("model", "dialoom.models", entries)
    monkeypatch.setattr("dialoom.bench.core.making.MODELS", registry)
    monkeypatch.setattr("dialoom.models.MODELS", registry)


def test_each_question_is_answered_in_order(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, tiny.star(tmp_path))
    outcomes = list(run(plan, tiny.Frequency))
    assert [o.holdout for o in outcomes] == ["weather", "trivia"]
    assert [len(o.predictions) for o in outcomes] == [len(h.test) for h in plan.holdouts]
    assert all(o.seconds >= 0 for o in outcomes)
    # Only trivia is learnt from where weather is held out.
    assert {p.answer for p in outcomes[0].predictions} == {"trivia_ask"}


def test_any_number_of_processes_gives_the_same(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, tiny.star(tmp_path))
    make = partial(tiny.Frequency, without=("history",))
    alone, together = (list(run(plan, make, workers=n)) for n in (1, 2))
    assert write_predictions(plan, alone) == write_predictions(plan, together)


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    plan, notices = tiny.plan(DOMAIN, tiny.star(tmp_path)), list[str]()
    keep = partial(run, cache=tmp_path / "kept", notify=notices.append)
    (first,) = keep(select(plan, ["weather"]), tiny.Frequency)
    both = list(keep(plan, tiny.Frequency))
    assert notices == ["weather", "trivia"]
    assert both[0] == first
    assert write_predictions(plan, both) == write_predictions(plan, run(plan, tiny.Frequency))
    assert len(list(keep(plan, partial(tiny.Frequency, seed=1)))) == 2  # others are fitted anew
    assert notices[2:] == ["weather", "trivia"]


class Witness(tiny.Frequency):
    """Notes which schemas it was given."""

    def fit(self, examples: Sequence[Example[Any, str]], schemas: Mapping[str, TaskSchema]) -> None:
        self.fitted = schemas
        super().fit(examples, schemas)

    def predict(
        self, questions: Sequence[Question[Any]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[str]]:
        same = "same" if schemas is self.fitted else "/".join((*self.fitted, *schemas))
        return [Prediction(same)] * len(questions)


def test_fitting_and_asking_have_the_schemas_of_their_corpora(tmp_path: Path) -> None:
    train, test = tiny.star(tmp_path), tiny.star(tmp_path)
    vars(test)["schemas"] = {"weather": tiny.SCHEMAS["weather"]}
    for plan, names in (
        (tiny.plan(DOMAIN, test, train), "weather/trivia/weather"),
        (tiny.plan(DOMAIN, train), "same"),
    ):
        outcomes = list(run(plan, Witness))
        assert {p.answer for o in outcomes for p in o.predictions} == {names}


def test_a_mask_takes_the_best_ranked_action_of_the_task() -> None:
    inside = frozenset({"ask", "query"})
    ranked = Prediction("bye", (("bye", 3.0), ("query", 2.0), ("hello", 1.5), ("ask", 1.0)))
    assert mask(ranked, inside) == Prediction("query", (("query", 2.0), ("ask", 1.0)))
    answer = Prediction("ask", (("bye", 3.0),))
    assert mask(answer, inside) is answer
    outside = Prediction("bye", (("hello", 1.0),))
    assert mask(outside, inside) is outside


def test_the_masked_form_leaves_nothing_outside_the_schema_that_was_ranked(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, tiny.star(tmp_path), form="mask")
    assert plan.allowed is not None
    (trivia,) = (o for o in run(plan, tiny.Frequency) if o.holdout == "trivia")
    assert {p.answer for p in trivia.predictions} == {"trivia_ask"}


def test_some_hold_outs_only(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, tiny.star(tmp_path))
    assert select(plan, []) is plan
    part = select(plan, ["trivia"])
    assert [h.name for h in part.holdouts] == ["trivia"]
    assert part.options["only"] == "trivia"
    with refuses(UnknownNameError, "unknown-name", "trivial", "trivia"):
        select(plan, ["trivial"])


def test_settings_are_checked_by_name() -> None:
    model = NamedModel("frequency", {"without": ("history",)})()
    assert settings_of(model) == {"without": ("history",)}
    with refuses(UnknownNameError, "unknown-name", "frequency", "encodr"):
        NamedModel("frequency", {"encodr": "x"})()
    assert choose("frequency", DOMAIN, [], 3) == NamedModel("frequency", {"seed": 3})
