"""Columns over whole numbers."""

from __future__ import annotations

import re

import pytest

from dialoom.render.plots import MOST, columns
from tests.outline import outline


def test_two_series_are_side_by_side_in_shares_of_their_own() -> None:
    svg = columns([("one <task>", {"4": 1, "5": 3}), ("several", {"5": 2})], "turns")
    markup = outline(svg)
    titles = re.findall(r"<title>(.*?)</title>", svg)
    assert titles == ["4: 25.0 %", "5: 75.0 %", "5: 100.0 %"]
    assert "one &lt;task&gt;" in svg
    assert "legend" in markup.all("class")
    assert 'class="series-1"' in svg


def test_one_series_needs_no_legend_and_none_no_plot() -> None:
    assert "legend" not in columns([("all", {"3": 1})], "turns")
    assert columns([], "turns") == columns([("all", {})], "turns") == ""


@pytest.mark.parametrize("most", [MOST - 1, MOST, 10 * MOST, 12_345])
def test_wide_ranges_are_put_together(most: int) -> None:
    svg = columns([("all", {str(n): 1 for n in range(most + 1)})], "turns")
    assert 0 < svg.count("<rect") <= MOST
    widths = [float(width) for width in re.findall(r'x="([\d.]+)%"', svg)]
    assert max(widths) <= 100
    assert sum(float(n) for n in re.findall(r": ([\d.]+) %", svg)) == pytest.approx(100, abs=2.5)
