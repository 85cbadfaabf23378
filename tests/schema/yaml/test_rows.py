"""Rows of tables that a task file or a CSV file gives."""

from __future__ import annotations

from pathlib import Path

import pytest

import dialoom
from dialoom.errors import DialoomError
from dialoom.kb import KnowledgeBase
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_task, read_text
from tests.make import refuses

DATA = Path(dialoom.__file__).parent / "tasks"

WEATHER = (DATA / "weather.yaml").read_text(encoding="utf-8")
ROWS = "    rows: 48\n"
CSV = "City,Day,Weather,TemperatureCelsius\nVelmora,Sunday,sunny,21\n\nVelmora,Monday,,\n"


def task(folder: Path, rows: str, csv: str | bytes = CSV) -> TaskSchema:
    assert ROWS in WEATHER
    (folder / "task.yaml").write_text(WEATHER.replace(ROWS, rows))
    data = csv if isinstance(csv, bytes) else csv.encode()
    (folder / "own.csv").write_bytes(data)
    return read_task(folder / "task.yaml")


def test_rows_of_a_csv_file(tmp_path: Path) -> None:
    schema = task(tmp_path, "    file: own.csv\n", b"\xef\xbb\xbf" + CSV.encode())
    base = KnowledgeBase()
    base.populate(schema, 3)
    assert base.rows("forecasts") == [
        {"City": "Velmora", "Day": "Sunday", "Weather": "sunny", "TemperatureCelsius": 21},
        {"City": "Velmora", "Day": "Monday", "Weather": None, "TemperatureCelsius": None},
    ]


def test_rows_in_the_task_file_come_first_and_the_others_are_drawn(tmp_path: Path) -> None:
    line = "    given: [{City: Velmora, Day: Sunday, Weather: foggy, TemperatureCelsius: 4}]\n"
    schema = task(tmp_path, line + "    rows: 20\n")
    base = KnowledgeBase()
    base.populate(schema, 3)
    rows = base.rows("forecasts")
    assert len(rows) == 20
    assert rows[0]["Weather"] == "foggy"
    assert len({(row["City"], row["Day"]) for row in rows}) == 20


def test_several_values_of_a_slot_are_one_text() -> None:
    schema = pack.load("apartment_search")
    many = next(s for s in schema.slots.values() if s.type == "categories")
    column = next(c for t in schema.tables.values() for c in t.columns if c.slot == many.name)
    one, other, *_ = many.values
    text = (DATA / "apartment_search.yaml").read_text(encoding="utf-8")
    row = f'    given: [{{{column.name}: "{one}; {other}"}}]\n'
    at = text.index("    rows: ")
    (table,) = read_text(text[:at] + row + text[at:]).tables.values()
    assert table.given == ({column.name: [one, other]},)


@pytest.mark.parametrize(
    ("rows", "csv", "words"),
    [
        ("    file: none.csv\n", CSV, ("no-file", "none.csv")),
        ("    file: own.csv\n", "Town\nVelmora\n", ("unknown-name", "Town")),
        ("    file: own.csv\n", "City,Day\nVelmora\n", ("mismatch", "line 2")),
        ("    file: own.csv\n", "City\nVelmora,Sunday\n", ("mismatch", "line 2")),
        ("    file: own.csv\n", "City\nNowhere\n", ("bad-task", "Nowhere")),
        ("    file: own.csv\n", "City,Day,City\nVelmora,Sunday,\n", ("twice", "City")),
        ("    file: own.csv\n", "", ("empty", "own.csv")),
        ("    file: own.csv\n", "City,TemperatureCelsius\n,mild\n", ("bad-task", "mild")),
        ("    file: own.csv\n    rows: 1\n", CSV, ("bad-task", "E106")),
        ("    file: own.csv\n", b"City\n\xff\n", ("not-utf-8",)),
        ("    file: own.csv\n", 'City\n"Velmora\n', ("bad-line", "own.csv")),
        ("    given: [{Town: Velmora}]\n", CSV, ("bad-task", "Town")),
        ("    given: [{City: Nowhere}]\n", CSV, ("bad-task", "Nowhere")),
        ("", CSV, ("bad-task", "rows")),
    ],
)
def test_wrong_rows_are_refused(
    tmp_path: Path, rows: str, csv: str | bytes, words: tuple[str, ...]
) -> None:
    with refuses(DialoomError, *words):
        task(tmp_path, rows, csv)


def test_a_text_has_no_folder() -> None:
    with refuses(DialoomError, "no-folder"):
        read_text(WEATHER.replace(ROWS, "    file: own.csv\n"))
