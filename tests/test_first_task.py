"""The page for newcomers: its commands run as they stand there, and print what it says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.runner import Run, in_process

PAGE = Path(__file__).parent.parent / "docs" / "first-task.md"
BLOCK = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
FEW = ("-n 1000", "-n 75")
"""The page simulates enough to learn from, the test enough to see that everything runs."""


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    yield from in_process(capfd, monkeypatch)


def steps() -> Iterator[tuple[list[str], list[str]]]:
    """Yield the commands of each block with the lines that they print, by the page."""
    blocks = [(kind, text.splitlines()) for kind, text in BLOCK.findall(PAGE.read_text())]
    for (kind, commands), (after, shown) in zip(blocks, [*blocks[1:], ("", [])], strict=True):
        if kind == "sh":
            yield commands, shown if after == "text" else []


def masked(text: str) -> str:
    """Return a text whose figures are left out."""
    return re.sub(r"\d[\d,]*(\.\d+)?", "#", text)


def test_the_page_from_beginning_to_end(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for commands, shown in steps():
        printed = ""
        for command in commands:
            program, *arguments = shlex.split(command.replace(*FEW))
            assert program == "dialoom"
            done = run(*arguments)
            assert done.code == 0, done.err
            printed += done.out
        place = 0
        for line in shown:
            if line != "…":
                place = masked(printed).find(masked(line), place)
                assert place >= 0, f"{line!r} is not in\n{printed}"
    made = {path.name for path in tmp_path.iterdir()}
    report = (tmp_path / "report.html").read_text()
    assert made >= {"bicycle_repair.yaml", "bicycle_repair.svg", "dialogues", "run.jsonl"}
    assert 'aria-label="Flow of bicycle_repair"' in report


def test_the_mistake_that_the_page_shows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("schema", "new", "bicycle_repair", "--out", "bicycle_repair.yaml").code == 0
    file = tmp_path / "bicycle_repair.yaml"
    file.write_text(file.read_text().replace("asks: day\n", "asks: dya\n"))
    done = run("schema", "check", "bicycle_repair.yaml")
    shown = next(text for kind, text in BLOCK.findall(PAGE.read_text()) if kind == "text mistake")
    assert done.code == 1
    assert masked(shown) in masked(done.out)
