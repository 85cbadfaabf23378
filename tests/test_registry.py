"""Names for parts, imported only when chosen."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from dialoom import registry
from dialoom.errors import EXTRAS, MissingExtraError, UnknownNameError
from dialoom.registry import Registry
from tests.make import refuses

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
    with refuses(MissingExtraError, "no-library", "gone", "dialoom[models]"):
        shapes().get("gone")


def test_a_missing_library_without_an_extra_is_a_bug() -> None:
    with pytest.raises(ModuleNotFoundError, match="dialoom_no_such_module"):
        shapes().get("gone")


def test_other_packages_add_theirs_but_replace_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "outside-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: outside\nVersion: 1\n")
    points = "[dialoom.tests.shapes]\njson = json:loads\npath = pathlib:Path\n"
    (installed / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path)
    assert list(shapes()) == ["gone", "json", "path"]
    assert shapes().get("path") is Path
    assert shapes().get("json") is __import__("json").dumps


def test_what_stands_after_the_colon_are_settings() -> None:
    lazy: Registry[Callable[[str], Path]] = Registry(
        "folder", "dialoom.tests", {"path": "pathlib:Path"}
    )
    assert lazy.made("path:a:b") == Path("a:b")
    assert lazy.made("path") == Path()
    with refuses(UnknownNameError, "unknown-name", "folder"):
        lazy.made("paht:a")


SOURCE = Path(registry.__file__).parent


def layers() -> dict[str, int]:
    """Return package to its layer in the first contract of pyproject.toml, the highest first."""
    text = (SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    contract = tomllib.loads(text)["tool"]["importlinter"]["contracts"][0]
    return {
        name.strip(): place
        for place, layer in enumerate(contract["layers"])
        for name in layer.split("|")
    }


def named_parts() -> list[tuple[str, str]]:
    """Return (module, module that it names) for each entry of each registry in the source."""
    pairs = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "Registry" not in text:
            continue
        module = ".".join(("dialoom", *path.relative_to(SOURCE).with_suffix("").parts))
        for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
            name = call.func.value if isinstance(call.func, ast.Subscript) else call.func
            if isinstance(name, ast.Name) and name.id == "Registry" and len(call.args) > 2:
                entries = call.args[2].values if isinstance(call.args[2], ast.Dict) else ()
                parts = (each.value for each in entries if isinstance(each, ast.Constant))
                pairs += [(module, str(part).partition(":")[0]) for part in parts]
    return pairs


def test_no_registry_names_a_part_of_a_higher_layer() -> None:
    levels = layers()

    def layer(module: str) -> int:
        return levels[".".join(module.split(".")[:2])]

    parts = named_parts()
    assert len(parts) > 100
    assert [each for each in parts if layer(each[1]) < layer(each[0])] == []
