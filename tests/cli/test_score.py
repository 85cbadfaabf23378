"""`dialoom score`: one system, several, and what is written."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.kinds.rating import read_outputs
from dialoom.collect.log.change import Change
from dialoom.collect.log.store import Store
from dialoom.collect.settings import Stage
from tests.cli.runner import Run
from tests.collect.documents import Documents
from tests.formats.star_json import DATA

TST9 = DATA / "dstc6" / "tst9"


def test_one_system_gives_a_run_file_and_lines(run: Run, tmp_path: Path) -> None:
    files = tmp_path / "run.json", tmp_path / "run.jsonl"
    options = ["--json", files[0], "--predictions", files[1]]
    done = run("score", "sgd-tracking", DATA / "sgd" / "dev", "--corpus", DATA / "sgd", *options)
    assert done.code == 0
    assert "100.00" in done.out
    result = json.loads(files[0].read_text())
    assert result["model"] == "dev"
    again = run("score", "sgd-tracking", files[1], "--corpus", DATA / "sgd", "--json", "-")
    assert json.loads(again.out)["scores"]["joint_goal_accuracy"]["value"] == 100
    assert run("report", files[0], "--out", tmp_path / "page.html").code == 0


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


def test_files_of_the_same_name_are_labelled_by_their_paths(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / name / "run.json" for name in ("one", "other")]
    (items,) = TST9.glob("*tst0002.json")
    for seed, file in enumerate(files):
        file.parent.mkdir()
        run("dstc6", "baseline", "random", items, "--seed", seed, "--out", file)
    output = run("score", "dstc6", *files, "--corpus", TST9, "--json", "-").out
    first, second = json.loads(output)
    assert [first["model"], second["model"]] == list(map(str, files))
    assert [each["system"] for each in first["against"]] == [str(files[1])]


def test_scored_files_are_what_a_study_rates(run: Run, tmp_path: Path) -> None:
    corpus = ["--corpus", DATA / "sgd", "--split", "dev"]
    own = tmp_path / "own.jsonl"
    run("bench", "gem-generation", *corpus, "--model", "copy", "--predictions", own)
    rows = [json.loads(line) for line in own.read_text().splitlines()]
    texts = [f"{number}: {row['gold']}" for number, row in enumerate(rows)]
    other = tmp_path / "other.json"
    other.write_text(json.dumps([" ", *texts[1:]]))
    file = tmp_path / "replies.jsonl"
    done = run("score", "gem-generation", own, other, *corpus, "--rating", file)
    assert done.code == 0
    (line, *_) = lines = list(read_outputs(file, 2))
    assert [each.id for each in lines] == [f"{r['dialogue']}-{r['turn']}" for r in rows[1:]]
    assert line.outputs == {"own": rows[1]["predicted"], "other": texts[1]}
    stage = {"name": "judge", "kind": "rating", "outputs": str(file), "criteria": ["natural"]}
    study = Documents(msgspec.convert(stage, Stage))
    item = study.state(study.enter("r-1"))["room"]["item"]
    assert sorted(item["outputs"]) == sorted(line.outputs.values())
    assert item["lines"] == [{"from": each.agent, "text": each.text} for each in line.context]
    assert item["lines"][-1]["from"] == "user"


def test_raters_compare_two_systems_and_the_reference(run: Run, tmp_path: Path) -> None:
    corpus = ["--corpus", DATA / "sgd", "--split", "dev"]
    own, other = tmp_path / "own.jsonl", tmp_path / "other.json"
    run("bench", "gem-generation", *corpus, "--model", "copy", "--predictions", own)
    rows = [json.loads(line) for line in own.read_text().splitlines()]
    other.write_text(json.dumps([f"So, {row['gold']}" for row in rows]))
    file, db, out = tmp_path / "replies.jsonl", tmp_path / "study.sqlite", tmp_path / "out"
    options = ["--rating", file, "--reference"]
    assert run("score", "gem-generation", own, other, *corpus, *options).code == 0
    systems = {name: text for line in read_outputs(file, 3) for name, text in line.outputs.items()}
    assert set(systems) == {"own", "other", "reference"}
    authors = {text: name for line in read_outputs(file, 3) for name, text in line.outputs.items()}
    stage = {"name": "judge", "kind": "rating", "outputs": str(file), "workers": 2}
    study = Documents(msgspec.convert(stage, Stage), scenarios=2)
    marks = {"own": 2, "other": 3, "reference": 5}
    for worker in ("r-1", "r-2") * 2:
        number = study.enter(worker)
        texts = study.state(number)["room"]["item"]["outputs"]
        for place, text in enumerate(texts):
            study.send(number, Save(f"0.{place}", 0, marks[authors[text]]))
        study.send(number, Submit())
    with Store.open(str(db)) as store:
        store.submit(Change(tuple(study.log))).result()
    done = run("collect", "export", "--db", db, "--to", "native", "--out", out)
    assert done.code == 0, done.out
    done = run("collect", "results", out, "--json", "-")
    report = json.loads(done.out)
    means = {row["system"]: (row["mean"], row["items"], row["grades"]) for row in report["systems"]}
    assert means == {name: (mark, 2, 4) for name, mark in marks.items()}
    pair = next(row for row in report["pairs"] if row["second"] == "reference")
    assert (pair["first"], pair["difference"], pair["interval"]) == ("other", -2, [-2, -2])
    assert run("collect", "results", DATA / "sgd" / "dev").code == 2


def test_ranked_candidates_are_rated_as_texts(run: Run, tmp_path: Path) -> None:
    names = []
    for seed in range(2):
        (items,) = TST9.glob("*tst0002.json")
        names.append(tmp_path / f"{seed}.json")
        run("dstc6", "baseline", "random", items, "--seed", seed, "--out", names[-1])
    file = tmp_path / "replies.jsonl"
    assert run("score", "dstc6", *names, "--corpus", TST9, "--rating", file).code == 0
    lines = list(read_outputs(file, 2))
    assert lines and all(" " in text for line in lines for text in line.outputs.values())
    assert run("score", "dstc6", *names, "--corpus", TST9, "--reference").code == 2


@pytest.mark.parametrize("names", [("a/own.json", "b/own.json"), ("own.json", "other.json")])
def test_replies_are_rated_if_systems_have_names_and_texts(
    run: Run, tmp_path: Path, names: tuple[str, str]
) -> None:
    corpus = ["--corpus", DATA / "sgd", "--split", "dev"]
    own = tmp_path / "lines.jsonl"
    run("bench", "gem-generation", *corpus, "--model", "copy", "--predictions", own)
    blank = json.dumps([" "] * len(own.read_text().splitlines()))
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(blank)
    files = [tmp_path / name for name in names]
    done = run("score", "gem-generation", *files, *corpus, "--rating", tmp_path / "r.jsonl")
    assert done.code == 2
    assert not (tmp_path / "r.jsonl").exists()


def test_states_are_not_rated(run: Run, tmp_path: Path) -> None:
    dev = DATA / "sgd" / "dev"
    file = tmp_path / "r.jsonl"
    assert run("score", "sgd-tracking", dev, "--corpus", DATA / "sgd", "--rating", file).code == 2
