"""Models in files: what is read back, and what is refused."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from dialoom.dialogue import NextAction, StateOf
from dialoom.errors import FormatError, MissingDataError, UnknownNameError, UsageError
from dialoom.learn.model import Model
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models import MODELS, load
from tests.make import refuses
from tests.models.tiny import SCHEMAS, examples, visits

LEARNT = list(examples(visits()))
RECORD = TrainingRecord("star-next-action", {"split": "by-id"}, {"corpus": "00"}, len(LEARNT))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    model = MODELS.get("nearest")()
    model.fit(LEARNT, SCHEMAS)
    save(model, tmp_path / "nearest.model", RECORD, {"b", "a"})
    return tmp_path / "nearest.model"


def changed(file: Path, **values: Any) -> None:
    line, _, body = file.read_bytes().partition(b"\n")
    file.write_bytes(json.dumps({**json.loads(line), **values}).encode() + b"\n" + body)


def with_body(file: Path, value: Any) -> None:
    body = pickle.dumps(value)
    header = json.loads(file.read_bytes().partition(b"\n")[0])
    header |= {"bytes": len(body), "sha256": sha256(body).hexdigest()}
    file.write_bytes(json.dumps(header).encode() + b"\n" + body)


def test_the_first_line_tells_what_a_model_learnt_from(file: Path) -> None:
    header = json.loads(file.read_bytes().partition(b"\n")[0])
    assert (header["model"], header["settings"]) == ("nearest", {})
    assert header["training"]["options"] == {"split": "by-id"}
    archive = load(file, NextAction)
    assert archive.header.training == RECORD
    assert archive.dialogues == {"a", "b"}


def test_settings_come_back(tmp_path: Path) -> None:
    save(MODELS.get("follower")(members=5, without=("net",)[:0]), tmp_path / "f", RECORD)
    assert load(tmp_path / "f").model == MODELS.get("follower")(members=5)
    assert load(tmp_path / "f").header.settings == {"members": 5}


def test_what_a_model_puts_off_is_done_before_it_is_saved(tmp_path: Path) -> None:
    model = MODELS.get("follower")(members=1, net=0.0)
    model.fit(LEARNT, SCHEMAS)
    questions = [example.question for example in LEARNT]
    before = model.predict(questions[:3], SCHEMAS)
    save(model, tmp_path / "f", RECORD)
    assert b"All booked for you" not in (tmp_path / "f").read_bytes()
    again = load(tmp_path / "f").model
    assert again.predict(questions[:3], SCHEMAS) == before
    assert again.predict(questions, SCHEMAS) == model.predict(questions, SCHEMAS)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda file: file.write_text("{}"), ("other-format",)),
        (lambda file: file.write_bytes(b"\x80\x05"), ("other-format",)),
        (lambda file: file.write_bytes(b""), ("other-format",)),
        (lambda file: file.write_bytes(file.read_bytes()[:-7]), ("damaged",)),
        (
            lambda file: file.write_bytes(file.read_bytes()[:-1] + b"?"),
            ("damaged",),
        ),
        (lambda file: changed(file, dialoom_model=2), ("wrong-version", "2", "1")),
        (lambda file: changed(file, settings=3), ("damaged",)),
        (lambda file: changed(file, versions={"dialoom": "9.9"}), ("wrong-version", "9.9")),
        (lambda file: changed(file, model="majority"), ("mismatch", "majority")),
        (lambda file: with_body(file, os.system), ("outside", ".system")),
        (lambda file: with_body(file, Path), ("outside", "pathlib")),
        (lambda file: with_body(file, pytest.fixture), ("outside", "_pytest")),
        (lambda file: with_body(file, save), ("outside", "dialoom.learn.saved.save")),
        (lambda file: with_body(file, (1, 2, 3)), ("outside",)),
        (lambda file: with_body(file, ("x", [])), ("mismatch", "nearest")),
    ],
)
def test_a_wrong_file_is_one_clear_line(
    file: Path, change: Callable[[Path], Any], told: tuple[str, ...]
) -> None:
    change(file)
    with refuses(FormatError, *told) as error:
        load(file)
    assert "\n" not in str(error.value)


def test_another_kind_of_model_and_no_model_at_all(file: Path) -> None:
    with refuses(UsageError, "wrong-kind", "nearest", "next-action"):
        load(file, StateOf)
    with refuses(MissingDataError, "no-file"):
        load(file.parent / "none")
    changed(file, model="neares")
    with refuses(UnknownNameError, "unknown-name", "nearest"):
        load(file)


def test_a_model_that_holds_what_no_file_may_is_not_saved(tmp_path: Path) -> None:
    model: Model = MODELS.get("majority")()
    for ranking in (os.system, lambda: 0):
        vars(model)["_ranking"] = ranking
        with refuses(UsageError, "not-saved", "majority"):
            save(model, tmp_path / "m", RECORD)
    assert not list(tmp_path.iterdir())
