"""Every verb against bad input: one line on standard error, exit code 2, nothing left behind."""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.runner import PROGRAM, Run, alone, tree
from tests.formats.star_json import DATA
from tests.full_disk import full_disk

STAR = DATA / "star"
GOLDEN = (STAR / "dialogues" / "1.json").read_bytes()
OUT = "out"

VERBS: dict[str, list[str]] = {
    "show": ["show", "PATH", "1"],
    "stats": ["stats", "PATH"],
    "convert": ["convert", "PATH", OUT],
    "roundtrip": ["roundtrip", "PATH"],
    "bench": ["bench", "star-zero-shot-domain", "--corpus", "PATH", "--model", "majority"],
}


def missing(path: Path) -> None:
    """There is nothing."""


def impossible(path: Path) -> None:
    """The path goes through a file."""
    path.parent.rmdir()
    path.parent.write_bytes(GOLDEN)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def truncated(path: Path) -> None:
    path.write_bytes(GOLDEN[:-200])


def other(path: Path) -> None:
    path.write_text('{"dialogues": [{"turns": []}]}')


def no_json(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")


def deep(path: Path) -> None:
    path.write_bytes(GOLDEN[:-2] + b', "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")


def empty_folder(path: Path) -> None:
    path.mkdir()


def other_folder(path: Path) -> None:
    path.mkdir()
    (path / "notes.txt").write_text("nothing of interest")


def other_json_folder(path: Path) -> None:
    path.mkdir()
    other(path / "1.json")


def truncated_in_folder(path: Path) -> None:
    (path / "dialogues").mkdir(parents=True)
    (path / "dialogues" / "1.json").write_bytes(GOLDEN)
    truncated(path / "dialogues" / "2.json")


BAD = [
    missing,
    impossible,
    empty,
    truncated,
    other,
    no_json,
    deep,
    empty_folder,
    other_folder,
    other_json_folder,
    truncated_in_folder,
]


@pytest.mark.parametrize("named", ["", "star"], ids=["detected", "named"])
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.__name__)
def test_bad_input(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bad: Callable[[Path], None],
    verb: str,
    named: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "in" / "1.json"
    path.parent.mkdir()
    bad(path)
    before = tree(tmp_path)
    arguments = [str(path) if word == "PATH" else word for word in VERBS[verb]]
    if named and verb != "bench":
        arguments += ["--from" if verb == "convert" else "--format", named]
    if verb == "show" and bad is truncated_in_folder:
        arguments[2] = "2"
    assert run(*arguments).refused()
    assert tree(tmp_path) == before


def test_messages_carry_no_control_characters(run: Run, tmp_path: Path) -> None:
    file = json.loads(GOLDEN) | {"DialogueID": "\x1b[2J\u202e\n", "BatchID": 1}
    path = tmp_path / "a\x1b[2J\n.json"
    path.write_text(json.dumps(file))
    done = run("stats", path)
    assert done.refused("BatchID: Expected `str`")
    assert done.err.rstrip("\n").isprintable()


@pytest.mark.parametrize("verb", ["show", "stats", "convert", "roundtrip"])
def test_an_unknown_format(run: Run, tmp_path: Path, verb: str) -> None:
    option = "--from" if verb == "convert" else "--format"
    words = [str(STAR) if word == "PATH" else word for word in VERBS[verb]]
    words = [str(tmp_path / OUT) if word == OUT else word for word in words]
    assert run(*words, option, "strar").refused("unknown format 'strar'", "did you mean star?")
    assert not tree(tmp_path)


def test_unknown_names(run: Run, tmp_path: Path) -> None:
    out = tmp_path / OUT
    assert run("convert", STAR, out, "--to", "nativ").refused("did you mean native?")
    assert run("show", STAR, "11").refused("unknown dialogue '11'")
    assert run("bench", "star-zero-shot", "--corpus", STAR).refused("star-zero-shot-domain")
    bench = run("bench", "star-zero-shot-domain", "--corpus", STAR, "--model", "majoriti")
    assert bench.code == 2
    assert "unknown model 'majoriti': did you mean majority?" in bench.err
    assert "Traceback" not in bench.err
    assert not tree(tmp_path)


@pytest.mark.parametrize(
    "words",
    [["stats"], ["stats", "a", "--jsn"], ["dance"], ["show"], ["convert", "a", "b", "c"]],
)
def test_wrong_usage(run: Run, words: list[str]) -> None:
    assert run(*words).refused("; see dialoom", "--help")


@pytest.mark.parametrize("target", ["file", "file/out", "full", "/proc/out", "x" * 300])
def test_where_nothing_can_be_written(run: Run, tmp_path: Path, target: str) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_bytes(b"mine")
    before = tree(tmp_path)
    assert run("convert", STAR, tmp_path / target).refused()
    assert tree(tmp_path) == before


@pytest.mark.parametrize("verb", ["stats", "roundtrip"])
@pytest.mark.parametrize("target", ["file/out.json", "folder", "/proc/out.json"])
def test_where_no_report_can_be_written(run: Run, tmp_path: Path, verb: str, target: str) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "folder").mkdir()
    before = tree(tmp_path)
    assert run(verb, STAR, "--json", tmp_path / target).refused("cannot be written")
    assert tree(tmp_path) == before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 kB."""
    yield from full_disk(tmp_path / "disk", "4k")


def test_a_read_only_file_system(run: Run, small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert run("convert", STAR, small_disk / OUT).refused("Read-only file system")
    assert run("stats", STAR, "--json", small_disk / "a.json").refused("Read-only file system")


@pytest.mark.parametrize("to", ["native", "star"])
def test_a_full_disk(run: Run, small_disk: Path, to: str) -> None:
    for target in (small_disk / OUT, small_disk):
        assert run("convert", STAR, target, "--to", to).refused("No space left on device")
        assert not tree(small_disk)


def _little_space() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


@pytest.mark.parametrize(
    "words",
    [
        ["convert", STAR, OUT],
        ["convert", STAR, OUT, "--to", "star"],
        ["stats", STAR, "--json", "a"],
    ],
)
def test_a_file_that_may_not_grow(tmp_path: Path, words: list[str | Path]) -> None:
    done = alone(*words, cwd=tmp_path, preexec_fn=_little_space)
    assert done.refused("cannot be written: File too large")
    assert not tree(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        ["stats", STAR],
        ["stats", STAR, "--json", "-"],
        ["show", STAR, "1"],
        ["roundtrip", STAR],
        ["--help"],
    ],
)
def test_a_full_standard_output(words: list[str | Path]) -> None:
    with Path("/dev/full").open("w") as full:
        done = alone(*words, stdout=full)
    assert done.refused("standard output: cannot be written: No space left on device")


def test_a_closed_pipe(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = alone("stats", STAR, stdout=writing)
    helped = alone("--help", stdout=writing)
    os.close(writing)
    assert (done.code, done.err) == (141, "")
    assert (helped.code, helped.err) == (0, "")


def test_devices_and_pipes_are_written_to_and_links_followed(run: Run, tmp_path: Path) -> None:
    assert run("stats", STAR, "--json", "/dev/full").refused("No space left on device")
    assert Path("/dev/full").is_char_device()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        assert run("stats", STAR, "--json", pipe).code == 0
        assert reader.stdout is not None
        assert json.loads(reader.stdout.read())["dialogues"] == 3
    assert pipe.is_fifo()
    file, link = tmp_path / "file.json", tmp_path / "link.json"
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to("file.json")
    assert run("stats", STAR, "--json", link).code == 0
    assert link.is_symlink()
    assert json.loads(file.read_bytes())["dialogues"] == 3
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_the_shell_opened_is_written_to() -> None:
    command = f"{shlex.join(PROGRAM)} stats {STAR} --json >(cat) | cat"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert '"dialogues": 3' in done.stdout


def test_an_output_is_not_read_and_not_named_twice(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "1.json"
    file.write_bytes(GOLDEN)
    for option in ("--json", "--rejects"):
        assert run("stats", file, option, file).refused("is read by this command")
    assert file.read_bytes() == GOLDEN
    assert run("stats", STAR, "--json", "x", "--html", "x").refused("--json and --html cannot both")


INTERRUPTED = """
import os, signal, sys
from dialoom.cli import main
from dialoom.corpus import files

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
os.fsync = lambda handle: os.kill(os.getpid(), getattr(signal, os.environ["SIGNAL"]))
main()
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("words", [["convert", STAR, OUT], ["stats", STAR, "--json", "a.json"]])
def test_interrupted_in_mid_write(tmp_path: Path, words: list[str | Path], name: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED, *map(str, words)]
    environment = {**os.environ, "SIGNAL": name}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "dialoom: interrupted\n")
    assert not tree(tmp_path)


def test_killed_in_mid_write(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED, "convert", str(STAR), OUT]
    environment = {**os.environ, "SIGNAL": "SIGKILL"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not (tmp_path / OUT).exists()
    # What the dead process left is hidden, and no obstacle.
    assert alone("convert", STAR, OUT, cwd=tmp_path).code == 0
    assert len(tree(tmp_path / OUT)) == 4


HOSTILE = [
    "__import__('os').system('touch hacked')",
    "api.is_equal_to(__import__('os').system('touch hacked'))",
    "x" * 1_000_000,
    '"' + "x" * 1_000_000 + '"',
    "api.is_not(" * 10_000 + ")" * 10_000,
    "[" * 10_000 + "]" * 10_000,
    "api.is_one_of([" + "1," * 10_000 + "1])",
    '"\\' * 10_000,
    "\x1b]0;title\x07",
]


def test_hostile_constraints_are_data(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = json.loads(GOLDEN)
    file["Events"][5]["Constraints"] = [{"Seats": text} for text in HOSTILE]
    source = tmp_path / "star" / "dialogues" / "1.json"
    source.parent.mkdir(parents=True)
    source.write_text(json.dumps(file, indent=2, sort_keys=True))
    assert run("convert", "star", "native").code == 0
    assert run("convert", "native", "back", "--to", "star").code == 0
    assert (tmp_path / "back" / "dialogues" / "1.json").read_bytes() == source.read_bytes()
    for words in (["stats", "star"], ["roundtrip", "native"], ["show", "native", "1"]):
        done = run(*words)
        assert done.code == 0
        assert "\x1b" not in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["back", "native", "star"]
