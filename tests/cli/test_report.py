from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from dialoom.cli.command import Commands
from dialoom.cli.report import report
from dialoom.errors import DialoomError, MissingDataError, OutputError, UsageError
from tests.bench.report_sample import SAMPLE, change, write_run
from tests.make import refuses

app = Commands("dialoom")
app.command()(report)


def run(*arguments: object) -> str:
    """Run the command; errors of ours are raised, as they reach the command line's own handler."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception
    return result.output


def test_it_writes_one_page(tmp_path: Path) -> None:
    out = tmp_path / "new" / "page.html"
    output = run(write_run(tmp_path), "--corpus", SAMPLE, "--out", out, "--errors", 1)
    assert f"report on 1 run written to {out}" in output.replace("\n", "")
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [entry.name for entry in out.parent.iterdir()] == ["page.html"]


def test_runs_of_the_same_name_are_told_apart_by_folder(tmp_path: Path) -> None:
    paths = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        paths.append(write_run(tmp_path / name))
    out = tmp_path / "page.html"
    assert "report on 2 runs" in run(*paths, "--out", out)
    html = out.read_text(encoding="utf-8")
    assert f"{tmp_path / 'a' / 'run'} (thirds)" in html


def test_missing_predictions_leave_out_their_sections(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    output = run(write_run(tmp_path, predictions=False), "--out", out)
    assert "no predictions of run" in output
    assert 'id="errors"' not in out.read_text(encoding="utf-8")


def test_predictions_may_lie_elsewhere(tmp_path: Path) -> None:
    path = write_run(tmp_path)
    elsewhere = path.with_suffix(".jsonl").rename(tmp_path / "elsewhere.jsonl")
    out = tmp_path / "page.html"
    run(path, "--predictions", elsewhere, "--corpus", SAMPLE, "--out", out)
    assert 'id="errors"' in out.read_text(encoding="utf-8")


def test_predictions_are_given_once_for_each_run(tmp_path: Path) -> None:
    paths = [write_run(tmp_path, name) for name in ("a", "b")]
    with refuses(UsageError, "mismatch", "1", "2"):
        run(*paths, "--predictions", paths[0].with_suffix(".jsonl"))


def test_bad_input_is_an_error_of_ours_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    path = write_run(tmp_path)
    with pytest.raises(MissingDataError):
        run(tmp_path / "absent.json", "--out", out)
    with pytest.raises(MissingDataError):
        run(path, "--corpus", tmp_path / "absent", "--out", out)
    with refuses(DialoomError, "not-json"):
        run(path.with_suffix(".jsonl"), "--out", out)
    change(path, protocol="nonsense")
    with refuses(UsageError, "unknown-name", "nonsense"):
        run(path, "--corpus", SAMPLE, "--out", out)
    assert not out.exists()


def test_an_output_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        run(write_run(tmp_path), "--out", tmp_path / "file" / "page.html")


def test_answers_that_are_no_labels_are_not_read(tmp_path: Path) -> None:
    path = write_run(tmp_path)
    change(path, protocol="babi")
    output = run(path, "--out", tmp_path / "page.html")
    assert "other than labels" in output
    assert "--predictions" not in output
    with refuses(UsageError, "not-taken", "--predictions", "other than labels"):
        run(path, "--predictions", path.with_suffix(".jsonl"), "--out", tmp_path / "page.html")
