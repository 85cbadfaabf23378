"""`dialoom schema values`, `find` and `hear`: renderings of values, and readings of lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runner import Run

SENTENCES = ("I would like {} please", "Is {} possible?", "{}", "it should be {}, thanks")


@pytest.mark.parametrize("task", ["restaurant_book", "apartment_search", "Tables_1"])
def test_every_rendering_is_found_at_its_place(run: Run, tmp_path: Path, task: str) -> None:
    done = run("schema", "values", task, "--json", "-", "--most", 12)
    assert done.code == 0
    expected, texts = [], []
    for slot, entry in json.loads(done.out)["slots"].items():
        for each in entry["values"]:
            assert each["renderings"]
            for text in each["renderings"]:
                for sentence in SENTENCES:
                    start = sentence.index("{}")
                    expected.append((slot, each["value"], start, start + len(text)))
                    texts.append(sentence.format(text))
    lines = tmp_path / "lines.txt"
    lines.write_text("\n".join(texts) + "\n", encoding="utf-8")
    done = run("schema", "find", task, "--lines", lines, "--json", "-")
    rows = json.loads(done.out)
    assert [each["text"] for each in rows] == texts
    for place, line in zip(expected, rows, strict=True):
        places = [(m["slot"], m["value"], m["start"], m["end"]) for m in line["mentions"]]
        assert place in places


def test_tables_on_the_terminal(run: Run, tmp_path: Path) -> None:
    done = run("schema", "values", "restaurant_book", "--most", 2)
    assert "Copper Pan" in done.out
    lines = tmp_path / "lines.txt"
    lines.write_text("\ufefffor a dozen\r\n\r\nat eight pm", encoding="utf-8")
    done = run("schema", "find", "restaurant_book", "--lines", lines)
    assert "a dozen" in done.out
    assert "20:00" in done.out


def test_places_count_code_points(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("🎉🎉 Hohenbrück", encoding="utf-8")
    task = Path(__file__).parents[2] / "src" / "dialoom" / "tasks" / "de" / "wetter.yaml"
    done = run("schema", "find", task, "--lines", lines, "--json", "-")
    (line,) = json.loads(done.out)
    assert [(m["start"], m["end"]) for m in line["mentions"]] == [(3, 13)]


def test_what_is_wrong_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_bytes(b"fine\n\xff\n")
    assert run("schema", "find", "weather", "--lines", lines).refused("line 2", "UTF-8")
    assert run("schema", "find", "weather", "--lines", tmp_path / "no.txt").refused("no.txt")
    assert run("schema", "values", "whether").refused("weather")
    assert run("schema", "values", "all").refused("--task")
    assert run("schema", "values", "all", "--task", "whether").refused("weather")


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


def test_a_dialogue_is_read_in_context(run: Run, tmp_path: Path) -> None:
    lines = """user: I'd like a table at Juniper for four at seven pm
system: Great, Juniper for 5 at 7pm. And what name?
user: No, for four. Georgia Pell.
system: A table for 4 at Juniper under Georgia Pell, time 20:00?
"""
    rows = heard(run, tmp_path, lines, "--as", "dialogue")
    stances = [
        {m["slot"]: stance for m, stance in zip(row["mentions"], row["stances"], strict=True)}
        for row in rows
    ]
    assert [row["speaker"] for row in rows] == ["user", "system", "user", "system"]
    assert stances[0] == {"restaurant": "adds", "guests": "adds", "time": "adds"}
    assert stances[1] == {"restaurant": "agrees", "guests": "contradicts", "time": "agrees"}
    assert stances[2] == {"guests": "agrees", "name": "adds"}
    assert stances[3] == {
        "guests": "agrees", "restaurant": "agrees", "name": "agrees", "time": "contradicts"
    }  # fmt: skip
    assert rows[1]["asks"] == ["name"]
    assert all(not row["open"] for row in rows)


def test_what_a_user_leaves_open(run: Run, tmp_path: Path) -> None:
    lines = "system: What time would you like?\nuser: I don't mind, any time is fine.\n"
    rows = heard(run, tmp_path, lines, "--as", "dialogue")
    assert rows[1]["open"] == ["time"]


def test_each_line_of_a_dialogue_names_its_speaker(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("user: hi\nWhat time?\n", encoding="utf-8")
    done = run("schema", "hear", "restaurant_book", "--lines", file, "--as", "dialogue")
    assert done.code == 2
    assert "line 2" in done.err


def test_a_service_is_heard_by_the_flow_derived_from_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("In which town should the hotel be?\n", encoding="utf-8")
    done = run("schema", "hear", "Lodging_1", "--lines", file, "--json", "-")
    row = json.loads(done.out)
    assert (row["function"], row["asks"]) == ("request", ["location"])
