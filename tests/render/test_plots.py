from __future__ import annotations

from xml.etree import ElementTree

import pytest

from dialoom.render.plots import Bar, Group, Series, bars, share
from tests.make import drawn

OURS, THEIRS = Series("ours"), Series("theirs", reference=True)


def test_a_bar_is_as_long_as_its_share_of_the_axis() -> None:
    plot = drawn(bars([Group("a", (Bar(50.0),))], [OURS], "F1"))
    (bar,) = plot.findall("svg[@class='plot']//rect")
    assert bar.get("width") == "43.00%"
    assert bar.get("class") == "series-0"


def test_intervals_are_lines_within_the_axis() -> None:
    plot = drawn(bars([Group("a", (Bar(99.0, (90.0, 104.0)),))], [OURS], "F1"))
    whisker = plot.find(".//g[@class='whisker']/line")
    assert whisker is not None
    assert (whisker.get("x1"), whisker.get("x2")) == ("77.40%", "86.00%")


def test_what_is_missing_is_a_dash_without_a_bar() -> None:
    plot = drawn(bars([Group("a", (Bar(None), Bar(3.0)))], [OURS, THEIRS], "F1"))
    assert len(plot.findall("svg[@class='plot']//rect")) == 1
    assert [text.text for text in plot.findall(".//text[@class='value']")] == ["–", "3.0"]


def test_long_labels_are_cut_and_their_whole_is_the_title() -> None:
    name = "a very long name of a hold-out " * 4
    plot = drawn(bars([Group(name, (Bar(1.0),))], [OURS], "F1"))
    label, title = plot.find(".//text[@class='label']"), plot.find(".//title")
    assert label is not None
    assert title is not None
    assert len(label.text or "") <= 46
    assert title.text == name


def test_names_are_escaped() -> None:
    html = bars([Group("<b>&", (Bar(1.0),))], [Series('"<i>')], '"><script>')
    assert "<b>" not in html
    assert "<i>" not in html
    assert "<script>" not in html
    drawn(html)


def test_groups_do_not_overlap() -> None:
    plot = drawn(
        bars([Group(str(n), (Bar(1.0), Bar(2.0))) for n in range(3)], [OURS, THEIRS], "F1")
    )
    places = [float(node.get("y", "")) for node in plot.findall("svg[@class='plot']/g//rect")]
    heights = [float(node.get("height", "")) for node in plot.findall("svg[@class='plot']/g//rect")]
    ends = [place + height for place, height in zip(places, heights, strict=True)]
    assert all(end < start for end, start in zip(ends, places[1:], strict=False))


def test_as_many_bars_as_series() -> None:
    with pytest.raises(ValueError, match="1 bars for 2 series"):
        bars([Group("a", (Bar(1.0),))], [OURS, THEIRS], "F1")


@pytest.mark.parametrize(
    ("value", "width"), [(-1.0, "0.00%"), (50.0, "50.00%"), (400.0, "100.00%")]
)
def test_a_cell_bar_stays_in_its_cell(value: float, width: str) -> None:
    bar = ElementTree.fromstring(share(value)).find("rect[@class='series-0']")
    assert bar is not None
    assert bar.get("width") == width
