"""Pairs as a matrix."""

from __future__ import annotations

import re

from dialoom.render.plots import DARKEST, MOST, matrix
from tests.outline import outline


def test_a_pair_shows_both_ways_and_the_largest_is_the_darkest() -> None:
    svg = matrix(["a", "<b>", "c"], {("a", "<b>"): 4, ("a", "c"): 1}, "both")
    outline(svg)
    titles = re.findall(r"<title>(.*?)</title>", svg)
    assert titles == ["a, &lt;b&gt;: 4", "a, c: 1", "&lt;b&gt;, a: 4", "c, a: 1"]
    assert re.findall(r'fill-opacity="([\d.]+)"', svg)[:2] == [f"{DARKEST:.2f}", "0.14"]


def test_a_pair_given_both_ways_keeps_its_two_counts() -> None:
    svg = matrix(["a", "b"], {("a", "b"): 4, ("b", "a"): 1}, "turns")
    assert re.findall(r"<title>(.*?)</title>", svg) == ["a, b: 4", "b, a: 1"]


def test_only_so_many_are_shown() -> None:
    names = [f"n{i}" for i in range(MOST + 5)]
    assert matrix(names, {}, "none").count("rotate") == MOST
    assert "<rect" not in matrix([], {}, "none")
