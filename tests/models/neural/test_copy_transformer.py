"""The copy transformer and a language model in its place: what they copy, read and refuse."""

from __future__ import annotations

import math
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")
pytest.importorskip("transformers", reason="not installed: dialoom[neural]")

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.protocol import examples, questions
from dialoom.dialogue import NextReply, Prediction
from dialoom.errors import FormatError, MissingDataError, UsageError
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models import load
from dialoom.models.neural.copy_transformer import CopyTransformer
from dialoom.models.neural.copying import CopyWriter, Size
from dialoom.models.neural.language_model import LanguageModel
from dialoom.models.neural.writers import ReplyContext, Training, batches
from tests.bench import tiny

SMALL: dict[str, Any] = {
    "pieces": 300,
    "width": 16,
    "layers": 1,
    "heads": 2,
    "epochs": 1,
    "length": 48,
}


def told(number: int, draw: random.Random) -> tuple[ReplyContext, str]:
    """Return a source with a code of four letters, and the reply that gives it."""
    code = "".join(draw.choices("bcdfghklmnprst", k=4))
    return ReplyContext(f"USER: my code {number} is {code} thanks"), f"So it is {code}?"


def test_it_copies_what_it_never_saw() -> None:
    draw = random.Random(0)
    pairs = [told(number, draw) for number in range(700)]
    writer = CopyWriter(Size(300, 32, 1, 2), Training(8, 5e-3, 32, 48, 0))
    writer.fit(*zip(*pairs[:640], strict=True))
    found = writer.write([source for source, _ in pairs[640:]])
    right = sum(one == reply for one, (_, reply) in zip(found, pairs[640:], strict=True))
    assert right > 54  # all 60
    source, reply = pairs[640]
    likely, other, longer = writer.log_likelihoods([source] * 3, [reply, pairs[641][1], "x" * 999])
    assert 0 > likely > other > longer > -math.inf


def test_a_batch_holds_what_is_alike_in_length() -> None:
    lengths = [number % 10 for number in range(200)]
    found = batches(lengths, 20, random.Random(0))
    assert sorted(number for part in found for number in part) == list(range(200))
    assert all(len({lengths[number] for number in part}) == 1 for part in found)


@pytest.mark.parametrize("templates", [0, 3])
def test_one_seed_gives_the_same_texts(tmp_path: Path, templates: int) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-response"), tiny.star(tmp_path))
    holdout = plan.holdouts[0]
    make = partial(CopyTransformer, templates=templates, **SMALL)
    answers = []
    for _ in range(2):
        model = make()
        model.fit(examples(holdout.train), plan.train_schemas)
        answers.append(model.predict(questions(holdout.test), plan.schemas))
    assert answers[0] == answers[1]
    assert all(isinstance(each.answer, str) for each in answers[0])


def test_templates_of_the_likeliest_actions_are_read(tmp_path: Path) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-response"), tiny.star(tmp_path))
    asked = questions(plan.holdouts[0].test)[:1]
    task = plan.schemas[asked[0].asked.task]
    replies = [name for name, text in task.replies.items() if text]
    ranked = Prediction("query", tuple((name, 0.5) for name in ["query", *replies]))
    model = CopyTransformer(templates=1)
    (source,) = model._sources(asked, [ranked], plan.schemas)
    assert source.hints.count("template:") == 1
    assert task.replies[replies[0]] in source.hints


def test_a_language_model_of_a_folder_takes_its_place(tmp_path: Path, language_model: str) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-response"), tiny.star(tmp_path))
    holdout = plan.holdouts[0]
    model = CopyTransformer(weights=language_model, templates=0, epochs=1, length=64)
    model.fit(examples(holdout.train), plan.train_schemas)
    found = model.predict(questions(holdout.test), plan.schemas)
    assert len(found) == len(holdout.test)


def test_a_language_model_learns_what_to_say(language_model: str) -> None:
    writer = LanguageModel(language_model, "a test", Training(60, 0.02, 8, 64, 0))
    pairs = [(ReplyContext("user: hi"), "hello."), (ReplyContext("user: bye"), "farewell.")] * 8
    writer.fit(*zip(*pairs, strict=True))
    said = [text.replace(" ", "") for text in writer.write([source for source, _ in pairs[:2]])]
    assert said == ["hello.", "farewell."]
    chances = writer.log_likelihoods([pairs[0][0]] * 3, ["hello.", "farewell.", "hello." * 99])
    assert 0 > chances[0] > chances[1] > chances[2]
    long = writer.write([ReplyContext("user: hi " * 200)])  # cut to what the model can read
    assert len(long) == 1


def test_a_saved_model_answers_the_same(tmp_path: Path, language_model: str) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-response"), tiny.star(tmp_path))
    train, asking = examples(plan.holdouts[0].train), questions(plan.holdouts[0].test)
    model = CopyTransformer(templates=1, **SMALL)
    model.fit(train, plan.train_schemas)
    save(model, tmp_path / "model", TrainingRecord(), ())
    found = load(tmp_path / "model", NextReply).model
    assert found.predict(asking, plan.schemas) == model.predict(asking, plan.schemas)
    large = CopyTransformer(templates=0, weights=language_model, epochs=1)
    large.fit(train, plan.train_schemas)
    with pytest.raises(UsageError, match="as large as its folder"):
        save(large, tmp_path / "large", TrainingRecord(), ())


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="multiple of heads"):
        CopyTransformer(width=30, heads=4)
    with pytest.raises(UsageError, match="must be fitted"):
        CopyTransformer().predict([], {})
    plan = tiny.plan(PROTOCOLS.get("star-response"), tiny.star(tmp_path))
    train = examples(plan.holdouts[0].train)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(MissingDataError, match=r"no config\.json"):
        CopyTransformer(weights=str(empty)).fit(train, plan.train_schemas)
    (empty / "config.json").write_text("{}")
    with pytest.raises(FormatError, match="not weights"):
        CopyTransformer(weights=str(empty)).fit(train, plan.train_schemas)
