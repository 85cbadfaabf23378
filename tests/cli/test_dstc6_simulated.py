"""`dialoom simulate --preset dstc6|babi`, `dialoom dstc6 wording|compare`."""

from __future__ import annotations

import json
from pathlib import Path

from dialoom.sim.policies.booking.wording import BOT, wording_of
from tests.cli.runner import Run


def files(folder: Path) -> dict[str, bytes]:
    paths = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in paths}


def test_two_workers_write_the_same_files(run: Run, dstc6: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    options = ("--preset", "dstc6", "-n", 20, "--seed", 3, "--workers", 2)
    assert run("simulate", *options, "--out", other).code == 0
    assert files(dstc6) == files(other)


def test_babi_is_written_as_text(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "babi"
    assert run("simulate", "--preset", "babi", "-n", 5, "--out", folder).code == 0
    assert run("lint", folder).code == 0
    assert (folder / "dialog-babi-task5tst-OOV.txt").read_text().startswith("1 ")


def test_the_bots_lines_are_collected_and_said_again(run: Run, dstc6: Path, tmp_path: Path) -> None:
    out, own = tmp_path / "wording.json", wording_of()
    assert run("dstc6", "wording", dstc6 / "train", dstc6 / "tst3", "--out", out).code == 0
    wording = json.loads(out.read_text())
    assert wording == {line: own[line][0] for line in BOT}
    out.write_text(json.dumps(wording | {"hello": "at your service"}))
    again = tmp_path / "again"
    done = run("simulate", "--preset", "dstc6", "-n", 2, "--wording", out, "--out", again)
    assert done.code == 0
    assert b"at your service" in files(again)["train/" + _training(again)]


def _training(folder: Path) -> str:
    return min(file.name for file in (folder / "train").iterdir())


def test_wordings_that_do_not_fit_are_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "wording.json"
    file.write_text('{"helo": "hi"}')
    options = ("simulate", "--preset", "dstc6", "-n", 2, "--wording", file)
    assert run(*options, "--out", tmp_path / "x").refused("unknown line 'helo'")
    assert not (tmp_path / "x").exists()


def test_presets_refuse_what_they_do_not_know(run: Run, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "x")
    done = run("simulate", "--preset", "babi", "--tasks", "weather", *out)
    assert done.refused("--preset babi takes no --tasks; leave it out")


def test_both_sets_are_shown_side_by_side(run: Run, dstc6: Path, tmp_path: Path) -> None:
    done = run("dstc6", "compare", dstc6 / "tst1", dstc6 / "tst3", "--json", tmp_path / "t.json")
    assert done.code == 0
    assert "Knowledge base extendedkb1.txt" in done.out
    tables = json.loads((tmp_path / "t.json").read_text())
    assert tables["Items"][-1] == {"task": "all", "simulated": 100, "real": 100}
    assert run("dstc6", "compare", dstc6 / "tst1", tmp_path / "none").code == 2
