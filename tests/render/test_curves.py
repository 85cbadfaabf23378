from __future__ import annotations

from dialoom.render.curves import curves
from dialoom.render.plots import Bar, Series
from tests.make import drawn

ONE = Series("selector")


def test_points_are_at_their_place_between_tens() -> None:
    plot = drawn(curves(["1", "2"], [(ONE, [Bar(52.0), Bar(58.0)])], "p@1"))
    first, last = plot.findall(".//circle")
    assert (first.get("cx"), last.get("cx")) == ("9.00%", "97.00%")
    assert (first.get("cy"), last.get("cy")) == ("208.0", "52.0")
    assert [text.text for text in plot.findall(".//text")] == ["50", "60", "1", "2"]
    assert len(plot.findall(".//line[@class='series-0']")) == 1


def test_a_point_without_a_figure_breaks_the_curve() -> None:
    plot = drawn(curves(["1", "2", "3"], [(ONE, [Bar(52.0), Bar(None), Bar(58.0)])], "p@1"))
    assert len(plot.findall(".//circle")) == 2
    assert not plot.findall(".//line[@class='series-0']")


def test_intervals_widen_the_axis() -> None:
    plot = drawn(curves(["1"], [(ONE, [Bar(52.0, (49.0, 61.0))])], "p@1"))
    (whisker,) = plot.findall(".//line[@class='whisker']")
    assert (whisker.get("y1"), whisker.get("y2")) == ("182.0", "78.0")
    assert "40" in {text.text for text in plot.findall(".//text")}


def test_nothing_to_draw_is_an_empty_frame() -> None:
    assert not drawn(curves([], [], "<p@1>")).findall(".//circle")
