"""The built pages: those of the sources, small, without inline code, readable, in every language.

None of this needs Node; `make web` builds the pages anew.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from dialoom.schema.flow import Node
from tests.found import some

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
PAGES = ROOT / "src/dialoom/serve/pages"
STUDIO = ROOT / "src/dialoom/studio/pages"
SETUP = ("package.json", "package-lock.json", "tsconfig.json", "vite.config.ts")
OWN_SETUP = {PAGES: ("index.html",), STUDIO: ("studio.html", "vite.studio.config.ts")}

FIRST = ("index.html", "app.js", "app.css")
"""What everybody loads; pages of some kinds of work, the admin's and languages come when wanted."""

MOST_FIRST, MOST_MORE = 95_000, 40_000
"""Bytes, not compressed: of what everybody loads, and of each file that comes when wanted."""

LANGUAGES = sorted(path.stem for path in (WEB / "src/lang").glob("*.json"))

TEXT, SHAPE = 4.5, 3.0
"""Least contrast of text, and of what tells a control from its ground (WCAG 2.2, 1.4.3, 1.4.11)."""

ON_TEXT = [
    ("ink", ("page", "card", "user", "guide", "code", "right-soft", "wrong-soft")),
    ("soft", ("page", "card", "user", "code", "guide")),
    ("link", ("page", "card", "user", "code")),
    ("wrong", ("page", "card", "wrong-soft")),
    ("right", ("page", "card", "right-soft")),
    ("on-accent", ("accent", "accent-strong")),
    ("ink", ("flow-query", "flow-result", "chosen")),
    ("on-accent", tuple(f"hue-{number}" for number in range(1, 8))),
]
ON_SHAPE = [
    ("edge", ("page", "card")),
    ("link", ("page", "card", "user")),
    ("accent", ("page", "card", "code")),
    ("guide-edge", ("card", "guide")),
    ("wrong", ("card",)),
    ("right", ("card",)),
    *((f"hue-{number}", ("page", "user", "card")) for number in range(1, 8)),
]


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def manifest(pages: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((pages / "manifest.json").read_bytes())
    return read


def catalogue(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((WEB / f"src/lang/{language}.json").read_bytes())
    # pages that are loaded when they are wanted bring texts of their own
    for more in (
        "learn/learn.",
        "document/document.",
        "spoken/spoken.",
        "admin/admin.",
        "studio/studio.",
        "wizard/wizard.",
    ):
        path = WEB / "src" / f"{more}{language}.json"
        texts |= json.loads(path.read_bytes()) if path.is_file() else {}
    return texts


def sources() -> list[Path]:
    return [path for path in (WEB / "src").rglob("*") if path.is_file()]


@pytest.mark.parametrize("pages", [PAGES, STUDIO], ids=["study", "studio"])
def test_the_pages_are_built_from_the_sources(pages: Path) -> None:
    names = [path.relative_to(WEB).as_posix() for path in sources()]
    used = [name for name in names if pages == STUDIO or not name.startswith("src/studio/")]
    paths = sorted((*SETUP, *OWN_SETUP[pages], *used))
    lines = "".join(f"{path} {digest((WEB / path).read_bytes())}\n" for path in paths)
    assert manifest(pages)["sources"] == digest(lines.encode()), "make web builds the pages anew"


@pytest.mark.parametrize("pages", [PAGES, STUDIO], ids=["study", "studio"])
def test_the_pages_are_as_they_were_built(pages: Path) -> None:
    built = {p.name: digest(p.read_bytes()) for p in pages.iterdir() if p.name != "manifest.json"}
    assert built == manifest(pages)["files"]


def test_the_pages_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in PAGES.iterdir()}
    assert sum(sizes[name] for name in FIRST) < MOST_FIRST
    assert max(size for name, size in sizes.items() if name not in FIRST) < MOST_MORE


def test_the_page_has_no_inline_code_and_nothing_from_elsewhere() -> None:
    page = (PAGES / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)
    assert all(url.startswith("/pages/") for url in re.findall(r'(?:src|href)="([^"]+)"', page))


@pytest.mark.parametrize("word", ["innerHTML", "dangerouslySetInnerHTML", "style={", "eval("])
def test_data_never_becomes_markup_or_style(word: str) -> None:
    code = [path for path in sources() if path.suffix in (".ts", ".tsx")]
    assert code
    assert [path.name for path in code if word in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert sorted(english) == sorted(other)
    places = {key: set(re.findall(r"\{\w+\}", text)) for key, text in english.items()}
    assert places == {key: set(re.findall(r"\{\w+\}", text)) for key, text in other.items()}
    assert [key for key, text in other.items() if not text.strip()] == []


def colours() -> dict[str, dict[str, str]]:
    """The page's colours in light and in dark."""
    style = (WEB / "src/style/colours.css").read_text(encoding="utf-8")
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    pattern = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{6});")
    return {"light": dict(pattern.findall(light)), "dark": dict(pattern.findall(dark))}


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_every_kind_of_node_is_drawn_and_named() -> None:
    drawing = (WEB / "src" / "wizard" / "drawing.ts").read_text()
    names = json.loads((WEB / "src" / "wizard" / "wizard.en.json").read_text())
    for kind in some(get_args(get_type_hints(Node)["kind"])):
        assert f'"{kind}"' in drawing
        assert f"chart.kind.{kind}" in names


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("least", "pairs"), [(TEXT, ON_TEXT), (SHAPE, ON_SHAPE)])
def test_contrast(scheme: str, least: float, pairs: list[tuple[str, tuple[str, ...]]]) -> None:
    palette = colours()[scheme]
    low = {
        (fore, back): round(ratio, 2)
        for fore, grounds in pairs
        for back in grounds
        if (ratio := contrast(palette[fore], palette[back])) < least
    }
    assert low == {}
