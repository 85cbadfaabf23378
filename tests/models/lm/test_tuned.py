"""A local language model that is fine-tuned on training questions, saved, loaded and asked."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from dialoom.bench.core.protocol import Target, examples, questions
from dialoom.dialogue import NextAction
from dialoom.errors import DialoomError, FormatError, UsageError
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models import load
from dialoom.models.lm.kinds import PROMPTS
from dialoom.models.lm.model import TransformersModel, weights_version
from dialoom.models.lm.prompt import Inventory
from dialoom.models.lm.tuned import TunedModel
from tests.bench import tiny
from tests.cli.runner import Run
from tests.http.tiny_model import local_model
from tests.models.lm.scripted import GOOD, TASKS, asked, body, corpus, serve
from tests.pages import ROOT, commands

pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")

corpus, serve = corpus, serve

SHORT = {"request": "max_tokens=20", "workers": 1}

SCHEMAS: dict[str, Any] = {}


def weather(said: str, answer: str, source: str) -> Target:
    return Target(source, 0, NextAction("weather"), answer, (tiny.user(said),), 1)


TARGETS = [weather("Rain?", "weather_ask_day", "0"), weather("Bye.", "weather_bye", "1")]

TEXTS = [
    f"{message['content']}\n\n{prompt.answered(example)}"
    for example in examples(TARGETS)
    for prompt in [PROMPTS[NextAction](SCHEMAS, Inventory(examples(TARGETS)))]
    for message in prompt.messages(example.question, (), prompt)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return local_model(tmp_path_factory, TEXTS)


def tuned(folder: Path, **settings: Any) -> TunedModel:
    model = TunedModel(folder=str(folder), **{**SHORT, **settings})
    model.fit(examples(TARGETS), SCHEMAS)
    return model


@pytest.mark.parametrize("rank", [0, 8])
def test_it_learns_the_form_and_the_answers_and_a_file_keeps_them(
    folder: Path, tmp_path: Path, rank: int
) -> None:
    model = tuned(folder, rank=rank, rate=1e-2, epochs=100, batch=2)
    answers = model.predict(questions(TARGETS), SCHEMAS)
    assert not any(each.record.unreadable for each in answers if each.record)
    assert [each.answer for each in answers] == [target.gold for target in TARGETS]
    save(model, tmp_path / "m", TrainingRecord())
    again = load(tmp_path / "m", NextAction).model
    assert again.predict(questions(TARGETS), SCHEMAS) == answers


def test_settings_and_files_are_checked(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        TunedModel(folder=str(folder)).fit([], SCHEMAS)
    with pytest.raises(UsageError):
        TunedModel(folder=str(folder)).predict(questions(TARGETS), SCHEMAS)
    with pytest.raises(DialoomError):
        tuned(tmp_path)
    with pytest.raises(UsageError):
        save(TransformersModel(folder=str(folder)), tmp_path / "m", TrainingRecord())
    moved = tmp_path / "moved"
    shutil.copytree(folder, moved)
    save(tuned(moved), tmp_path / "m", TrainingRecord())
    (moved / "config.json").write_text(f"{(moved / 'config.json').read_text()}\n")
    weights_version.cache_clear()
    with pytest.raises(FormatError):
        load(tmp_path / "m").model.predict(questions(TARGETS), SCHEMAS)


def test_drawn_examples_are_the_ones_that_are_recorded(folder: Path) -> None:
    model = tuned(folder, dialogues=1)
    (source,) = model.learnt_from(examples(TARGETS))
    assert source in {"0", "1"}


@pytest.mark.parametrize("name", sorted(asked()))
def test_every_kind_of_question_is_learned(name: str, folder: Path) -> None:
    targets = asked()[name][:2]
    model = TunedModel(folder=str(folder), request="max_tokens=4", shots=1)
    model.fit(examples(targets), TASKS)
    answers = model.predict(questions(targets), TASKS)
    assert all(each.record is not None for each in answers)


def test_the_commands_of_the_page_run(
    run: Run,
    corpus: Path,
    folder: Path,
    serve: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served = serve(lambda *_: (200, body(GOOD)))
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "how-to" / "evaluate-an-llm.md").read_text().replace("ride", "weather")
    page = page.replace("http://localhost:8000", served.url).replace("models/small", str(folder))
    page = page.replace("dialogues=500", "dialogues=1 -M request=max_tokens=4")
    (tmp_path / "page.md").write_text(page.replace("--corpus corpora", f"--corpus {corpus}"))
    lines = [shlex.split(line) for line in commands(tmp_path / "page.md")]
    assert [line[0] for line in lines] == ["bench", "bench", "bench", "report", "train", "bench"]
    for line in lines:
        done = run(*line)
        assert done.code == 0, done.err
    assert "unreadable" in done.out
    html = (tmp_path / "page.html").read_text()
    assert all(name in html for name in ("small (majority)", "llm (openai)", "0 unreadable"))
    wrong = run("train", *lines[-2][1:4], "--model", f"transformers:{folder}", "--out", "m")
    assert wrong.code == 2
