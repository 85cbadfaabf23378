"""`dialoom score`: one system, several, and what is written."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.runner import Run
from tests.formats.star_json import DATA

TST9 = DATA / "dstc6" / "tst9"


def test_one_system_gives_a_run_file_and_lines(run: Run, tmp_path: Path) -> None:
    written = tmp_path / "run.json", tmp_path / "run.jsonl"
    options = ["--json", written[0], "--predictions", written[1]]
    done = run("score", "sgd-tracking", DATA / "sgd" / "dev", "--corpus", DATA / "sgd", *options)
    assert done.code == 0
    assert "100.00" in done.out
    result = json.loads(written[0].read_text())
    assert result["model"] == "dev"
    again = run("score", "sgd-tracking", written[1], "--corpus", DATA / "sgd", "--json", "-")
    assert json.loads(again.out)["scores"]["joint_goal_accuracy"]["value"] == 100
    assert run("report", written[0], "--out", tmp_path / "page.html").code == 0


def test_several_systems_give_a_list(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / f"{seed}.json" for seed in range(2)]
    for seed, file in enumerate(files):
        (items,) = TST9.glob("*tst0002.json")
        run("dstc6", "baseline", "random", items, "--seed", seed, "--out", file)
    done = run("score", "dstc6", *files, "--corpus", TST9, "--json", tmp_path / "all.json")
    assert done.code == 0
    assert "task2REFINE kb1 atmosphere" in done.out
    first, second = json.loads((tmp_path / "all.json").read_text())
    assert [each["system"] for each in first["against"]] == ["1"]
    assert second["against"] == []
