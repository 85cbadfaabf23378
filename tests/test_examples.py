"""The examples run as a reader would run them, without corpora, and the sample is sound."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue.views import action, tasks
from dialoom.quality.roundtrip import roundtrip
from dialoom.quality.stats import Statistics

EXAMPLES = Path(__file__).parents[1] / "examples"
SAMPLE = EXAMPLES / "sample"


def run(script: Path, folder: Path, *arguments: str) -> str:
    environment = {k: v for k, v in os.environ.items() if k != "DIALOOM_CORPORA"}
    environment.setdefault("OMP_NUM_THREADS", "1")  # tests may run beside one another
    done = subprocess.run(
        [sys.executable, "-W", "error", script, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("[0-9]*.py")), ids=lambda path: path.stem)
def test_an_example_runs(script: Path, tmp_path: Path) -> None:
    assert run(script, tmp_path).strip()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("page", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(page: Path, tmp_path: Path) -> None:
    cells = [each for each in json.loads(page.read_bytes())["cells"] if each["cell_type"] == "code"]
    script = tmp_path / f"{page.stem}.py"
    script.write_text("\n\n".join("".join(each["source"]) for each in cells))
    assert run(script, EXAMPLES).strip()
    assert not any(each["outputs"] or each["execution_count"] for each in cells)


@pytest.mark.long
def test_the_demonstration_runs_without_corpora(tmp_path: Path) -> None:
    output = run(EXAMPLES / "demo.py", tmp_path, "24")
    assert "24 dialogues simulated from 24 tasks" in output
    assert "without hotel, restaurant, trip," in output
    assert "as the simulated system" in output
    files = sorted(path.name for path in (tmp_path / "out" / "demo").iterdir())
    assert files == ["dialogues", "report.html", "run.json", "run.jsonl"]
    page = (tmp_path / "out" / "demo" / "report.html").read_text()
    assert page.count('aria-label="Flow of ') == 6


@pytest.mark.corpus
def test_the_demonstration_tells_of_star_where_it_is_at_hand(
    star: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from demo_data import published  # type: ignore[import-not-found]

    story = published(star.parent, tmp_path)
    assert story.corpus.format == "native"
    assert len(story.plan.holdouts) == 3
    assert not any(holdout.leak for holdout in story.plan.holdouts)
    assert story.beside.system == "SAM"


def test_the_sample_is_ten_dialogues_that_come_back_byte_for_byte() -> None:
    corpus = formats.load(SAMPLE)
    assert corpus.format == "star"
    verdicts = [verdict for _, verdict in roundtrip(corpus, formats.get("star"))]
    assert verdicts == ["bytes"] * 10


def test_the_sample_has_what_the_examples_need() -> None:
    corpus = formats.load(SAMPLE)
    counts = Statistics(formats.get("star").event_name).add_all(corpus.dialogues()).result()
    assert counts["difficulty_of_complete"] == {"happy": 8, "multi-task": 1, "unhappy": 1}
    assert len(counts["domains"]) == 4
    for dialogue in corpus.dialogues():
        vocabulary = {label for task in tasks(dialogue) for label in corpus.schemas[task].replies}
        labels = {label for event in dialogue.events if (label := action(event))}
        assert labels <= vocabulary
