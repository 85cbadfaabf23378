"""Wrong inputs of every command: one line on standard error, exit code 2, nothing left behind.

Each line of data/wrong_inputs.txt is what is typed after `dialoom` in a folder of sound and broken
files, and words of the line it is refused with.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer.main

from dialoom.cli.app import app
from tests.cli.runner import Run, code_of, own_signals, tree
from tests.formats.star_json import DATA

TABLE = Path(__file__).parent / "data" / "wrong_inputs.txt"
ROWS = [
    line.split(" | ", 1)
    for line in TABLE.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]

BROKEN = {
    "empty.json": b"",
    "broken.json": b'{"a":',
    "list.json": b"[]",
    "object.json": b"{}",
    "null.json": b"null",
    "binary.json": b"\xff\xfe\0x",
    "empty.yaml": b"",
    "broken.yaml": b"task: [a\n",
    "wrong.yaml": b"task: 5\n",
    "words.yaml": b"just words\n",
    "binary.yaml": b"task: \xff\xfe",
    "words.txt": b"just words\n",
    "bad.json.gz": b"\x1f\x8bxx",
    "bad.zip": b"PK\3\4junk",
    "onebyte.sqlite": b"x",
    "a_file": b"x\n",
    "folder/notes.txt": b"nothing of interest\n",
}


@dataclass
class Place:
    """A folder and its content, which no test changes."""

    folder: Path
    content: dict[str, bytes | None]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A folder of corpora, and of files of which none is right."""
    folder = tmp_path_factory.mktemp("wrong")
    for name in ("star", "sgd"):
        shutil.copytree(DATA / name, folder / name)
    shutil.copytree(DATA / "sgd" / "dev", folder / "noschema")
    (folder / "noschema" / "schema.json").unlink()
    items = next((DATA / "dstc6").glob("dialog-task3*.json"))
    shutil.copy(items, folder / "items.json")
    for file, content in BROKEN.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_bytes(content)
    (folder / "emptyfolder").mkdir()
    (folder / "loop").symlink_to("loop")
    simulated = "simulate --tasks weather,hotel_book -n 4 --seed 1 --out"
    fitted = "train sgd-tracking --model empty --corpus"
    with own_signals():
        assert code_of(*simulated.split(), folder / "sims") == 0
        assert code_of(*fitted.split(), DATA / "sgd", "--out", folder / "empty.model") == 0
    return Place(folder, tree(folder))


@pytest.mark.parametrize(("typed", "words"), ROWS, ids=[typed for typed, _ in ROWS])
def test_it_is_refused_in_one_line(
    run: Run, place: Place, monkeypatch: pytest.MonkeyPatch, typed: str, words: str
) -> None:
    monkeypatch.chdir(place.folder)
    assert run(*shlex.split(typed)).refused(*words.split(" & "))
    before, place.content = place.content, tree(place.folder)
    assert place.content == before
    assert (place.folder / "loop").is_symlink()


def commands(group: Any, name: str = "") -> Iterator[str]:
    """Yield the name of every command that is no group."""
    for each, below in getattr(group, "commands", {}).items():
        yield from commands(below, f"{name} {each}".strip())
    if name and (not hasattr(group, "commands") or group.invoke_without_command):
        yield name


def test_every_command_has_wrong_inputs() -> None:
    assert len(ROWS) >= 250
    names = set(commands(typer.main.get_command(app)))
    assert not {name for name in names if not any(row[0].startswith(name) for row in ROWS)}
