"""Tables of utterances, a row each: MultiDoGO, Microsoft's Dialogue Challenge, and others.

    conversationId<TAB>turnNumber<TAB>utteranceId<TAB>utterance<TAB>authorRole
    acs-1<TAB>0<TAB>acs-1-0<TAB>A bus to Bonn, please.<TAB>customer
    acs-1<TAB>1<TAB>acs-1-1<TAB>At what time?<TAB>agent

The columns are recognised by their names, whatever the case and punctuation (`session.ID`); they
are between commas or semicolons (CSV) or tabs (TSV). A dialogue is the rows of one id. Other
columns stay with the utterance in `extra`.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path

from dialoom.dialogue import Dialogue, Origin
from dialoom.errors import FormatError
from dialoom.formats.base.codec import Place
from dialoom.formats.base.turn_list import NAMED, Annotation, Fields, read_only, said
from dialoom.formats.base.values import Json

DIALOGUE = ("conversationid", "dialogueid", "dialogid", "sessionid", "convid", "chatid")
SPEAKER = ("authorrole", "speaker", "speakerrole", "role", "messagefrom", "sender", "author")
TEXT = ("utterance", "text", "messagetext", "message", "content")
TURN = ("turnnumber", "turnindex", "turnid", "turnno", "turn")
"""Names of columns in small letters and without punctuation; the first one that a table has."""

SEPARATORS = "\t,;"
"""Characters between columns; the semicolon is that of spreadsheets in many languages."""

_MORE = "further columns"
"""The key in `extra` of cells without a column's name."""

Row = tuple[int, list[str]]
"""The number of a row's first line, and its cells."""


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _column(names: Sequence[str], aliases: Sequence[str]) -> str | None:
    plain = {_plain(name): name for name in names}
    return next((plain[each] for each in aliases if each in plain), None)


def _columns(names: Sequence[str]) -> tuple[str, str, str] | None:
    dialogue, speaker, text = (_column(names, aliases) for aliases in (DIALOGUE, SPEAKER, TEXT))
    return (dialogue, speaker, text) if dialogue and speaker and text else None


def _separator(text: str) -> str | None:
    """Return the character between the columns; None if the first line has no such columns."""
    lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
    line = next(filter(str.strip, lines), "")
    for between in SEPARATORS:
        with suppress(csv.Error):
            if _columns(next(csv.reader([line], delimiter=between), [])):
                return between
    return None


def sniff(head: bytes) -> bool:
    """True if a text begins like a table of utterances."""
    return _separator(head.decode("utf-8", "replace")) is not None


def _rows(text: str, between: str, file: Path, *, quoted: bool) -> list[Row]:
    """Return the rows that are not blank; `FormatError` for quotation marks that do not pair."""
    lines = io.StringIO(text, newline="")
    rows = csv.reader(
        lines,
        delimiter=between,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=True,
    )
    records, line = [], 1
    try:
        for cells in rows:
            if any(map(str.strip, cells)):
                records.append((line, cells))
            line = rows.line_num + 1
    except csv.Error as error:
        what = f"the row that begins here is damaged ({error}); a quoted cell ends with a"
        what += " quotation mark, and those within it are doubled"
        raise FormatError(file, what, line=line, code="damaged") from error
    return records


def _table(text: str, between: str, file: Path) -> list[Row]:
    """Return the rows; those between tabs without quoting, unless the whole file quotes cells."""
    if between != "\t":
        return _rows(text, between, file, quoted=True)
    plain = _rows(text, between, file, quoted=False)
    try:
        quoted = _rows(text, between, file, quoted=True)
    except FormatError:
        return plain
    # Where each line is a row of full width, a quotation mark that joins lines is a character.
    whole = all(len(cells) >= len(plain[0][1]) for _, cells in plain)
    return plain if whole and len(quoted) < len(plain) else quoted


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a table; `FormatError` for another content or speaker."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(file, f"not a table: {error}", code="damaged") from error
    (top, names), *rows = _table(text, _separator(text) or ",", file) or [(1, [])]
    columns = _columns(names)
    if columns is None:
        raise FormatError(file, "needs columns for dialogue, speaker and utterance", code="no-key")
    _check_names(names, file, top)
    dialogues: dict[str, list[tuple[int, Json]]] = {}
    for line, cells in rows:
        row = _row(names, cells)
        if not row[columns[0]]:
            raise FormatError(file, f"no {columns[0]!r}", line=line, code="no-key")
        dialogues.setdefault(row[columns[0]], []).append((line, row))
    for index, (key, entries) in enumerate(dialogues.items()):
        _check_order(entries, _column(names, TURN), Place(file, key))
        yield _dialogue(
            key, [row for _, row in entries], columns, Place(file, key), Origin(name, index)
        )


def _check_names(names: Sequence[str], file: Path, line: int) -> None:
    """Raise `FormatError` if two columns have one name, or names that mean the same."""
    aliases = {*DIALOGUE, *SPEAKER, *TEXT, *TURN}
    meanings = Counter(_plain(name) if _plain(name) in aliases else name for name in names if name)
    name, times = meanings.most_common(1)[0]
    if times > 1:
        what = f"{times} columns are named {name!r}; expected one"
        raise FormatError(file, what, line=line, code="twice")


def _row(names: Sequence[str], cells: Sequence[str]) -> Json:
    pairs = list(zip_longest(names, cells))
    more = [cell for name, cell in pairs if not name and cell is not None]
    return {name: cell for name, cell in pairs if name} | ({_MORE: more} if any(more) else {})


def _check_order(rows: Iterable[tuple[int, Json]], column: str | None, place: Place) -> None:
    """Raise `FormatError` if a turn has a lower number than the one before it."""
    last = 0
    for line, row in rows:
        cell = str(row.get(column or ""))
        number = int(cell) if re.fullmatch(r"\d{1,15}", cell) else last
        if number < last:
            what = f"{column!r} is {number} after {last}; sort the rows of a dialogue by it"
            raise FormatError(
                place.file, what, line=line, dialogue=place.dialogue, code="out-of-order"
            )
        last = number


def _dialogue(
    key: str, rows: list[Json], columns: Sequence[str], place: Place, origin: Origin
) -> Dialogue:
    events = []
    dialogue, speaker, text = columns
    for number, row in enumerate(rows):
        turn = Fields(row, Place(place.file, key, number), "row")
        who = turn.needed(speaker, str).strip().lower()
        if who not in NAMED:
            raise turn.place.error(f"{speaker!r} is {who[:40]!r}; expected {', '.join(NAMED)}")
        del turn.rest[dialogue]
        events.append(said(NAMED[who], turn.needed(text, str), Annotation(), turn))
    return Dialogue(id=key, events=tuple(events), origin=origin)


_OWNS = re.compile(r"(?:[^/]+/){0,3}[^/]+\.(?:csv|tsv)")
FORMAT = read_only("table", read, owns=_OWNS, sniff=sniff, forms=())
