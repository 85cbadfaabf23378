"""`bench --all` from the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dialoom.bench.suite import running
from dialoom.bench.suite.experiments import Experiment, experiments
from dialoom.bench.suite.running import Done, Missing, Sources, run_all
from tests.cli.runner import Run

MAJORITY, NEAREST = "star-next-action-majority", "star-next-action-nearest"


def test_the_page_has_what_another_run_writes_meanwhile(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"

    def beside(
        queue: Iterable[Experiment], sources: Sources, **options: Any
    ) -> Iterator[Done | Missing]:
        list(run_all(experiments([NEAREST], quick=True), Sources(None, out)))
        yield from run_all(queue, sources, **options)

    monkeypatch.setattr(running, "run_all", beside)
    done = run("bench", "--all", "--quick", "--out", out, "--only", MAJORITY)
    assert (done.code, "1 experiment run" in done.out) == (0, True)
    page = (out / "index.html").read_text(encoding="utf-8")
    for name in (MAJORITY, NEAREST):
        assert f'href="{name}.html"' in page
    assert f"from earlier runs, perhaps of other code or data: {NEAREST}" in page


@pytest.mark.parametrize(
    "given",
    [
        ("--model", "majority"),
        ("-M", "a=1"),
        ("-P", "a=1"),
        ("--metric", "bleu"),
        ("--limit", 3),
        ("--seed", 1),
        ("--nested",),
        ("--train-corpus", "x"),
        ("--against", "x"),
        ("--predictions", "x"),
        ("--official", "x"),
    ],
)
def test_options_of_one_experiment_are_refused(
    run: Run, tmp_path: Path, given: tuple[object, ...]
) -> None:
    done = run("bench", "--all", "--quick", "--out", tmp_path / "out", *given)
    assert done.refused(f"{given[0]} does not go with --all")


def test_one_experiment_and_all_exclude_each_other(run: Run, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "out")
    assert run("bench", MAJORITY, "--all", "--quick", *out).refused("the name of an experiment")
    assert run("bench", MAJORITY, "--corpus", "x", "--seeds", 3).refused("--seeds goes with --all")
