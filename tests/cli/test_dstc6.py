"""`dialoom dstc6`: walk, check, score, baselines and histories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import Run
from tests.formats.star_json import DATA

GOLDEN = DATA / "dstc6"
TRAINING = GOLDEN / "dialog-task3OPTIONS-kb1_atmosphere_restrictions-distr0.5-trn0002.json"
TEST = GOLDEN / "tst9" / "dialog-task2REFINE-kb1_atmosphere-distr0.5-tst0002.json"
ANSWERS = TEST.with_name(TEST.name.replace(".json", ".answers.json"))


@pytest.fixture
def results(run: Run, tmp_path: Path) -> Path:
    file = tmp_path / "results.json"
    assert run("dstc6", "baseline", "random", TEST, "--out", file).code == 0
    return file


def test_walk_shows_histories_candidates_and_answers(run: Run) -> None:
    done = run("dstc6", "walk", TEST)
    assert done.code == 0
    assert done.out.count("dialog_id: ") == 2
    assert " * a04 - which kitchen would you like\n" in done.out.partition("Answer:")[2]
    assert run("dstc6", "walk", TEST, "--limit", 1).out.count("dialog_id: ") == 1
    one = run("dstc6", "walk", TEST, "--dialogue", "a-2")
    assert one.out.startswith("dialog_id: a-2\n")
    assert run("dstc6", "walk", TEST, "--dialogue", "zz").refused("has no dialogue 'zz'")


def test_walk_writes_text_and_figures(run: Run, tmp_path: Path) -> None:
    done = run("dstc6", "walk", TEST, "--out", tmp_path / "t.txt", "--json", tmp_path / "t.json")
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "t.txt").read_text().count("dialog_id: ") == 2
    figures = json.loads((tmp_path / "t.json").read_text())
    assert (figures["dialogues"], figures["candidates"], figures["answers"]) == (2, 12, 2)
    assert json.loads(run("dstc6", "walk", TEST, "--json", "-").out) == figures
    few = run("dstc6", "walk", TEST, "--limit", 1, "--json", tmp_path / "t.json")
    assert few.out.count("dialog_id: ") == 1  # all are counted, shown or not
    assert json.loads((tmp_path / "t.json").read_text()) == figures


def test_baselines_write_valid_results(run: Run, tmp_path: Path) -> None:
    for arguments in (["random", TEST, "--seed", 3], ["tfidf", TEST]):
        file = tmp_path / f"{arguments[0]}.json"
        done = run("dstc6", "baseline", *arguments, "--out", file)
        assert done.code == 0
        assert f"baseline:{arguments[0]}|" in done.out
        checked = run("dstc6", "check", file, "--dialogues", TEST, "--strict")
        assert (checked.code, checked.out) == (0, "2 rankings: 0 errors, 0 warnings\n")


def test_a_baseline_on_standard_output_is_only_that(run: Run) -> None:
    out = run("dstc6", "baseline", "random", TEST, "--out", "-").out
    assert [entry["dialog_id"] for entry in json.loads(out)] == ["a-1", "a-2"]
    assert out == run("dstc6", "baseline", "random", TEST, "--out", "-", "--seed", 0).out


def test_score_prints_three_figures_with_signatures(run: Run, results: Path) -> None:
    done = run("dstc6", "score", results, ANSWERS)
    assert done.code == 0
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines] == ["p@1", "p@2", "p@5"]
    assert all("|answers:" in line and "|results:" in line for line in lines)
    assert all("|n:2|version:" in line for line in lines)
    report = json.loads(run("dstc6", "score", results, ANSWERS, "--json", "-").out)
    assert report["dialogues"] == 2
    assert report["missing"] == 0
    assert report["signatures"]["p@5"] in lines[2]
    assert json.loads(run("dstc6", "score", ANSWERS, TEST, "--json", "-").out)["p@1"] == 100


def test_missing_dialogues_are_counted(run: Run, tmp_path: Path) -> None:
    half = json.loads(ANSWERS.read_text())[:1]
    (tmp_path / "half.json").write_text(json.dumps(half))
    report = json.loads(run("dstc6", "score", tmp_path / "half.json", TEST, "--json", "-").out)
    assert (report["missing"], report["p@1"]) == (1, 50)
    note = run("dstc6", "score", tmp_path / "half.json", TEST).out.splitlines()[-1]
    assert note == "1 of the 2 dialogues have no ranking, and count as wrong"


def test_check_warns_unless_strict(run: Run, tmp_path: Path, results: Path) -> None:
    raw = json.loads(results.read_text())
    raw[0]["lst_candidate_id"][0]["rank"] = 99
    results.write_text(json.dumps(raw))
    lenient = run("dstc6", "check", results)
    assert lenient.code == 0
    assert "W006" in lenient.out
    assert lenient.out.endswith("2 rankings: 0 errors, 1 warning\n")
    strict = run("dstc6", "check", results, "--strict", "--json", tmp_path / "c.json")
    assert strict.code == 1
    report = json.loads((tmp_path / "c.json").read_text())
    assert (report["errors"], report["warnings"]) == (1, 0)
    assert report["findings"][0]["dialogue"] == "a-1"


def test_check_finds_what_cannot_be_scored(run: Run) -> None:
    done = run("dstc6", "check", TEST)
    assert done.code == 1
    assert "E003" in done.out
    assert run("dstc6", "score", TEST, TEST).refused("`lst_candidate_id`")


def test_histories_become_items_with_answers(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "dialog-history.json"
    done = run("dstc6", "history", TRAINING, "--out", file, "--seed", 5)
    assert done.code == 0
    assert done.out.startswith("items 6, seed 5, source ")
    run("dstc6", "baseline", "random", file, "--out", tmp_path / "r.json")
    assert run("dstc6", "score", tmp_path / "r.json", file).code == 0
    last = run("dstc6", "history", TRAINING, "--out", "-", "--last")
    assert len(json.loads(last.out)) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["walk", "absent.json"], ["absent.json", "no such file"]),
        (["check", "absent.json"], ["no such file"]),
        (["score", "absent.json", ANSWERS], ["no such file"]),
        (["baseline", "tfidf", ANSWERS, "--out", "-"], ["no 'candidates'"]),
        (["history", ANSWERS, "--out", "-"], ["no 'candidates'"]),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: list[str | Path], words: list[str]) -> None:
    assert run("dstc6", *arguments).refused(*words)


def test_damaged_files_write_nothing(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "dialog-bad.json"
    bad.write_bytes(TEST.read_bytes()[:-200])
    out = tmp_path / "r.json"
    for command in (["baseline", "random"], ["baseline", "tfidf"], ["history"]):
        assert run("dstc6", *command, bad, "--out", out).refused("not JSON")
        assert not out.exists()


def test_two_things_cannot_go_to_standard_output(run: Run) -> None:
    for command in (["walk"], ["baseline", "random"], ["history"]):
        done = run("dstc6", *command, TEST, "--out", "-", "--json", "-")
        assert done.refused("--out and --json cannot both be written to standard output")
