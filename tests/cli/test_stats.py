"""`dialoom stats` over one corpus and several."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.cli.runner import PROGRAM, Run
from tests.formats.star_json import DATA
from tests.outline import outline

STAR = DATA / "star"


def test_one_corpus_keeps_its_counts_at_the_top(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stats.json"
    done = run("stats", STAR, "--json", file)
    assert (done.code, done.err) == (0, "")
    counts = json.loads(file.read_bytes())
    assert (counts["format"], counts["dialogues"], counts["turns"]) == ("star", 3, 17)
    assert counts["table_1"]["dialogues"] == 2
    assert "turns: 17" in done.out
    assert "Questions in the schema's order" in done.out


def test_several_corpora_stand_side_by_side(run: Run, tmp_path: Path) -> None:
    native = tmp_path / "native"
    assert run("convert", STAR, native).code == 0
    file = tmp_path / "stats.json"
    done = run("stats", STAR, native, "--json", file)
    assert (done.code, done.err) == (0, "")
    report = json.loads(file.read_bytes())
    assert [(c["name"], c["format"]) for c in report["corpora"]] == [
        ("star", "star"),
        ("native", "native"),
    ]
    assert report["table_1"]["dialogues"] == {"star": 2, "native": 2}
    assert report["corpora"][0]["question_order"] == report["corpora"][1]["question_order"]
    assert "Corpora side by side" in done.out


def test_corpora_of_one_name_are_told_apart_by_their_paths(run: Run) -> None:
    report = json.loads(run("stats", STAR, STAR, "--json", "-").out)
    assert [corpus["name"] for corpus in report["corpora"]] == [str(STAR), f"{STAR} (2)"]


def test_a_page_with_plots(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "stats.html"
    assert run("stats", STAR, "--html", page).code == 0
    markup = outline(page.read_text(encoding="utf-8"))
    assert "Statistics of star" in markup.words
    assert outline(run("stats", STAR, "--html", "-").out).words == markup.words


def test_a_corpus_that_is_not_there_stops_all(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "stats.html"
    assert run("stats", STAR, tmp_path / "gone", "--html", page).refused("gone", "no such file")
    assert not page.exists()


def test_two_things_cannot_go_to_standard_output(run: Run) -> None:
    assert run("stats", STAR, "--json", "-", "--html", "-").refused("--json and --html")


def test_dialogues_whose_source_does_not_say_are_not_unhappy(run: Run, tmp_path: Path) -> None:
    turn = {"speaker": "USER", "text": "A pizza."}
    value = {"conversation_id": "1", "instruction_id": "pizza-1", "utterances": [turn]}
    file = tmp_path / "pizza.json"
    file.write_text(json.dumps([value]))
    report = json.loads(run("stats", file, "--json", "-").out)
    assert report["difficulty_of_complete"] == {"unknown": 1}
    assert "published" not in report["table_1"]


def test_letters_that_the_terminal_lacks_are_escaped(tmp_path: Path) -> None:
    turn = {"speaker": "USER", "text": "A \U0001f355, m\u00f8n."}
    file = tmp_path / "pizza.json"
    file.write_text(json.dumps([{"conversation_id": "1", "utterances": [turn]}]))
    done = subprocess.run(
        [*PROGRAM, "show", file, "1"],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        check=True,
    )
    assert b"\\U0001f355, m\xf8n." in done.stdout
    assert done.stderr == b""
