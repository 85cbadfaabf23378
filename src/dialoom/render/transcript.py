"""The lines of a dialogue as plain text, for a terminal, and as an HTML fragment.

    to_text(lines)              0  user    I need a table for two.
                                           · inform(people = 2)

It does not depend on the data model (dialogue/event_lines.py makes the lines). `marks` are remarks
on events by index: findings of lint, or a model's prediction and whether it is right.
"""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

NOTE, MARK = "· ", "« "
"""Prefixes of a note and of a remark."""

_COLOURS = {"user": "cyan", "system": "green", "kb": "yellow", "guide": "magenta"}
_OTHERS = ("blue", "red", "bright_cyan", "bright_green")
_SIGNS = {True: "✓", False: "✗"}
_STYLES = {True: "bold green", False: "bold red", None: "bold"}
_CLASSES = {True: "mark right", False: "mark wrong", None: "mark"}
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Line:
    """One event of a transcript.

    Attributes:
        text: The words or the action; may have several lines.
        kind: The event's kind, as the native format tags it.
        places: The JSON pointer of each note's annotation within the event.
        spans: Start, end and labels of the annotated spans of the text.
    """

    index: int
    speaker: str
    text: str
    notes: tuple[str, ...]
    kind: str
    places: tuple[str, ...] = ()
    spans: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A remark on an event; `right` is for predictions only, whether they are right."""

    text: str
    right: bool | None = None

    @property
    def said(self) -> str:
        """The text, after a sign for right or wrong."""
        return self.text if self.right is None else f"{_SIGNS[self.right]} {self.text}"


Marks = Mapping[int, Sequence[Mark]]


def to_text(lines: Iterable[Line], *, marks: Marks | None = None, width: int | None = None) -> str:
    """Return the lines as plain text, wrapped to `width` characters if given."""
    rows = list(lines)
    speakers = max((len(clean(line.speaker)) for line in rows), default=0)
    digits = max((len(str(line.index)) for line in rows), default=0)
    margin = " " * (digits + speakers + 4)
    out = []
    for line in rows:
        head = f"{line.index:>{digits}}  {clean(line.speaker):<{speakers}}  "
        body = [*clean(line.text).split("\n"), *_remarks(line, marks or {})]
        wrapped = [piece for text in body for piece in _wrap(text, width, len(margin))]
        out += [
            ((head if i == 0 else margin) + piece).rstrip() + "\n"
            for i, piece in enumerate(wrapped)
        ]
    return "".join(out)


def to_rich(lines: Iterable[Line], *, marks: Marks | None = None) -> RenderableType:
    """Return the lines as a rich renderable, a colour for each speaker, wrapped to the terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", style="dim", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold", ratio=1)
    colours = dict(_COLOURS)
    for line in lines:
        if line.speaker not in colours:
            colours[line.speaker] = _OTHERS[len(colours) % len(_OTHERS)]
        colour = colours[line.speaker]
        body = [Text(clean(line.text), style=colour if line.kind == "utterance" else "")]
        body += [Text(NOTE + clean(note), style="dim") for note in line.notes]
        for mark in (marks or {}).get(line.index, ()):
            body.append(Text(MARK + clean(mark.said), style=_STYLES[mark.right]))
        grid.add_row(str(line.index), Text(clean(line.speaker), style=colour), Group(*body))
    return grid


def to_html(lines: Iterable[Line], *, marks: Marks | None = None) -> str:
    """Return the lines as an HTML list, escaped.

    The classes are `dialogue` on the list, `line`, `kind-…` and `speaker-…` on its items, and
    `speaker`, `text`, `notes` and `mark` inside them, with `right` or `wrong` for predictions.
    Annotated spans are `<mark>` elements with their labels as title.
    """
    items = "".join(_html_item(line, marks or {}) for line in lines)
    return f'<ol class="dialogue" start="0">\n{items}</ol>\n'


def pieces(line: Line) -> list[tuple[str, str]]:
    """Return a line's text in pieces, each with the labels of the spans that it is in."""
    spans = [(max(0, start), end, label) for start, end, label in line.spans if start < end]
    ends = {end for start, end, _ in spans} | {start for start, _, _ in spans}
    cuts = sorted({0, len(line.text)} | {end for end in ends if 0 < end < len(line.text)})
    return [
        (line.text[first:last], ", ".join(dict.fromkeys(_labels(spans, first, last))))
        for first, last in itertools.pairwise(cuts)
    ]


def _labels(spans: Iterable[tuple[int, int, str]], first: int, last: int) -> Iterator[str]:
    return (label for start, end, label in spans if start <= first and last <= end)


def clean(text: str) -> str:
    """Return a text with control characters as visible signs, without effect on a terminal."""
    return _CONTROL.sub(_visible, text.replace("\r\n", "\n").replace("\t", " "))


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)  # the Unicode block "Control Pictures"
    return "␡" if code == 0x7F else "�"


def _remarks(line: Line, marks: Marks) -> Iterator[str]:
    for note in line.notes:
        yield NOTE + clean(note)
    for mark in marks.get(line.index, ()):
        yield MARK + clean(mark.said)


def _wrap(text: str, width: int | None, margin: int) -> list[str]:
    if width is None:
        return [text]
    return textwrap.wrap(text, max(width - margin, 20), break_on_hyphens=False) or [""]


def _html_item(line: Line, marks: Marks) -> str:
    classes = f"line kind-{_name(line.kind)} speaker-{_name(line.speaker)}"
    parts = [
        f'<li class="{classes}" value="{line.index}">',
        f'<span class="speaker">{escape(clean(line.speaker))}</span>',
        f'<p class="text">{"".join(map(_piece, pieces(line)))}</p>',
    ]
    if line.notes:
        notes = "".join(f"<li>{_breaks(note)}</li>" for note in line.notes)
        parts.append(f'<ul class="notes">{notes}</ul>')
    for mark in marks.get(line.index, ()):
        parts.append(f'<p class="{_CLASSES[mark.right]}">{_breaks(mark.said)}</p>')
    return "\n".join([*parts, "</li>\n"])


def _piece(piece: tuple[str, str]) -> str:
    text, labels = piece
    markup = _breaks(text)
    return f'<mark title="{escape(clean(labels))}">{markup}</mark>' if labels else markup


def _breaks(text: str) -> str:
    return escape(clean(text)).replace("\n", "<br>")


def _name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "other"
