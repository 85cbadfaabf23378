"""The page for newcomers: its commands run as they stand there, and print what it says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.runner import Run

PAGE = Path(__file__).parent.parent / "docs" / "tutorials" / "first-task.md"
BLOCK = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
FEW = ("-n 1000", "-n 75")
"""The page simulates enough to learn from, the test enough to see that everything runs."""


def steps() -> Iterator[tuple[list[str], list[str]]]:
    """Yield the commands of each block with the lines that they print, by the page."""
    pairs: list[tuple[list[str], list[str]]] = []
    for kind, text in BLOCK.findall(PAGE.read_text()):
        if kind == "sh":
            pairs.append((text.splitlines(), []))
        elif kind in ("text", "text dialogue"):
            pairs[-1][1].extend(text.splitlines())
    yield from pairs


def masked(text: str) -> str:
    """Return a text without its figures but zeros: the test simulates fewer than the page."""
    return re.sub(r"\b(?!0\b)\d[\d,]*(\.\d+)?", "#", text)


def test_the_page_from_beginning_to_end(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    compared: Callable[[str], str] = str
    exact = 0
    for commands, lines in steps():
        printed = ""
        for command in commands:
            if FEW[0] in command:
                compared = masked
            program, *arguments = shlex.split(command.replace(*FEW))
            assert program == "dialoom"
            done = run(*arguments)
            assert done.code == 0, done.err
            printed += done.out
        place = 0
        for line in lines:
            if line != "…":
                place = compared(printed).find(compared(line), place)
                assert place >= 0, f"{line!r} is not in\n{printed}"
                exact += compared is str and any(map(str.isdigit, line))
    assert exact >= 2
    files = {path.name for path in tmp_path.iterdir()}
    report = (tmp_path / "report.html").read_text()
    assert files >= {"bicycle_repair.yaml", "bicycle_repair.svg", "dialogues", "run.jsonl"}
    assert 'aria-label="Flow of bicycle_repair"' in report


def test_the_mistake_that_the_page_shows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("schema", "new", "bicycle_repair", "--out", "bicycle_repair.yaml").code == 0
    file = tmp_path / "bicycle_repair.yaml"
    file.write_text(file.read_text().replace("asks: day\n", "asks: dya\n"))
    done = run("schema", "check", "bicycle_repair.yaml")
    message = next(text for kind, text in BLOCK.findall(PAGE.read_text()) if kind == "text mistake")
    assert done.code == 1
    assert message in done.out
