"""Rewards and pairs of dialogues of a run."""

from __future__ import annotations

import json
from pathlib import Path

from dialoom import formats
from dialoom.play.running.plan import make_run, plan_of
from dialoom.schema import pack


def test_a_run_is_training_data(tmp_path: Path) -> None:
    tasks = (pack.load("hotel_book"),)
    run = make_run(plan_of(tasks, "silent", "simulated", 1, 2, 5), tmp_path / "silent")
    better = make_run(plan_of(tasks, "flow", "simulated", 1, 2, 5), tmp_path / "flow")
    trials = [each.dialogue for each in (*run.dialogues, *better.dialogues)]
    out = tmp_path / "chat"
    out.mkdir()
    formats.get("chat").write(trials, {task.id: task for task in tasks}, out)
    (lines,) = out.glob("*.jsonl")
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [each["reward"] for each in rows] == [0, 0, 1, 1]
    assert {each["goal"] for each in rows} == {"hotel_book-0"}
    assert all(each["tools"] for each in rows)
    turns = [m["reward"] for m in rows[2]["messages"] if m["role"] == "assistant"]
    assert sum(turns) >= 0.8 * len(turns)  # a value that was misheard is asked for again
    (file,) = out.glob("*.pairs.json")
    pairs = json.loads(file.read_text())
    assert len(pairs) == 2
    assert pairs[0]["chosen"] == rows[2]["messages"]
    assert pairs[0]["rejected"] == rows[0]["messages"]
    assert pairs[0]["tools"] == rows[2]["tools"]
    again = list(formats.load(out).dialogues())
    assert [d.id for d in again] == [d.id for d in trials]
