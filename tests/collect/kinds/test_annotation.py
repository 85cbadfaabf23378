from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import Utterance
from dialoom.quality.agreement import Ratings, compare
from tests.collect.documents import MARK, SETTLE, WRITE, Documents


def agreement(root: Path) -> dict[str, Any]:
    """Return the coefficients of a corpus's spans."""
    corpus = formats.load(root)
    ratings = Ratings(formats.get(corpus.format).traits).add_all(corpus.dialogues())
    found: dict[str, Any] = compare(ratings, samples=1)["kinds"]["spans"]["all"]
    return found


def test_taskmasters_files_have_what_both_annotators_marked(tmp_path: Path) -> None:
    played = Documents(WRITE, MARK, SETTLE, scenarios=1)
    played.write("w-1")
    played.annotate("a-1", "large", "latte")
    played.annotate("a-2", "large latte", "latte")
    judge = played.enter("j-1")
    label = played.state(judge)["room"]["item"]["labels"][0]
    [dialogue] = played.exported("taskmaster1", tmp_path / "taskmaster1")
    first, second = (event for event in dialogue.events if isinstance(event, Utterance))
    assert [
        (span.start, span.end, span.labels) for span in first.layers[0].parts[0].spans or ()
    ] == [
        (2, 7, (label,)),
        (2, 13, (label,)),
        (8, 13, (label, label)),
    ]
    assert second.layers == ()
    played.exported("native", tmp_path / "native")
    theirs, ours = agreement(tmp_path / "taskmaster1"), agreement(tmp_path / "native")
    assert theirs["f1"]["value"] == pytest.approx(ours["f1"]["value"]) == pytest.approx(0.5)
