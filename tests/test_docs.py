"""What the pages show is what happens: their snippets run, and their glossary is complete."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from dialoom import dialogue

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = [
    page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if page.exists()
]
SNIPPETS = [page for page in PAGES if "```python\n" in page.read_text()]


def snippets(page: Path) -> Iterator[tuple[str, str | None, int]]:
    """Yield each Python block with the text block right after it and the line it starts on."""
    text = page.read_text()
    blocks = list(BLOCK.finditer(text))
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if block[1] != "python":
            continue
        shown = after and after[1] == "text" and not text[block.end() : after.start()].strip()
        yield block[2], after[2] if after and shown else None, text.count("\n", 0, block.start(2))


@pytest.mark.parametrize("page", SNIPPETS, ids=lambda page: page.name)
def test_snippets_run_and_print_what_the_page_says(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {"__name__": "__snippet__"}
    for code, expected, line in snippets(page):
        printed = io.StringIO()
        with redirect_stdout(printed):
            # Blank lines in front, so that a traceback names the page's line.
            exec(compile("\n" * line + code, str(page), "exec", dont_inherit=True), namespace)
        if expected is not None:
            assert printed.getvalue() == expected


@pytest.mark.parametrize("name", sorted(dialogue.__all__))
def test_the_reference_names_all_of_the_data_model(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "data-model.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
