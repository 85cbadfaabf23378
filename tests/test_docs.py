"""What the pages show is what happens: their snippets run, and their glossary is complete."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import typer.main

from dialoom import dialogue
from dialoom.cli.app import app
from dialoom.schema.places import parse
from tests.cli.runner import tree
from tests.pages import BLOCK, ROOT, commands

PAGES = [
    page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if page.exists()
]
SNIPPETS = [page for page in PAGES if "```python\n" in page.read_text()]
GUIDES = [
    page
    for page in PAGES
    if page.parent.name in ("how-to", "tutorials") and "```yaml\n" in page.read_text()
]


def snippets(page: Path) -> Iterator[tuple[str, str | None, int]]:
    """Yield each Python block with the text block right after it and the line it starts on."""
    text = page.read_text()
    blocks = list(BLOCK.finditer(text))
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if block[1] != "python":
            continue
        is_pair = after and after[1] == "text" and not text[block.end() : after.start()].strip()
        yield block[2], after[2] if after and is_pair else None, text.count("\n", 0, block.start(2))


@pytest.mark.parametrize("page", SNIPPETS, ids=lambda page: page.name)
def test_snippets_run_and_print_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__snippet__"}
    for code, expected, line in snippets(page):
        printed = io.StringIO()
        with redirect_stdout(printed):
            # Blank lines in front, so that a traceback names the page's line.
            exec(compile("\n" * line + code, str(page), "exec", dont_inherit=True), namespace)
        if expected is not None:
            assert printed.getvalue() == expected


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_yaml_of_guides_and_tutorials_parses(page: Path) -> None:
    text = page.read_text()
    for block in BLOCK.finditer(text):
        if block[1] == "yaml":
            # Blank lines in front, so that an error names the page's line.
            parse("\n" * (text.count("\n", 0, block.start()) + 1) + block[2], page.name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_short_enough_to_read(page: Path) -> None:
    text = page.read_text()
    if page.parent.name != "reference":
        assert len(text.split()) <= MOST_WORDS
    if page.name == "README.md":
        assert text.count("\n") < README_LINES


MOST_WORDS, README_LINES = 1_500, 130
"""Words of a page that is no reference, its code and tables included; lines of README."""


ELSEWHERE = ("corpora/", "make ", "collect", "dialoom serve ")
"""Of blocks that need published corpora, install something, or serve until they are stopped."""

SMALLER = {"20000": "60", "1000": "30"}
"""Numbers of dialogues in README and those that are enough to see that a line works."""


OWN = ("http", "served", "--db", "tracker.model", "majority")
"""In commands of the gallery that need a server, serve until they are stopped, or train long."""


@pytest.mark.long
def test_the_gallery_runs_in_a_fresh_folder(tmp_path: Path) -> None:
    for block in BLOCK.finditer((ROOT / "docs" / "tutorials" / "gallery.md").read_text()):
        name = block[2].partition("\n")[0].removeprefix("# ")
        if block[1] in ("yaml", "python") and name.endswith((".yaml", ".py")):
            (tmp_path / name).write_text(block[2])
        elif block[1] == "sh":
            lines = block[2].replace("\\\n", " ").splitlines()
            shell(tmp_path, "\n".join(line for line in lines if not any(o in line for o in OWN)))
    assert tree(tmp_path / "again") == tree(tmp_path / "services")


def shell(folder: Path, commands: str) -> None:
    """Run commands in a folder that is also the home, and with nothing else of this shell."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    variables = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    environment = {"PATH": path, "HOME": str(folder), "OMP_NUM_THREADS": "1", **variables}
    command = ["bash", "-e", "-c", commands]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}\n{done.stderr}"


@pytest.mark.long
def test_the_commands_of_the_readme_run_in_a_fresh_shell(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    blocks = [block[2] for block in BLOCK.finditer((ROOT / "README.md").read_text())]
    scripts = [b for b in blocks if "dialoom " in b and not any(word in b for word in ELSEWHERE)]
    assert sum(block.count("\ndialoom ") for block in scripts) >= 9
    for block in scripts:
        for number, smaller in SMALLER.items():
            block = block.replace(number, smaller)
        shell(tmp_path, block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_the_pages_exist_with_their_options(page: Path) -> None:
    program = typer.main.get_command(app)
    for line in commands(page):
        command: Any = program
        words = shlex.split(line)
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        try:
            command.make_context("dialoom", words, **program.context_settings)
        except typer.TyperException as error:
            pytest.fail(f"{page.name}: dialoom {line}: {error.format_message()}")


@pytest.mark.parametrize("name", sorted(dialogue.__all__))
def test_the_reference_names_all_of_the_data_model(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "reference" / "data-model.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
