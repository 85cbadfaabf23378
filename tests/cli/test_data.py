"""`dialoom data` and `dialoom card`: the catalogue, the copies a user has, and data cards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom.dialogue import Dialogue
from dialoom.formats import get
from tests.cli.runner import Run
from tests.formats.star_json import DATA
from tests.quality.published_samples import star_copy

STAR = DATA / "star"

pytestmark = pytest.mark.usefixtures("home")


def test_list(run: Run) -> None:
    done = run("data", "list")
    assert (done.code, done.err) == (0, "")
    assert "https://github.com/RasaHQ/STAR" in done.out
    assert "no copies" in done.out
    found = json.loads(run("data", "list", "--json", "-").out)
    assert found["copies"] == {}
    assert found["corpora"]["sgd"]["parts"]["train"]["dialogues"] == 16142


def test_show(run: Run) -> None:
    done = run("data", "show", "sgd")
    assert (done.code, done.err) == (0, "")
    assert "licence: CC-BY-SA-4.0" in done.out
    assert "part train: 127 files, 16,142 dialogues" in done.out
    assert "@inproceedings{rastogi2020towards," in done.out
    assert json.loads(run("data", "show", "sgd", "--json", "-").out)["year"] == 2020
    assert run("data", "show", "sgdd").refused("unknown corpus", "did you mean sgd")


def test_add_checks_and_notes(
    run: Run, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    star = star_copy(tmp_path, monkeypatch)
    done = run("data", "add", star)
    assert (done.code, done.err) == (0, "")
    assert "all: partial: 3 of 6,652 files, 3 of 6,652 dialogues" in done.out
    assert f"noted in {home / 'corpora.json'}" in done.out
    assert f"star         {star} (3 dialogues, partial)" in run("data", "list").out
    assert f"your copy star: {star}" in run("data", "show", "star").out
    assert run("data", "add", star, "--strict").code == 1


def test_add_tells_scripts_what_differs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    star = star_copy(tmp_path, monkeypatch)
    found = json.loads(run("data", "add", star, "--name", "mine", "--json", "-").out)
    assert found["name"] == "mine"
    assert found["copy"]["corpus"] == "star"
    assert found["copy"]["whole"] is False
    first = found["parts"][0]
    assert (first["part"], first["verdict"]) == ("all", "partial")
    assert (first["found"]["files"], first["expected"]["files"]) == (3, 6652)


def test_add_says_what_it_replaces(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    get("native").write([Dialogue(id="1", events=())], {}, own)
    assert run("data", "add", own, "--name", "star", "--strict").code == 0
    done = run("data", "add", STAR, "--name", "star")
    assert f"in place of the copy at {own}" in done.out


def test_add_refuses_what_is_no_corpus(run: Run, tmp_path: Path) -> None:
    assert run("data", "add", tmp_path / "nowhere").refused("no such file or folder")
    assert run("data", "add", tmp_path).refused("is an empty folder")
    assert run("data", "add", STAR, "--name", "a/b").refused("no name of a corpus")


def test_card(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "CARD.md"
    done = run("card", STAR, "--out", file)
    assert (done.code, done.err) == (0, "")
    assert "places are for a person to fill in" in done.out
    assert file.read_text(encoding="utf-8") == run("card", STAR).out
    assert "MIT" not in run("card", STAR, "--own").out


def test_card_takes_the_name_of_a_copy(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("card", "mine").refused("no such file or folder")
    run("data", "add", STAR, "--name", "mine")
    assert run("card", "mine").code == 0


def test_exports_convert(run: Run, tmp_path: Path) -> None:
    for format in ("parquet", "chat", "text", "html"):
        done = run("convert", STAR, tmp_path / format, "--to", format, "--json", "-")
        assert (done.code, done.err) == (0, "")
        report = json.loads(done.out)
        assert report["dialogues"] == 3
        assert bool(report["loss"]) == (format != "parquet")
        strict = run("convert", STAR, tmp_path / "strict" / format, "--to", format, "--strict")
        assert strict.code == (format != "parquet")
    assert run("convert", tmp_path / "parquet", tmp_path / "back", "--to", "star").code == 0
    for file in STAR.glob("dialogues/*"):
        assert (tmp_path / "back" / "dialogues" / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("command", ["stats", "roundtrip", "lint"])
def test_pages_for_people_are_no_corpora(run: Run, tmp_path: Path, command: str) -> None:
    assert run("convert", STAR, tmp_path / "pages", "--to", "html").code == 0
    done = run(command, tmp_path / "pages", "--format", "html")
    assert done.refused("html cannot be read back: it is for people to read")


def test_pages_for_people_show_nothing(run: Run, tmp_path: Path) -> None:
    assert run("convert", STAR, tmp_path / "text", "--to", "text").code == 0
    assert run("show", tmp_path / "text", "1", "--format", "text").refused("cannot be read back")
