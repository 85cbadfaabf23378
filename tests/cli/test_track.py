"""`dialoom track`: the states that a saved model predicts, written into a corpus."""

from __future__ import annotations

import json
from pathlib import Path

from dialoom import formats
from dialoom.dialogue import Utterance
from tests.cli.runner import Run
from tests.formats.star_json import DATA

PART = DATA / "sgd" / "dev"


def test_states_are_written_and_counted(run: Run, tmp_path: Path) -> None:
    model = tmp_path / "empty.model"
    fitted = run(
        "train", "sgd-tracking", "--corpus", DATA / "sgd", "--model", "empty", "--out", model
    )
    assert fitted.code == 0
    done = run("track", PART, tmp_path / "out", "--model", model, "--json", tmp_path / "made.json")
    assert done.code == 0
    counts = json.loads((tmp_path / "made.json").read_text())
    layers = [
        layer
        for dialogue in formats.load(tmp_path / "out")
        for event in dialogue.events
        if isinstance(event, Utterance)
        for layer in event.layers
        if layer.source == "tracker"
    ]
    assert counts["states"] == sum(len(layer.parts) for layer in layers) > 0
    assert f"{counts['states']} states in {counts['dialogues']} dialogues written to" in done.out


def test_a_model_that_is_shown_other_things_than_in_training_is_told(
    run: Run, tmp_path: Path
) -> None:
    model = tmp_path / "empty.model"
    run("train", "sgd-tracking", "--corpus", DATA / "sgd", "--model", "empty", "--out", model)
    same = run("track", PART, tmp_path / "same", "--model", model)
    other = run("track", PART, tmp_path / "other", "--model", model, "--acts")
    assert same.err == ""
    assert "the model learnt with acts no, and tracks with acts yes" in other.err
