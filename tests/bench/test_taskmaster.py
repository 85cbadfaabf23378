"""Taskmaster-1's experiments: which dialogues are asked about, what is asked, what it comes to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Plan
from dialoom.bench.core.published import of
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import run
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.make import refuses

SIZES = ("small", "large", "huge")


def conversation(number: int, **more: Any) -> dict[str, Any]:
    size = SIZES[number % len(SIZES)]
    labels = [{"name": "pie.size.accept"}]
    spans = [{"start_index": 2, "end_index": 2 + len(size), "text": size, "annotations": labels}]
    utterances = [
        {"index": 0, "speaker": "USER", "text": f"A {size} pie, please.", "segments": spans},
        {"index": 1, "speaker": "ASSISTANT", "text": f"One {size} pie is on its way."},
    ]
    name, task = f"dlg-{number}", "pie-order-1"
    return {
        "conversation_id": name, "instruction_id": task, "utterances": utterances, **more
    }  # fmt: skip


def corpus(root: Path, number: int, **lists: list[int]) -> Path:
    """Write a corpus of pies, and lists of some of its dialogues."""
    folder = root / "taskmaster1"
    (folder / "train-dev-test").mkdir(parents=True)
    dialogues = [conversation(n) for n in range(number)]
    (folder / "self-dialogs.json").write_text(json.dumps(dialogues))
    for name, ids in lists.items():
        text = "".join(f"dlg-{n},\n" for n in ids)
        (folder / "train-dev-test" / f"{name}.csv").write_text(text)
    return root


def asked(found: Plan) -> dict[str, tuple[set[str], set[str]]]:
    """Return the dialogues learnt from and asked about, by hold-out."""
    return {
        each.name: ({t.source for t in each.train}, {t.source for t in each.test})
        for each in found.holdouts
    }


def test_the_published_lists_say_what_is_asked_and_learnt(tmp_path: Path) -> None:
    root = corpus(tmp_path, 6, train=[0, 1, 2, 77], dev=[3], test=[4, 5, 78])
    plan = tiny.planned("taskmaster-arguments", root)
    assert asked(plan) == {"test": ({"dlg-0", "dlg-1", "dlg-2"}, {"dlg-4", "dlg-5"})}
    assert of(plan.protocol, plan.options)
    plan = tiny.planned("taskmaster-arguments", root, part="dev")
    assert asked(plan)["dev"][1] == {"dlg-3"}
    assert not of(plan.protocol, plan.options)
    plan = tiny.planned("taskmaster-response", root, root, split="dev")
    assert asked(plan) == {"all": ({"dlg-0", "dlg-1", "dlg-2"}, {"dlg-3"})}
    with refuses(MissingDataError, "unknown-name", "spoken", "dev"):
        tiny.planned("taskmaster-response", root, split="spoken")


def test_without_lists_there_are_folds_or_another_corpus(tmp_path: Path) -> None:
    one, other = corpus(tmp_path / "1", 7, test=[99]), corpus(tmp_path / "2", 9)
    folds = asked(tiny.planned("taskmaster-response", one))
    assert list(folds) == [f"fold-{n}" for n in range(1, 6)]
    assert all(not train & test and len(train | test) == 7 for train, test in folds.values())
    ((train, test),) = asked(tiny.planned("taskmaster-response", one, other)).values()
    assert (train, len(test)) == ({"dlg-7", "dlg-8"}, 7)
    with refuses(MissingDataError, "nothing-to-learn"):
        tiny.planned("taskmaster-response", corpus(tmp_path / "3", 1))


def test_dialogues_without_labels_are_not_asked_for_arguments(tmp_path: Path) -> None:
    root = corpus(tmp_path, 4)
    file = root / "taskmaster1" / "self-dialogs.json"
    dialogues = json.loads(file.read_text())
    del dialogues[0]["utterances"][0]["segments"]
    file.write_text(json.dumps(dialogues))
    sources = {
        t.source for h in tiny.planned("taskmaster-arguments", root).holdouts for t in h.test
    }
    assert sources == {"dlg-1", "dlg-2", "dlg-3"}


def test_arguments_are_found(tmp_path: Path) -> None:
    plan = tiny.planned("taskmaster-arguments", corpus(tmp_path, 20))
    make = NamedModel("argument-tagger", {})
    outcomes = list(run(plan, make, cache=tmp_path / "kept"))
    result = summarise(plan, outcomes, make(), samples=2)
    assert result.main == "value_f1"
    assert result.scores["value_f1"].value == 100.0
    assert [each.name for each in result.slices] == ["pie-order", "system", "user"]
    assert list(run(plan, make, cache=tmp_path / "kept")) == outcomes
    line = json.loads(write_predictions(plan, outcomes).splitlines()[0])
    assert line["turn"] == 0
    assert line["predicted"] == line["gold"]
    assert line["gold"][0]["labels"] == ["pie.size.accept"]


def test_replies_have_a_perplexity_where_a_model_tells_one(tmp_path: Path) -> None:
    plan = tiny.planned("taskmaster-response", corpus(tmp_path, 20))
    names = {}
    for model in ("ngram", "nearest"):
        make = NamedModel(model, {})
        result = summarise(plan, run(plan, make), make(), samples=2)
        names[model] = result.scores
    assert "perplexity" not in names["nearest"]
    assert 1.0 < names["ngram"]["perplexity"].value < 1.25  # 1.16
    assert "by:word" in names["ngram"]["perplexity"].signature
