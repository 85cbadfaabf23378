"""What the site has beside docs/: README as its first page, the changelog, and the API reference.

A hook of MkDocs, see mkdocs.yml. The reference has a page for each package, made of docstrings by
mkdocstrings; what commands do is told by the command line's own page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
ABOVE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
"""Pages of the repository's root, and what they are on the site."""

WITHOUT = {"dialoom.cli"}
"""Packages that have no page here."""


def packages() -> Iterator[tuple[str, list[str]]]:
    """Yield each package with the modules in it."""
    for file in sorted((SOURCE / "dialoom").rglob("__init__.py")):
        name = dotted(file.parent)
        if name not in WITHOUT:
            modules = (module for module in sorted(file.parent.glob("[a-z]*.py")))
            yield name, [name, *(f"{name}.{module.stem}" for module in modules)]


def dotted(folder: Path) -> str:
    """Return the name that the package in a folder is imported by."""
    return ".".join(folder.relative_to(SOURCE).parts)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the API reference to the navigation."""
    pages = [{name: f"api/{name}.md"} for name, _ in packages()]
    config.nav = [*(config.nav or []), {"API": pages}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    for name, page in ABOVE.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=linked(text)))
    for name, modules in packages():
        lines = [f"# {name}", *(f"::: {module}" for module in modules)]
        files.append(File.generated(config, f"api/{name}.md", content="\n\n".join(lines) + "\n"))
    return files


def linked(text: str) -> str:
    """Return the text of a page of the root with its links as they are on the site."""

    def target(found: re.Match[str]) -> str:
        path = found[1].removeprefix("docs/")
        return f"]({ABOVE.get(path, path)}"

    return re.sub(r"\]\(([^):#]+)", target, text)
