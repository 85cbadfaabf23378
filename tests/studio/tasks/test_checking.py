"""Findings, chart and names of a text while it is edited, whatever is typed."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from dialoom.schema import pack
from dialoom.schema.yaml.reading import check_text
from dialoom.studio.folder import StudioFolder
from dialoom.studio.tasks.checking import check
from dialoom.studio.tasks.message import EditedTask

HOTEL = pack.text("hotel_book")

EVIL = "<img src=x onerror=alert(1)>"


def checked(client: TestClient, text: str, path: str = "hotel_book.yaml") -> dict[str, Any]:
    answer = client.post("/api/tasks/check", json={"path": path, "text": text})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def test_a_right_text_has_a_chart_and_names(client: TestClient) -> None:
    report = checked(client, HOTEL)
    assert report["findings"] == []
    assert report["task"] == "hotel_book"
    assert report["chart"].startswith("<svg")
    line = HOTEL.splitlines()[report["names"]["flow"]["ask_name"] - 1]
    assert line == "  ask_name:"


def test_findings_are_those_of_schema_check(client: TestClient) -> None:
    text = HOTEL.replace("then: give_name", "then: give_nam").replace("type: date", "typ: date", 1)
    report = checked(client, text)
    ours = [(each["code"], each["line"], each["column"]) for each in report["findings"]]
    theirs = check_text(text, "hotel_book.yaml")
    assert ours == [(each.code, each.line, each.column) for each in theirs]
    assert len(ours) > 1
    assert (report["task"], report["chart"]) == (None, None)
    assert "ask_name" in report["names"]["flow"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("task: x\n wrong: y", 2),
        ("a: [", 2),
        ("task: x\ntask: y\n", 2),
        ("- 1\n", 1),
        ("&a x", 1),
        ("task: \x07", 1),
        ("x", 1),
        ("include: {none: {a: b}}\ntask: x\n", 1),
        ("tables: {t: {file: none.csv, columns: {}}}\ntask: x\n", 1),
    ],
)
def test_broken_texts_have_a_finding_at_their_line(
    client: TestClient, text: str, line: int
) -> None:
    findings = checked(client, text)["findings"]
    assert findings[0]["severity"] == "error"
    assert findings[0]["line"] == line


def edits(seed: int, count: int) -> list[str]:
    """Return texts as they are while somebody types: letters come and go, lines are moved."""
    chance, text, texts = random.Random(seed), HOTEL, []
    for _ in range(count):
        at = chance.randrange(len(text))
        kind = chance.choice(["cut", "insert", "lines", "word"])
        if kind == "cut":
            text = text[:at] + text[at + chance.randrange(1, 40) :]
        elif kind == "insert":
            typed = chance.choice(
                ["{", "}", ": ", "\n", "- ", "\t", '"', "&x", "!", EVIL, "é", "|"]
            )
            text = text[:at] + typed + text[at:]
        elif kind == "lines":
            lines = text.split("\n")
            chance.shuffle(lines[at % len(lines) :])
            del lines[at % len(lines)]
            text = "\n".join(lines)
        else:
            text = text.replace(chance.choice(["then", "user", "slots", "flow"]), "name", 1)
        texts.append(text)
        if chance.random() < 0.2:
            text = HOTEL
    return texts


def test_two_hundred_edits_are_all_answered(client: TestClient) -> None:
    for text in edits(7, 200):
        report = checked(client, text)
        assert report["task"] or any(each["severity"] == "error" for each in report["findings"])


@pytest.mark.parametrize("name", ["tables", "policy", "include"])
def test_a_task_cannot_read_files_outside_the_folder(client: TestClient, name: str) -> None:
    text = {
        "tables": "task: x\ntables: {t: {file: ../secret.csv, columns: {Day: {type: category}}}}\n",
        "policy": "task: x\nbriefing: {policy: {file: ../secret.csv}}\n",
        "include": "task: x\ninclude: {../../secret: {}}\n",
    }[name]
    answer = client.post("/api/tasks/check", json={"path": "x.yaml", "text": text})
    assert "outside" in answer.text or "not in the folder" in answer.text
    assert "Day" not in answer.text.replace(text, "")


def test_files_in_the_folder_are_read(folder: Path, client: TestClient) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "rows.csv").write_text("Wrong\n1\n")
    text = "task: x\ntables: {t: {file: rows.csv, columns: {Day: {type: category}}}}\n"
    findings = checked(client, text, "sub/x.yaml")["findings"]
    assert "no column Wrong" in findings[0]["message"]


def test_hostile_names_are_text_in_the_chart(client: TestClient) -> None:
    text = HOTEL.replace("Hi there, I need somewhere to sleep next month.", EVIL)
    report = checked(client, text)
    assert EVIL not in (report["chart"] or "")


@pytest.mark.long
def test_five_hundred_lines_are_checked_in_300_ms_of_work(folder: Path) -> None:
    text = pack.text("hotel_search")
    text += "\n".join(f"# line {number}" for number in range(500 - text.count("\n")))
    studio, edited = StudioFolder(folder), EditedTask("hotel_search.yaml", text)
    check(studio, edited)
    began = time.process_time()
    check(studio, edited)
    assert time.process_time() - began < 0.3
