"""Names for parts, imported only when chosen."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from dialoom import registry
from dialoom.errors import EXTRAS, MissingExtraError, UnknownNameError
from dialoom.registry import Registry

BUILTIN = {"json": "json:dumps", "gone": "dialoom_no_such_module:thing"}


def shapes() -> Registry[object]:
    return Registry("shape", "dialoom.tests.shapes", BUILTIN)


def test_a_name_gives_its_part() -> None:
    import json

    assert shapes().get("json") is json.dumps


def test_the_names_are_sorted() -> None:
    assert list(shapes()) == ["gone", "json"]


def test_nothing_is_imported_before_it_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dialoom_lazy_part.py").write_text("PART = 'here'\n")
    monkeypatch.syspath_prepend(tmp_path)
    lazy: Registry[str] = Registry("part", "dialoom.tests", {"lazy": "dialoom_lazy_part:PART"})
    assert list(lazy) == ["lazy"]
    assert "dialoom_lazy_part" not in sys.modules
    assert lazy.get("lazy") == "here"


def test_an_unknown_name_lists_close_and_known_ones() -> None:
    with pytest.raises(UnknownNameError) as error:
        shapes().get("jsonn")
    assert str(error.value) == "unknown shape 'jsonn': did you mean json? known: gone, json"


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "dialoom_no_such_module", "models")
    with pytest.raises(MissingExtraError, match=r"shape gone .*pip install 'dialoom\[models\]'"):
        shapes().get("gone")


def test_a_missing_library_without_an_extra_is_a_bug() -> None:
    with pytest.raises(ModuleNotFoundError, match="dialoom_no_such_module"):
        shapes().get("gone")


def test_other_packages_add_theirs_but_replace_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def points(*, group: str) -> list[EntryPoint]:
        return [
            EntryPoint("json", "json:loads", group),
            EntryPoint("path", "pathlib:Path", group),
        ]

    monkeypatch.setattr(registry, "entry_points", points)
    assert list(shapes()) == ["gone", "json", "path"]
    assert shapes().get("path") is Path
    assert shapes().get("json") is __import__("json").dumps


def test_what_stands_after_the_colon_are_settings() -> None:
    lazy: Registry[Callable[[str], Path]] = Registry(
        "folder", "dialoom.tests", {"path": "pathlib:Path"}
    )
    assert lazy.made("path:a:b") == Path("a:b")
    assert lazy.made("path") == Path()
    with pytest.raises(UnknownNameError, match="folder"):
        lazy.made("paht:a")
