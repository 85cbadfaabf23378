"""`dialoom agreement`: tables, JSON values, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.runner import Run
from tests.quality.published_samples import DATA

SAMPLE = DATA / "taskmaster1.json"


def test_tables_and_json(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    done = run("agreement", SAMPLE, "--samples", 20, "--json", file)
    assert (done.code, done.err) == (0, "")
    for words in (
        "alpha",
        "fleiss",
        "where they disagree",
        "samples:20",
        "separate its annotators",
    ):
        assert words in done.out
    report = json.loads(file.read_bytes())
    assert report["kinds"]["spans"]["labels"]["boat_hire.num.people"]["f1"]["value"] == 1
    assert run("agreement", SAMPLE, "--samples", 20, "--json", "-").out == file.read_text()


def test_one_annotator_has_nobody_to_agree_with(run: Run) -> None:
    done = run("agreement", DATA / "frames.json")
    assert done.code == 2
    assert "no utterance has two annotators (annotators: gold)" in done.err


def test_a_single_annotation_in_taskmasters_layout_is_one_annotators(
    run: Run, tmp_path: Path
) -> None:
    segments = [
        {"start_index": 2, "end_index": 7, "annotations": [{"name": "pizza.size"}]},
        {"start_index": 8, "end_index": 13, "annotations": [{"name": "pizza.name"}]},
    ]
    turn = {"speaker": "USER", "text": "A large pizza.", "segments": segments}
    file = tmp_path / "pizza.json"
    file.write_text(json.dumps([{"conversation_id": "1", "utterances": [turn]}]))
    assert run("agreement", file).refused("no utterance has two annotators", "one annotator")
