"""Figures of README and results pages: all are made by experiments, and a page has no other."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from dialoom.bench.suite.experiments import experiments

ROOT = Path(__file__).parents[1]

DECIMAL = re.compile(r"(?<![\w.-])\d+\.\d+")
NAMES = re.compile(r"MultiWOZ 2\.\d|Python 3\.\d+")
CODE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)", re.DOTALL)


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    monkeypatch.delitem(sys.modules, "figures", raising=False)
    return import_module("figures")


def decimals(text: str) -> list[str]:
    """Return the decimals of a text outside of code, links and names."""
    return DECIMAL.findall(NAMES.sub("", CODE.sub("", text)))


def test_every_figure_is_of_an_experiment_or_a_command(figures: Any) -> None:
    names = set(figures.wanted()) - figures.listed()["commands"].keys()
    entries = experiments(names)
    assert {each.family if each.family in names else each.name for each in entries} == names
    assert figures.listed()["values"].keys() == figures.wanted().keys()


def test_results_pages_are_rendered_from_measured_figures(figures: Any) -> None:
    pages = figures.pages(figures.listed()["values"])
    assert len(pages) >= 7
    for page, text in pages.items():
        assert page.read_text(encoding="utf-8") == text, f"{page}: run docs/figures.py"


def test_templates_have_no_decimals_but_in_places(figures: Any) -> None:
    for page, text in figures.templates().items():
        assert decimals(figures.PLACE.sub("", text)) == [], page


def test_every_decimal_of_the_readme_is_in_a_text(figures: Any) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    content = figures.listed()
    for row in content["texts"]:
        page = (ROOT / row["page"]).read_text(encoding="utf-8")
        text = " ".join(figures.spelled(row["text"], content["values"]).split())
        assert " ".join(page.split()).count(text) == 1, text
        if row["page"] == "README.md":
            readme = " ".join(readme.split()).replace(text, "")
    assert decimals(readme) == []


def test_protocols_have_no_figures() -> None:
    text = (ROOT / "docs" / "reference" / "protocols.md").read_text(encoding="utf-8")
    assert decimals(text.replace("arXiv 2411.10416", "")) == []


def test_a_published_figure_is_read_from_the_list_of_these(figures: Any) -> None:
    place = figures.Place("published", "star-next-action/BERT/happy", ".1f")
    assert place.spelled({}) == "73.3"
    with pytest.raises(KeyError):
        place._replace(path="star-next-action/BERT/sad").spelled({})


def test_other_figures_are_reported(figures: Any) -> None:
    document: dict[str, Any] = {
        "f1": {"value": 12.26, "interval": [11.04, 12.96]},
        "slices": [{"name": "seen", "n": 3}, {"name": "unseen", "n": 4}],
        "beside": {"ride": 50.0, "trip": 60.0},
    }
    text = "{{one|f1|ci}}, {{one|slices/unseen/n|d}}, {{one|beside|mean}}"
    mentions = set(figures.places(text))
    values = {"one": figures.measured(document, mentions)}
    assert figures.spelled(text, values) == "12.3 (11.0 to 13.0), 4, 55.0"
    assert list(figures.differences(mentions, values, values)) == []
    document["f1"]["value"] = 12.36
    (line,) = figures.differences(mentions, values, {"one": figures.measured(document, mentions)})
    assert re.search(r"one f1: 12\.4 .*12\.3", line)
    assert len(list(figures.differences(mentions, {}, values))) == 3


def test_names_whose_figures_are_not_all_measured_are_listed(figures: Any) -> None:
    values = figures.listed()["values"]
    assert list(figures.unmeasured(values)) == []
    name, entries = next(iter(values.items()))
    first = next(iter(entries))
    less = {path: value for path, value in entries.items() if path != first}
    assert list(figures.unmeasured({**values, name: less})) == [name]


def test_written_figures_are_read_back(figures: Any) -> None:
    assert json.loads(figures.dumped(figures.listed())) == figures.listed()


def test_repeated_experiments_have_mean_and_range(figures: Any, tmp_path: Path) -> None:
    for name in ("one-100-{}", "two-seed{}"):
        for seed, value in enumerate((70.0, 72.0, 74.0)):
            result = {"scores": {"f1": {"value": value}, "accuracy": {"value": 1.0}}}
            (tmp_path / f"{name.format(seed)}.json").write_text(json.dumps(result))
    (tmp_path / "two-seed0.json").rename(tmp_path / "two.json")
    (tmp_path / "one-1000-0.json").write_text("{}")
    spread = {"mean": 72.0, "deviation": 2.0, "least": 70.0, "greatest": 74.0}
    assert figures.made("one-100", tmp_path, tmp_path) == spread
    assert figures.made("two", tmp_path, tmp_path)["seeds"] == spread
    with pytest.raises(FileNotFoundError):
        figures.made("one-1000", tmp_path, tmp_path)


def test_the_readme_has_at_most_six_figures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("Python 3.11", "")
    bare = re.sub(r"```.*?```|`[^`]*`|\([^()]*\)", "", text, flags=re.DOTALL)
    numbers = re.findall(r"(?<![\w.-])\d+\.\d+", bare)
    assert 3 <= len(numbers) <= 6, numbers


def test_the_picture_sets_the_published_model_beside_one_with_similar_inputs(figures: Any) -> None:
    pictured = re.findall(r">(\d\d\.\d)<", (ROOT / "docs" / "overview.svg").read_text())
    values = figures.listed()["values"]
    similar = figures.Place("star-zero-shot-domain-sam-inputs", "scores/f1/value", ".1f")
    assert similar.spelled(values) in pictured
