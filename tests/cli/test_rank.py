"""`dialoom rank`, and the protocol `dstc6` on files with answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import Run, alone


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("simulated") / "made"
    done = alone("simulate", "--preset", "dstc6", "-n", "30", "--seed", "3", "--out", folder)
    assert done.code == 0
    return folder


def items(made: Path, part: str, task: int) -> Path:
    (file,) = (made / part).glob(f"dialog-task{task}*tst30.json")
    return file


def test_items_of_another_kb_are_ranked(run: Run, made: Path, tmp_path: Path) -> None:
    file, out = items(made, "tst4", 3), tmp_path / "results.json"
    facts = ("--kb", made / "extendedkb1.txt", "--kb", made / "extendedkb2.txt")
    done = run("rank", file, *facts, "--train", made / "train", "--out", out)
    assert done.code == 0
    assert "30 rankings learnt from" in done.out
    assert run("dstc6", "check", out, "--dialogues", file, "--strict").code == 0
    answers = file.with_name(f"{file.stem}.answers.json")
    score = json.loads(run("dstc6", "score", out, answers, "--json", "-").out)
    assert score["p@1"] > 90


def test_the_same_is_written_again(run: Run, made: Path) -> None:
    file = items(made, "tst1", 4)
    once, again = (run("rank", file, "--train", made / "train", "--out", "-").out for _ in range(2))
    assert once == again
    assert len(json.loads(once)) == 30


def test_what_is_learnt_from_must_be_there(run: Run, made: Path, tmp_path: Path) -> None:
    done = run("rank", items(made, "tst1", 1), "--train", tmp_path, "--out", tmp_path / "r")
    assert done.code == 2
    assert not (tmp_path / "r").exists()


def test_files_with_answers_are_scored_by_the_protocol(run: Run, made: Path) -> None:
    options = ("--corpus", made, "--split", "tst2", "--train-corpus", made / "train")
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
    asked = lines.read_text().splitlines()
    assert all(
        json.loads(line)["dialogue"].startswith("dialog-babi-task4tst-OOV") for line in asked
    )
    refused = run("bench", "babi", "--corpus", folder, "--split", "tst")
    assert refused.refused("has no part 'tst'; its parts: dev, test, test-OOV, train")
