"""`dialoom rank`, and the protocol `dstc6` on files with answers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.runner import Run


def items(dstc6: Path, part: str, task: int) -> Path:
    (file,) = (dstc6 / part).glob(f"dialog-task{task}*tst20.json")
    return file


def test_items_of_another_kb_are_ranked(run: Run, dstc6: Path, tmp_path: Path) -> None:
    file, out = items(dstc6, "tst4", 3), tmp_path / "results.json"
    facts = ("--kb", dstc6 / "extendedkb1.txt", "--kb", dstc6 / "extendedkb2.txt")
    command = ("rank", file, *facts, "--train", dstc6 / "train", "--out")
    done = run(*command, out)
    assert done.code == 0
    assert "20 rankings learnt from" in done.out
    assert len(json.loads(out.read_text())) == 20
    assert run(*command, "-").out == out.read_text(), "another run writes the same"
    assert run("dstc6", "check", out, "--dialogues", file, "--strict").code == 0
    answers = file.with_name(f"{file.stem}.answers.json")
    score = json.loads(run("dstc6", "score", out, answers, "--json", "-").out)
    assert score["p@1"] > 90


def test_what_is_learnt_from_must_be_there(run: Run, dstc6: Path, tmp_path: Path) -> None:
    done = run("rank", items(dstc6, "tst1", 1), "--train", tmp_path, "--out", tmp_path / "r")
    assert done.code == 2
    assert not (tmp_path / "r").exists()


def test_files_with_answers_are_scored_by_the_protocol(run: Run, dstc6: Path) -> None:
    options = ("--corpus", dstc6, "--split", "tst2", "--train-corpus", dstc6 / "train")
    done = run("bench", "dstc6", *options, "--only", "task4INFOS", "--json", "-")
    assert done.code == 0
    assert json.loads(done.out)["scores"]["p@1"]["value"] > 75


def test_babi_is_asked_by_parts_that_files_are_named_after(run: Run, tmp_path: Path) -> None:
    folder, lines = tmp_path / "babi", tmp_path / "lines.jsonl"
    assert run("simulate", "--preset", "babi", "-n", 40, "--out", folder).code == 0
    options = ("--corpus", folder, "--only", "task4", "--json", "-", "--predictions", lines)
    done = run("bench", "babi", *options, "--split", "test-OOV")
    scores = json.loads(done.out)["scores"]
    assert scores["per-response"]["value"] > 90
    assert scores["per-dialogue"]["value"] > 70
    rows = lines.read_text().splitlines()
    assert all(json.loads(line)["dialogue"].startswith("dialog-babi-task4tst-OOV") for line in rows)
    refused = run("bench", "babi", "--corpus", folder, "--split", "tst")
    assert refused.refused("has no part 'tst'; its parts: dev, test, test-OOV, train")
