"""Figures of README and docs: each stands where its list says, and one that differs is told."""

from __future__ import annotations

import json
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
    found = experiments(names)
    assert {each.family if each.family in names else each.name for each in found} == names


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


def test_an_experiment_with_other_seeds_has_mean_and_range(figures: Any, tmp_path: Path) -> None:
    for seed, value in enumerate((70.0, 72.0, 74.0)):
        result = {"scores": {"f1": {"value": value}, "accuracy": {"value": 1.0}}}
        (tmp_path / f"one-100-{seed}.json").write_text(json.dumps(result))
    (tmp_path / "one-1000-0.json").write_text("{}")
    found = figures.made("one-100", (), tmp_path, tmp_path)
    assert found == {"mean": 72.0, "deviation": 2.0, "least": 70.0, "greatest": 74.0}
    with pytest.raises(FileNotFoundError):
        figures.made("one-1000", (), tmp_path, tmp_path)


def test_the_readme_has_at_most_six_figures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("Python 3.11", "")
    bare = re.sub(r"```.*?```|`[^`]*`|\([^()]*\)", "", text, flags=re.DOTALL)
    shown = re.findall(r"(?<![\w.-])\d+\.\d+", bare)
    assert 3 <= len(shown) <= 6, shown


def test_the_picture_sets_the_published_model_beside_one_with_similar_inputs(figures: Any) -> None:
    pictured = re.findall(r">(\d\d\.\d)<", (ROOT / "docs" / "overview.svg").read_text())
    (similar,) = (
        each
        for each in figures.listed()
        if (each.name, each.page) == ("star-zero-shot-domain-sam-inputs", "README.md")
    )
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert figures.pattern(similar.text).findall(readme)[0][0] in pictured
