"""Lines as plain text, on a terminal and as HTML."""

from __future__ import annotations

from html.parser import HTMLParser
from io import StringIO

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from dialoom.render.transcript import Line, Mark, Marks, clean, pieces, to_html, to_rich, to_text


def spoken(
    index: int, speaker: str, text: str, notes: tuple[str, ...] = (), kind: str = "utterance"
) -> Line:
    return Line(index, speaker, text, notes, kind)


TALK = [
    spoken(8, "user", "A table for two.", ("inform(people = two)",)),
    spoken(9, "kb", "2 found\nname = Ada's", kind="result"),
    spoken(10, "system", "Ada's has one.", ("offer",)),
]
HOSTILE = '<script>alert("&")</script>\x1b[2J\x07'


def on_screen(lines: list[Line], width: int, marks: Marks | None = None) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    console.print(to_rich(lines, marks=marks))
    assert isinstance(console.file, StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def test_plain_text() -> None:
    assert to_text(TALK, marks={10: [Mark("follower: offer")]}) == (
        " 8  user    A table for two.\n"
        "            · inform(people = two)\n"
        " 9  kb      2 found\n"
        "            name = Ada's\n"
        "10  system  Ada's has one.\n"
        "            · offer\n"
        "            « follower: offer\n"
    )
    assert to_text([]) == ""


def test_plain_text_wraps_under_the_text() -> None:
    assert to_text([spoken(0, "user", "one two three four five six")], width=28) == (
        "0  user  one two three four\n         five six\n"
    )


@given(st.text(max_size=200), st.integers(30, 90))
def test_wrapped_text_fits(text: str, width: int) -> None:
    rows = to_text([spoken(0, "user", text)], width=width).split("\n")
    assert all(len(row) <= width for row in rows)


def test_a_terminal_gets_the_same_words() -> None:
    assert on_screen(TALK, 60, {10: [Mark("follower: offer")]}).split("\n") == [
        " 8  user    A table for two.",
        "            · inform(people = two)",
        " 9  kb      2 found",
        "            name = Ada's",
        "10  system  Ada's has one.",
        "            · offer",
        "            « follower: offer",
    ]


def test_right_and_wrong_are_distinguished_by_sign_and_by_class() -> None:
    marks = {10: [Mark("one: offer", right=True), Mark("two: thank", right=False), Mark("E1: odd")]}
    lines = ("« ✓ one: offer", "« ✗ two: thank", "« E1: odd")
    assert to_text(TALK, marks=marks).splitlines()[-3:] == [" " * 12 + each for each in lines]
    assert on_screen(TALK, 60, marks).split("\n")[-3:] == [" " * 12 + each for each in lines]
    page = to_html(TALK, marks=marks)
    assert '<p class="mark right">✓ one: offer</p>' in page
    assert '<p class="mark wrong">✗ two: thank</p>' in page
    assert '<p class="mark">E1: odd</p>' in page


def test_a_terminal_wraps_and_leaves_markup_alone() -> None:
    assert on_screen([spoken(0, "user", "[red]one[/red] two three")], 24).split("\n") == [
        "0  user  [red]one[/red]",
        "         two three",
    ]


def test_speakers_have_colours_of_their_own() -> None:
    console = Console(file=StringIO(), width=60, color_system="standard", force_terminal=True)
    console.print(to_rich([spoken(i, f"agent {i}", "Hello.") for i in range(4)]))
    assert isinstance(console.file, StringIO)
    screen = console.file.getvalue()
    assert len({row.split("agent")[0] for row in screen.splitlines()}) == 4


def test_no_control_character_reaches_a_terminal() -> None:
    lines = [spoken(0, HOSTILE, HOSTILE, (HOSTILE,))]
    for output in (
        to_text(lines, marks={0: [Mark(HOSTILE)]}),
        on_screen(lines, 200, {0: [Mark(HOSTILE)]}),
    ):
        assert "\x1b" not in output
        assert "\x07" not in output
        assert "␛[2J␇" in output
    assert clean("a\r\nb\tc\x7f\x9b") == "a\nb c␡�"


def test_html_has_classes_and_remarks() -> None:
    assert to_html(TALK[:1], marks={8: [Mark("follower: thank")]}) == (
        '<ol class="dialogue" start="0">\n'
        '<li class="line kind-utterance speaker-user" value="8">\n'
        '<span class="speaker">user</span>\n'
        '<p class="text">A table for two.</p>\n'
        '<ul class="notes"><li>inform(people = two)</li></ul>\n'
        '<p class="mark">follower: thank</p>\n'
        "</li>\n"
        "</ol>\n"
    )


def test_html_is_escaped_everywhere() -> None:
    line = spoken(0, HOSTILE, HOSTILE + "\nnext", (HOSTILE,), HOSTILE)
    page = to_html([line], marks={0: [Mark(HOSTILE)]})
    assert "<script" not in page
    assert "<br>next" in page
    assert 'class="line kind-script-alert-script-2j speaker-script-alert-script-2j"' in page


@given(st.text(max_size=60))
def test_html_says_what_was_said(text: str) -> None:
    pieces: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "br":
                pieces.append("\n")

        def handle_data(self, data: str) -> None:
            pieces.append(data)

    Reader().feed(to_html([spoken(0, "user", text)]).split('<p class="text">')[1].split("</p>")[0])
    assert "".join(pieces) == clean(text)


def test_spans_are_marked_with_their_labels() -> None:
    line = Line(0, "user", "To <Rome> now", (), "utterance", (), ((3, 9, "city"), (3, 9, "to")))
    assert pieces(line) == [("To ", ""), ("<Rome>", "city, to"), (" now", "")]
    assert '<mark title="city, to">&lt;Rome&gt;</mark>' in to_html([line])


def test_overlapping_and_impossible_spans() -> None:
    spans = ((0, 4, "a"), (2, 6, "b"), (5, 99, "c"), (-1, 1, "d"), (3, 3, "e"))
    line = Line(0, "user", "abcdefg", (), "utterance", (), spans)
    assert "".join(text for text, _ in pieces(line)) == "abcdefg"
    assert pieces(line)[-1] == ("g", "c")
