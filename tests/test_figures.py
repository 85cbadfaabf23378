"""Figures of README and docs: each stands where its list says, and one that differs is told."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from dialoom.bench.suite import experiments

ROOT = Path(__file__).parents[1]


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    monkeypatch.delitem(sys.modules, "figures", raising=False)
    return import_module("figures")


def test_each_text_stands_once_on_its_page(figures: Any) -> None:
    for each in figures.listed():
        page = (ROOT / each.page).read_text(encoding="utf-8")
        assert len(figures.pattern(each.text).findall(page)) == 1, each.text
    names = {each.name for each in figures.listed() if not each.commands}
    assert {each.name for each in experiments(names)} == names


def test_another_figure_is_told(figures: Any, tmp_path: Path, monkeypatch: Any) -> None:
    page = tmp_path / "page.md"
    page.write_text("It has an F1 of\n12.3 (11.0 to 13.0).")
    monkeypatch.setattr(figures, "HERE", tmp_path / "docs")
    text = "an F1 of {f1/value:.1f} ({f1/interval/0:.1f} to {f1/interval/1:.1f})"
    one = figures.Figures("one", "page.md", text)
    found = {"f1": {"value": 12.26, "interval": [11.04, 12.96]}}
    assert list(figures.differences(one, found)) == []
    found["f1"]["value"] = 12.36
    (line,) = figures.differences(one, found)
    assert re.search(r"page\.md: one makes .*12\.4 .* has .*12\.3", line)
    (line,) = figures.differences(one._replace(text="an accuracy of {f1/value:.1f}"), found)
    assert "nothing like it" in line
