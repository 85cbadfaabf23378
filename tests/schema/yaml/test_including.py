from __future__ import annotations

import re
from pathlib import Path

import pytest

from dialoom.errors import SchemaError
from dialoom.schema.yaml.including import read_file
from dialoom.schema.yaml.reading import read_task
from tests.make import refuses
from tests.schema.starting import changed

PART = """
slots:
  colour: {type: category, description: the colour, values: {red: [], blue: []}}
flow:
  ask_colour:
    system: ["What colour is it?"]
    asks: colour
    then: give_colour
  give_colour:
    user: ["{colour}.", "It's {colour}.", "Just {colour}.", "Oh, {colour}.", "All {colour}."]
    then: known
"""

INCLUDING = ("    then: ask_service", "    then: paint")


def task_with(folder: Path, exits: str, part: str = PART) -> Path:
    (folder / "paint.part.yaml").write_text(part)
    file = folder / "repair.yaml"
    file.write_text(changed(INCLUDING, ("\nslots:", f"\ninclude:\n  paint:{exits}\n\nslots:")))
    return file


def test_a_part_becomes_part_of_the_flow(tmp_path: Path) -> None:
    task = read_task(task_with(tmp_path, "\n    known: ask_service"))
    assert task.flow.nodes["give_name"].then == ("ask_colour",)
    assert task.flow.nodes["give_colour"].then == ("ask_service",)
    assert task.slots["colour"].values == {"red": (), "blue": ()}


def test_what_the_task_has_itself_stands(tmp_path: Path) -> None:
    file = task_with(tmp_path, "\n    known: ask_service")
    own = "  colour: {type: category, description: its colour, values: {green: []}}\n"
    file.write_text(re.sub(r"\nslots:.*\n", lambda m: m[0] + own, file.read_text()))
    assert list(read_task(file).slots["colour"].values) == ["green"]


@pytest.mark.parametrize(
    ("exits", "part", "message"),
    [
        (" {}", PART, ("bad-task", "'known'")),
        ("\n    knwn: ask_service", PART, ("bad-task", "knwn", "'known'")),
        ("\n    known: ask_service", "slots: {}", ("no-key", "flow")),
    ],
)
def test_what_cannot_be_included(
    tmp_path: Path, exits: str, part: str, message: tuple[str, ...]
) -> None:
    with refuses(SchemaError, *message):
        read_file(task_with(tmp_path, exits, part))


def test_a_part_that_is_not_there(tmp_path: Path) -> None:
    file = task_with(tmp_path, "\n    known: ask_service")
    (tmp_path / "paint.part.yaml").unlink()
    with refuses(SchemaError, "bad-task", "include/paint", "no file paint"):
        read_task(file)


def test_bundled_parts_are_found(tmp_path: Path) -> None:
    exits = "\n    identified: ask_service\n    not_identified: goodbye"
    file = task_with(tmp_path, exits)
    file.write_text(file.read_text().replace("paint", "identify_customer"))
    assert "find_customer" in read_task(file).flow.nodes
