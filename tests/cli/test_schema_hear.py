"""`dialoom schema hear`: lines of either side, in anybody's words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runner import Run


def heard(run: Run, folder: Path, lines: str, *options: object) -> list[dict[str, Any]]:
    file, out = folder / "lines.txt", folder / "heard.jsonl"
    file.write_text(lines, encoding="utf-8")
    done = run("schema", "hear", "restaurant_book", "--lines", file, "--json", out, *options)
    assert (done.code, done.err) == (0, "")
    return [json.loads(line) for line in out.read_bytes().splitlines()]


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        ("Sure! Who is the host?", ["name"]),
        ("who's the table for?", ["name"]),
        ("**What time** would you like to eat? \U0001f37d", ["time"]),
        ("And how many of you will there be?", ["guests"]),
        ("Okay, got it. How many people, and at what time?", ["time", "guests"]),
        ("I can help with that. Which restaurant did you have in mind?", ["restaurant"]),
    ],
)
def test_questions_of_the_system(run: Run, tmp_path: Path, line: str, asks: list[str]) -> None:
    (row,) = heard(run, tmp_path, line)
    assert sorted(row["asks"]) == sorted(asks)
    assert row["function"] == "request"
    assert 0 < row["certainty"] <= 1


def test_a_statement_has_its_values_and_no_others(run: Run, tmp_path: Path) -> None:
    (row,) = heard(run, tmp_path, "Perfect, Juniper has a table for 4 at 19:00. Shall I book it?")
    values = {each["slot"]: each["value"] for each in row["mentions"]}
    assert values["guests"] == 4
    assert values["time"] == "19:00"
    assert all(each["confidence"] >= 0.5 for each in row["mentions"])
    assert row["function"] == "confirm"


@pytest.mark.parametrize(
    ("line", "function", "slots"),
    [
        ("yes please", "affirm", []),
        ("No, eight o'clock.", "negate", ["time"]),
        ("Four people at half past seven.", "inform", ["guests", "time"]),
    ],
)
def test_turns_of_a_user(
    run: Run, tmp_path: Path, line: str, function: str, slots: list[str]
) -> None:
    (row,) = heard(run, tmp_path, line, "--as", "user")
    assert sorted(each["slot"] for each in row["mentions"]) == slots
    assert row["function"] in (function, "give")
