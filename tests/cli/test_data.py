"""`dialoom data` and `dialoom card`: the catalogue, checks of copies, and data cards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import Run
from tests.formats.star_json import DATA
from tests.quality.published_samples import star_copy

STAR = DATA / "star"


def test_list(run: Run) -> None:
    done = run("data", "list")
    assert (done.code, done.err) == (0, "")
    assert "https://github.com/RasaHQ/STAR" in done.out
    listing = json.loads(run("data", "list", "--json", "-").out)
    assert listing["corpora"]["sgd"]["parts"]["train"]["dialogues"] == 16142


def test_show(run: Run) -> None:
    done = run("data", "show", "sgd")
    assert (done.code, done.err) == (0, "")
    assert "licence: CC-BY-SA-4.0" in done.out
    assert "part train: 127 files, 16,142 dialogues" in done.out
    assert "@inproceedings{rastogi2020towards," in done.out
    assert json.loads(run("data", "show", "sgd", "--json", "-").out)["year"] == 2020
    assert run("data", "show", "sgdd").refused("unknown corpus", "did you mean sgd")


def test_a_copy_is_checked(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    star = star_copy(tmp_path, monkeypatch)
    done = run("data", "check", star)
    assert (done.code, done.err) == (0, "")
    assert "all: partial: 3 of 6,652 files, 3 of 6,652 dialogues" in done.out
    assert run("data", "check", star, "--strict").code == 1
    report = json.loads(run("data", "check", star, "--json", "-").out)
    assert (report["corpus"], report["whole"]) == ("star", False)
    first = report["parts"][0]
    assert (first["part"], first["verdict"]) == ("all", "partial")
    assert (first["found"]["files"], first["expected"]["files"]) == (3, 6652)


def test_check_refuses_what_is_no_corpus(run: Run, tmp_path: Path) -> None:
    assert run("data", "check", tmp_path / "nowhere").refused("no such file or folder")
    assert run("data", "check", tmp_path).refused("is an empty folder")
    assert run("data", "check", STAR, "--name", "a/b").refused("unknown corpus")


def test_card(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "CARD.md"
    done = run("card", STAR, "--out", file)
    assert (done.code, done.err) == (0, "")
    assert "places are for a person to fill in" in done.out
    assert file.read_text(encoding="utf-8") == run("card", STAR).out
    assert "MIT" not in run("card", STAR, "--own").out


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
