"""The shell of a page and the pieces that pages share."""

from __future__ import annotations

from dialoom.render.page import (
    POLICY,
    Section,
    breakable,
    cards,
    counts,
    definitions,
    figure,
    folded,
    link,
    page,
    paragraph,
    table,
    text,
    tiles,
)
from tests.outline import outline

HOSTILE = "<b>&\x07"
SAFE = "&lt;b&gt;&amp;␇"


def test_every_section_has_a_link_and_empty_ones_are_left_out() -> None:
    html = page(
        "Things", [Section("One & two", "<p>1</p>"), Section("None", ""), Section("€", "x")]
    )
    markup = outline(html)
    assert markup.all("id") == ["one-two", "section"]
    assert markup.all("href") == ["#one-two", "#section"]
    assert "None" not in markup.words


def test_sections_of_one_title_have_ids_of_their_own() -> None:
    markup = outline(page("Things", [Section("A", "1"), Section("A", "2")]))
    assert markup.all("id") == ["a", "a-2"]


def test_a_single_section_needs_no_contents() -> None:
    assert "nav" not in outline(page("Things", [Section("A", "1")])).tags


def test_nothing_is_loaded_and_nothing_runs() -> None:
    html = page("Things", [Section("A", "1")])
    markup = outline(html)
    assert not {"script", "img", "link", "iframe"} & set(markup.tags)
    assert ("content", POLICY) in markup.attributes
    assert "url(" not in html
    assert "prefers-color-scheme: dark" in html


def test_what_comes_from_data_is_escaped() -> None:
    html = page(HOSTILE, [Section(HOSTILE, paragraph(HOSTILE))], kind=HOSTILE)
    assert html.count(SAFE) >= 4
    assert "<b>" not in html
    assert text(HOSTILE) == SAFE
    for piece in (
        tiles([(HOSTILE, HOSTILE)]),
        counts(HOSTILE, {HOSTILE: 1}),
        table([HOSTILE], [[HOSTILE]], HOSTILE, title=HOSTILE),
        folded(HOSTILE, ""),
    ):
        assert "<b>" not in piece
        assert "\x07" not in piece
        outline(piece)


def test_counts_beyond_the_first_are_folded_away() -> None:
    markup = outline(counts("Acts", {f"act_{n}": 100 - n for n in range(20)}))
    assert "and 8 more" in markup.words
    assert markup.tags.count("tr") == 20
    assert "details" not in outline(counts("Acts", {"one": 1})).tags
    assert outline(counts("Acts", {"none": 0})).words == "Acts none0"


def test_pieces_of_nothing_are_empty() -> None:
    assert tiles([]) == ""
    assert cards([]) == ""


def test_figures_and_names() -> None:
    assert (figure(127833), figure(21.96), figure("many")) == ("127,833", "21.96", "many")
    assert "127,833" in table(["n"], [[127833]], "n")
    assert breakable("hotel_ask_dateFrom") == "hotel_<wbr>ask_<wbr>date<wbr>From"


def test_links_and_terms_are_escaped() -> None:
    html = table(["name"], [[link('a"b.html', "<a>")], ["<b>"]], "Names")
    assert '<td><a href="a&quot;b.html">&lt;a&gt;</a></td>' in html
    assert "<td>&lt;b&gt;</td>" in html
    assert definitions([("<a>", ["1", "&"])]) == (
        "<dl>\n<dt>&lt;a&gt;</dt><dd>1</dd><dd>&amp;</dd>\n</dl>\n"
    )
    assert definitions([]) == ""
