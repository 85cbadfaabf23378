"""`dialoom distance`: table, JSON values and page."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

import pytest

from dialoom.bench.suite.experiments import Simulated
from dialoom.bench.suite.running import simulate
from tests.cli.runner import Run

MANY = 24
"""Dialogues of each corpus."""


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("compared")
    for seed in (1, 2):
        simulate(Simulated("star", MANY, seed=seed, tasks="weather"), folder / str(seed))
    return folder / "1", folder / "2"


def test_table(run: Run, corpora: tuple[Path, Path]) -> None:
    done = run("distance", *corpora)
    assert (done.code, done.err) == (0, "")
    for words in ("acts, two in a row", "words, user", "inputs of calls", "divergence:jensen"):
        assert words in done.out


def test_json_and_page(run: Run, corpora: tuple[Path, Path], tmp_path: Path) -> None:
    file, page = tmp_path / "found.json", tmp_path / "page.html"
    assert run("distance", *corpora, "--json", file, "--html", page).code == 0
    report = json.loads(file.read_bytes())
    assert report["dialogues"] == {"simulated": MANY, "real": MANY}
    assert "real.digest:" in report["signature"]
    assert escape(report["signature"]) in page.read_text()
    assert run("distance", *corpora, "--json", "-").out == file.read_text()


def test_only_tasks_that_both_have_are_compared(
    run: Run, corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    both = tmp_path / "both"
    settings = ("--tasks", "weather,trivia", "-n", 16, "--seed", 3)
    assert run("simulate", *settings, "--out", both).code == 0
    report = json.loads(run("distance", both, corpora[0], "--json", "-").out)
    assert report["tasks"] == ["weather"]
    assert report["left_out"] == {"simulated": 8, "real": 0}
    assert report["dialogues"] == {"simulated": 8, "real": MANY}
    assert "tasks:1 in both" in report["signature"]
    assert "8 simulated and 0 real" in run("distance", both, corpora[0]).out.replace("\n", " ")
    every = json.loads(run("distance", both, corpora[0], "--all-tasks", "--json", "-").out)
    assert every["dialogues"] == {"simulated": 16, "real": MANY}


def test_bad_input(run: Run, corpora: tuple[Path, Path], tmp_path: Path) -> None:
    one, other = corpora
    assert run("distance", one, tmp_path / "none").refused("none")
    assert run("distance", one, other, "--real-format", "papyrus").refused("unknown format")
    assert run("distance", one, other, "--json", "-", "--html", "-").refused("standard output")
