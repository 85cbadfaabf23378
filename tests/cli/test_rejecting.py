"""`--rejects FILE`: commands go on without the dialogues that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import Run


@pytest.mark.parametrize(
    "command",
    [
        "convert {} out",
        "lint {}",
        "stats {}",
        "sample {} out -n 5",
        "split {} out",
        "filter {} out",
    ],
)
def test_commands_write_what_was_set_aside(command: str, run: Run, tmp_path: Path) -> None:
    turn = {"frames": [], "speaker": "USER", "utterance": "Hi."}
    dialogues = [{"dialogue_id": "1", "turns": [turn]}, {"dialogue_id": "2", "turns": [turn, 3]}]
    file = tmp_path / "dialogues_001.json"
    file.write_text(json.dumps(dialogues))
    words = command.replace("out", str(tmp_path / "out")).format(file).split()
    assert run(*words).code == 2
    done = run(*words, "--rejects", tmp_path / "bad.jsonl")
    assert done.code in (0, 1), done.err  # lint has findings
    (line,) = (tmp_path / "bad.jsonl").read_text().splitlines()
    assert json.loads(line)["index"] == 1


def test_a_code_is_explained_without_a_corpus(run: Run) -> None:
    done = run("lint", "--explain", "E603")
    assert done.code == 0
    assert done.out.startswith("E603, error")
    assert len(run("lint", "--explain", "all").out.splitlines()) > 100
    assert run("lint", "--explain", "E6").refused("unknown code")
