"""What the package shows and costs: its names, what importing it loads, the size of its files."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dialoom

ROOT = Path(__file__).parents[1]

HEAVY = {
    "fastapi",
    "matplotlib",
    "numpy",
    "pandas",
    "rich",
    "scipy",
    "sklearn",
    "torch",
    "transformers",
    "typer",
    "yaml",
}

LOADED = """
import json, sys
try:
    {statement}
except SystemExit:
    pass
print()
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})))
"""


def loaded_by(statement: str) -> set[str]:
    """Return the top-level modules that a statement loads in a fresh interpreter."""
    program = LOADED.format(statement=statement)
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_names_are_these() -> None:
    assert dialoom.__all__ == [
        "Corpus",
        "Dialogue",
        "DialoomError",
        "Query",
        "Result",
        "TaskSchema",
        "Utterance",
        "__version__",
        "evaluate",
        "load",
        "load_task",
        "metrics",
        "play",
        "publish",
        "score",
        "simulate",
    ]


def test_every_name_is_there() -> None:
    for name in dialoom.__all__:
        assert getattr(dialoom, name) is not None
        assert name in dir(dialoom)
    with pytest.raises(AttributeError, match="has no attribute 'dialogs'"):
        _ = dialoom.dialogs


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_by("import dialoom") & {*HEAVY, "msgspec", "rapidfuzz"}


def test_opening_a_corpus_loads_nothing_heavy() -> None:
    data = ROOT / "tests" / "formats" / "data" / "star"
    statement = f"import dialoom; list(dialoom.load({str(data)!r}).dialogues())"
    assert not loaded_by(statement) & HEAVY


@pytest.mark.parametrize("words", [[], ["stats"], ["convert"], ["bench"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    arguments = ["dialoom", *words, "--help"]
    statement = f"sys.argv = {arguments!r}; from dialoom.cli import main; main()"
    assert not loaded_by(statement) & (HEAVY - {"rich", "typer"})


def test_no_file_is_long() -> None:
    folders = ("src", "tests", "benchmarks", "examples", "docs")
    lengths = {
        str(file.relative_to(ROOT)): file.read_bytes().count(b"\n")
        for folder in folders
        for file in (ROOT / folder).rglob("*.py")
    }
    assert len(lengths) > 1000
    assert {name: number for name, number in lengths.items() if number > 400} == {}


def test_no_test_file_imports_another() -> None:
    imports = re.compile(r"^\s*(?:from|import) tests\b.*\btest_", re.MULTILINE)
    files = [file for place in ("tests", "benchmarks") for file in (ROOT / place).rglob("*.py")]
    assert [file.name for file in files if imports.search(file.read_text(encoding="utf-8"))] == []


def test_the_changelog_has_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)
    assert dialoom.__version__ in versions
