"""`dialoom show` as a list, `filter`, `sample`, `split`, `merge`, and the lists of names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.cli.lists import REGISTRIES
from dialoom.dialogue.views import tasks
from dialoom.schema import pack
from tests.cli.runner import Run, tree
from tests.formats.star_json import DATA

SAMPLE = Path(__file__).parents[2] / "examples" / "sample"
TOURS = {d.id for d in formats.load(SAMPLE).dialogues() if "museum_tour" in tasks(d)}


def ids(path: Path) -> list[str]:
    return [dialogue.id for dialogue in formats.load(path).dialogues()]


def test_the_list_has_pages_and_filters(run: Run) -> None:
    done = run("show", SAMPLE, "--rows", 4, "--page", 2)
    assert done.code == 0
    assert done.out.splitlines()[-1] == "10 dialogues, 5 to 8 shown"
    listing = run("show", SAMPLE, "--task", "museum_tour", "--json", "-")
    rows = [json.loads(line) for line in listing.out.splitlines()]
    assert {row["id"] for row in rows} == TOURS
    fewer = run("show", SAMPLE, "--task", "museum_tour", "--where", "turns >= 11", "--json", "-")
    assert {json.loads(line)["id"] for line in fewer.out.splitlines()} == {
        row["id"] for row in rows if row["turns"] >= 11
    }


def test_an_id_that_two_parts_share_needs_the_part(run: Run) -> None:
    done = run("show", DATA / "sgd", "1_00000")
    assert done.refused("2 dialogues are called 1_00000, in dev, train; name the split of one")
    outcomes = [run("show", DATA / "sgd", "1_00000", "--split", part) for part in ("dev", "train")]
    assert [done.code for done in outcomes] == [0, 0]
    assert outcomes[0].out != outcomes[1].out


def test_a_filter_keeps_the_schemas_and_the_files(run: Run, tmp_path: Path) -> None:
    done = run("filter", SAMPLE, tmp_path / "tours", "--task", "museum_tour")
    assert done.out == f"{len(TOURS)} dialogues written to {tmp_path / 'tours'}\n"
    files = tree(tmp_path / "tours")
    assert {name: tree(SAMPLE)[name] for name in files} == files
    assert formats.load(tmp_path / "tours").schemas == formats.load(SAMPLE).schemas


def test_a_sample_is_drawn_with_its_seed(run: Run, tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert run("sample", SAMPLE, tmp_path / name, "-n", 4, "--seed", seed).code == 0
    assert len(ids(tmp_path / "a")) == 4
    assert tree(tmp_path / "a") == tree(tmp_path / "b")
    assert ids(tmp_path / "a") != ids(tmp_path / "c")


def test_parts_make_the_whole_again(run: Run, tmp_path: Path) -> None:
    parts, whole = tmp_path / "parts", tmp_path / "whole"
    assert run("split", SAMPLE, parts, "--parts", "train=0.7,test=0.3", "--seed", 3).code == 0
    assert {part: len(ids(parts / part)) for part in ("train", "test")} == {"train": 7, "test": 3}
    done = run("merge", parts / "train", parts / "test", whole, "--to", "star")
    assert done.code == 0
    assert tree(whole / "dialogues") == tree(SAMPLE / "dialogues")
    twice = run("merge", parts / "train", SAMPLE, tmp_path / "more", "--prefix")
    assert twice.out.startswith("17 dialogues")
    assert len(set(ids(tmp_path / "more"))) == 17


def test_corpora_of_one_name_are_told_apart_by_their_folders(run: Run, tmp_path: Path) -> None:
    for name in "a", "b":
        assert run("sample", SAMPLE, tmp_path / name / "few", "-n", 2).code == 0
    few = [tmp_path / name / "few" for name in ("a", "b")]
    assert run("merge", *few, tmp_path / "both", "--prefix").code == 0
    assert {each[:6] for each in ids(tmp_path / "both")} == {"a-few-", "b-few-"}
    assert run("merge", *few, tmp_path / "c").refused("a-few and b-few both have a dialogue")
    assert run("merge", few[0], few[0], tmp_path / "c").refused("named twice")


@pytest.mark.parametrize("name", ["tasks", *REGISTRIES])
def test_what_there_is_says_what_it_is(run: Run, name: str) -> None:
    rows = json.loads(run(name, "--json", "-").out)
    assert rows
    assert all(row["name"] and row["about"] for row in rows)
    assert rows[0]["name"] in run(name).out


def test_german_tasks_are_listed_last_with_their_language(run: Run) -> None:
    rows = json.loads(run("tasks", "--json", "-").out)
    assert [row["name"] for row in rows[-4:]] == [*pack.names("de")]
    assert all("(de): " in row["about"] for row in rows[-4:])


def test_a_page_has_the_dialogues_of_two_corpora_and_what_models_predicted(
    run: Run, tmp_path: Path
) -> None:
    predictions = tmp_path / "model.jsonl"
    row = {"holdout": "x", "dialogue": 3, "event": 3, "gold": "hello", "predicted": "goodbye"}
    predictions.write_text(json.dumps(row) + "\n")
    few, out = tmp_path / "few", tmp_path / "page"
    assert run("filter", SAMPLE, few, "--id", "3").code == 0
    done = run("view", SAMPLE, few, "--predictions", predictions, "--out", out)
    assert done.out == f"10 dialogues written to {out}; open {out / 'index.html'}\n"
    first, second = ((out / "pages" / f"{n}-00000.js").read_text() for n in (0, 1))
    assert "✗ model: goodbye, right would be hello" in first
    assert second.startswith("dialoomPage(1, 0, [")
    assert "</" not in first.replace("<\\/", "")
    assert '"name": "few"' in (out / "data.js").read_text()


def test_two_models_stand_beside_each_other(run: Run, tmp_path: Path) -> None:
    files = []
    for model, predicted in {"one": "hello", "two": "goodbye"}.items():
        row = {"holdout": "x", "dialogue": 3, "event": 3, "gold": "hello", "predicted": predicted}
        files.append(tmp_path / f"{model}.jsonl")
        files[-1].write_text(json.dumps(row) + "\n")
    out = tmp_path / "page"
    options = [part for file in files for part in ("--predictions", file)]
    assert run("view", SAMPLE, *options, "--out", out).code == 0
    first, second = ((out / "pages" / f"{n}-00000.js").read_text() for n in (0, 1))
    assert ("✓ one: hello" in first, "two: " in first) == (True, False)
    assert ("✗ two: goodbye, right would be hello" in second, "one: " in second) == (True, False)
    data = (out / "data.js").read_text().removeprefix("window.dialoomData = ").rstrip(";\n")
    left, right = json.loads(data)["corpora"]
    assert (left["name"], right["name"]) == ("sample, one", "sample, two")
    assert {row["id"]: row["differ"] for row in left["rows"] if row["differ"]} == {"3": 1}


def test_split_lists_have_what_is_kept(run: Run, tmp_path: Path) -> None:
    source, folder = tmp_path / "source", "train-dev-test"
    shutil.copytree(DATA / "taskmaster1", source)
    first, *others = ids(source)
    (source / folder).mkdir(exist_ok=True)
    for name, members in {"train": [first, *others[1:], "gone"], "dev": others[:1]}.items():
        (source / folder / f"{name}.csv").write_text("".join(f"{each},\n" for each in members))
    few, rest, whole = (tmp_path / name for name in ("few", "rest", "whole"))
    assert run("filter", source, few, "--id", first).code == 0
    assert tree(few / folder) == {"dev.csv": b"", "train.csv": f"{first},\n".encode()}
    assert run("filter", source, rest, "--where", f"id != {first}").code == 0
    assert run("merge", rest, few, whole, "--to", "taskmaster1", "--prefix").code == 0
    lists = formats.load(whole).splits
    assert lists["dev"] == (f"rest-{others[0]}",)
    assert set(lists["train"]) == {f"few-{first}", *(f"rest-{each}" for each in others[1:])}
    assert run("merge", rest, few, tmp_path / "native").code == 0
    assert not formats.load(tmp_path / "native").splits


def test_an_output_inside_its_source_is_refused(run: Run, tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "whole")
    (tmp_path / "whole" / "few").mkdir()
    before = tree(tmp_path)
    for command, *more in (("sample", "-n", 2), ("convert", "--to", "native"), ("split",)):
        done = run(command, tmp_path / "whole", tmp_path / "whole" / "few", *more)
        assert done.refused("part of this corpus", "name a new folder")
    assert tree(tmp_path) == before
