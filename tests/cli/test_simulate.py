"""`dialoom simulate`: from task files to a corpus in any format."""

from __future__ import annotations

import json
import signal
from importlib import resources
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.corpus.unfinished import work_folder
from tests.cli.runner import PER_SHARD, Run, killed, make_shards_small, tree
from tests.full_disk import full_disk
from tests.sim.designs import BOAT


@pytest.fixture
def boat(tmp_path: Path) -> Path:
    file = tmp_path / "boat.yaml"
    file.write_text(BOAT)
    return file


def test_native(run: Run, tmp_path: Path, boat: Path) -> None:
    out = tmp_path / "out"
    done = run("simulate", "--tasks", boat, "-n", 30, "--seed", 4, "--out", out)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"30 dialogues of 1 task written to {out}\n"
    corpus = formats.load(out, None)
    assert corpus.format == "native"
    assert len(list(corpus.dialogues())) == 30
    assert list(corpus.schemas) == ["boat_hire"]
    manifest = json.loads((out / "manifest.json").read_bytes())
    assert manifest["extra"]["simulated"]["seed"] == 4
    assert not work_folder(out).exists()


def test_workers_make_no_difference(
    run: Run, tmp_path: Path, boat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_shards_small(monkeypatch)
    for workers in (1, 2):
        settings = ("--tasks", f"{boat},trivia", "-n", PER_SHARD + 10, "--workers", workers)
        assert run("simulate", *settings, "--out", tmp_path / str(workers)).code == 0
    assert tree(tmp_path / "1") == tree(tmp_path / "2")


def test_star(run: Run, tmp_path: Path, boat: Path) -> None:
    out = tmp_path / "out"
    settings = ("--tasks", boat, "-n", 12, "--to", "star", "--json", "-")
    done = run("simulate", *settings, "--out", out)
    assert done.code == 0, done.err
    summary = json.loads(done.out)
    assert summary["target"] == "star"
    assert "milliseconds" not in summary["loss"]
    assert "dialogue.id" not in summary["loss"]
    corpus = formats.load(out, None)
    assert corpus.format == "star"
    assert sorted(int(d.id) for d in corpus.dialogues()) == list(range(1, 13))
    assert run("roundtrip", out).code == 0
    assert not work_folder(out).exists()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("-n", "0"), ("--number 0", "from 1")),
        (("-n", "-5"), ("--number -5", "from 1")),
        (("--workers", "0"), ("--workers 0", "from 1")),
        (("--seed", "-1"), ("seed",)),
        (("--scenario", "stormy"), ("unknown scenario", "happy")),
        (("--tasks", "wether"), ("unknown task", "weather")),
        (("--tasks", ","), ("no task",)),
        (("--tasks", "missing.yaml"), ("missing.yaml",)),
        (("--to", "papyrus"), ("unknown format",)),
        (("--brief", "1.5"), ("from 0 to 1", "1.5")),
        (("--engine", "steam"), ("unknown engine", "processes")),
    ],
)
def test_bad_input(run: Run, tmp_path: Path, settings: tuple[str, ...], words: tuple[str]) -> None:
    out = tmp_path / "out"
    options = settings if "--tasks" in settings else ("--tasks", "weather", *settings)
    assert run("simulate", *options, "--out", out).refused(*words)
    assert not any(tmp_path.iterdir())


def test_two_tasks_of_one_name(run: Run, tmp_path: Path, boat: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(BOAT)
    done = run("simulate", "--tasks", f"{boat},{other}", "-n", 1, "--out", tmp_path / "out")
    assert done.refused("two tasks called boat_hire")


def test_an_alias(run: Run, tmp_path: Path) -> None:
    assert run("simulate", "--tasks", "quiz", "-n", 3, "--out", tmp_path / "out").code == 0
    assert list(formats.load(tmp_path / "out", None).schemas) == ["trivia"]


def test_a_folder_in_use_is_refused(run: Run, tmp_path: Path, boat: Path) -> None:
    out = tmp_path / "out"
    assert run("simulate", "--tasks", boat, "-n", 3, "--out", out).code == 0
    before = tree(out)
    for number in (3, 4):
        done = run("simulate", "--tasks", boat, "-n", number, "--out", out)
        assert done.refused("not empty")
    assert tree(out) == before


def test_killed_and_started_again(
    run: Run, tmp_path: Path, boat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_shards_small(monkeypatch)
    number = ("-n", PER_SHARD + 10)
    settings = ("simulate", "--tasks", boat, "--seed", 2, *number, "--out", tmp_path / "out")
    assert killed(1, *settings).returncode == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    assert (work_folder(tmp_path / "out") / "dialogues-00000.jsonl").is_file()
    assert run(*settings, "-n", 7).refused("other settings")
    assert run(*settings, "--workers", 2).code == 0
    assert run(*settings[:-1], tmp_path / "whole").code == 0
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


def test_a_task_in_another_language(run: Run, tmp_path: Path) -> None:
    file = Path(str(resources.files("dialoom").joinpath("tasks/de/wetter.yaml")))
    out = tmp_path / "out"
    done = run("simulate", "--tasks", file, "--scenario", "unhappy", "-n", 40, "--out", out)
    assert done.code == 0, done.err
    assert formats.load(out, None).schemas["wetter"].language == "de"
    assert run("lint", out).out.endswith("0 errors, 0 warnings, 0 information\n")
    assert run("schema", "check", file).code == 0


def test_what_others_made_stays_when_a_worker_is_lost(tmp_path: Path, boat: Path) -> None:
    number = ("-n", 2 * PER_SHARD + 1)
    settings = ("simulate", "--tasks", boat, *number, "--workers", 2, "--out", tmp_path / "out")
    done = killed(2, *settings)
    assert done.returncode == 2
    assert "the same command goes on from here" in done.stderr
    assert list(work_folder(tmp_path / "out").glob("dialogues-0000[01].jsonl"))


@pytest.mark.parametrize("to", ["native", "star"])
def test_a_full_disk(
    run: Run, tmp_path: Path, boat: Path, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_shards_small(monkeypatch)
    for disk in full_disk(tmp_path / "disk"):
        settings = ("--tasks", boat, "-n", PER_SHARD + 10, "--to", to, "--workers", "2")
        assert run("simulate", *settings, "--out", disk / "out").refused("No space left")
        assert tree(disk) == {}
