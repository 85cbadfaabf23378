"""Scores of texts from outside: a command, a function, and what is wrong with them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dialoom.dialogue import Dialogue, Prediction, Question, Realise
from dialoom.errors import UsageError
from dialoom.metrics.base import Counts
from dialoom.metrics.pairs import OutsideScore
from tests.make import refuses

QUESTION = Question(Dialogue(id="d", events=()), 0, Realise(()))
CALLS: list[int] = []


def same(*, references: Sequence[str], candidates: Sequence[str]) -> list[float]:
    """Score 1 where two texts are the same."""
    CALLS.append(len(references))
    return [float(gold == text) for gold, text in zip(references, candidates, strict=True)]


def too_few(*, references: Sequence[str], candidates: Sequence[str]) -> list[float]:
    """Score nothing."""
    return []


def counted(metric: OutsideScore) -> Counts:
    counts: Counts = Counts()
    for gold, text in (("a", "a"), ("b  c", "b c"), ("d", "e"), ("d", "e")):
        counts += metric.statistics(QUESTION, gold, Prediction(text))
    return counts


def script(folder: Path, line: str) -> str:
    file = folder / "score.py"
    file.write_text(f"import json, sys\nfor line in sys.stdin:\n    {line}\n")
    return f"{sys.executable} {file}"


def test_a_function_scores_each_pair_once() -> None:
    CALLS.clear()
    metric = OutsideScore("tests.metrics.test_pairs:same")
    score = metric.scores(counted(metric))["bleurt"]
    assert score.value == 50.0
    assert metric.scores(counted(metric))["bleurt"] == score
    assert CALLS == [3]
    assert "by:tests.metrics.test_pairs:same" in str(score)
    assert metric.scores(Counts())["bleurt"].value == 0.0


def test_a_command_reads_lines_and_writes_numbers(tmp_path: Path) -> None:
    code = "one = json.loads(line); print(float(one['reference'] == one['candidate']))"
    metric = OutsideScore(script(tmp_path, code))
    assert metric.scores(counted(metric))["bleurt"].value == 50.0


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("", ("not-given", "bleurt")),
        ("no-such-command x", ("no-program", "no-such-command")),
        ("tests.nosuch:same", ("no-program", "tests.nosuch:same")),
        ("tests.metrics.test_pairs:nosuch", ("no-program", "tests.metrics.test_pairs:nosuch")),
        ("tests.metrics.test_pairs:CALLS", ("no-program", "tests.metrics.test_pairs:CALLS")),
    ],
)
def test_what_does_not_score_is_refused_at_once(source: str, told: tuple[str, ...]) -> None:
    with refuses(UsageError, *told):
        OutsideScore(source)


def test_what_gives_something_else_is_refused(tmp_path: Path) -> None:
    for source, words in (
        ("tests.metrics.test_pairs:too_few", ("mismatch", "0 numbers", "3 pairs")),
        (script(tmp_path, "print('x')"), ("wrong-type", "x")),
        (f"{sys.executable} -c 'raise SystemExit(3)'", ("failed", "3")),
    ):
        metric = OutsideScore(source)
        with refuses(UsageError, *words):
            metric.scores(counted(metric))
