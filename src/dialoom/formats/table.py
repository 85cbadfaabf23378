"""Tables of utterances, a row each: MultiDoGO, Microsoft's Dialogue Challenge, and others.

    conversationId<TAB>turnNumber<TAB>utteranceId<TAB>utterance<TAB>authorRole
    acs-1<TAB>0<TAB>acs-1-0<TAB>A bus to Bonn, please.<TAB>customer
    acs-1<TAB>1<TAB>acs-1-1<TAB>At what time?<TAB>agent

The columns are recognised by their names, whatever the case and punctuation (`session.ID`); they
are between commas (CSV) or tabs (TSV). A dialogue is the
rows of one id. Other columns stay with the utterance in `extra`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from dialoom.dialogue import Dialogue, Origin
from dialoom.errors import FormatError
from dialoom.formats.base.codec import Place
from dialoom.formats.base.turn_list import NAMED, Annotation, Fields, read_only, said

DIALOGUE = ("conversationid", "dialogueid", "dialogid", "sessionid", "convid", "chatid")
SPEAKER = ("authorrole", "speaker", "speakerrole", "role", "messagefrom", "sender", "author")
TEXT = ("utterance", "text", "messagetext", "message", "content")
"""Names of columns in small letters and without punctuation; the first one that a table has."""

_MORE = "further columns"
"""The key in `extra` of cells without a column's name."""


def _columns(names: Iterable[str]) -> list[str] | None:
    plain = {re.sub(r"[^a-z]", "", name.lower()): name for name in names}
    found = [
        next((plain[n] for n in known if n in plain), None) for known in (DIALOGUE, SPEAKER, TEXT)
    ]
    return [name for name in found if name is not None] if None not in found else None


def _header(text: str) -> tuple[list[str], str]:
    line = text.removeprefix("\ufeff").partition("\n")[0].strip("\r")
    between = "\t" if "\t" in line else ","
    try:
        return next(csv.reader([line], delimiter=between), []), between
    except csv.Error:
        return [], between


def sniff(head: bytes) -> bool:
    """True if a text begins like a table of utterances."""
    return _columns(_header(head.decode("utf-8", "replace"))[0]) is not None


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a table; `FormatError` for another content or speaker."""
    try:
        text = data.decode("utf-8-sig")
        names, between = _header(text)
        rows = list(csv.DictReader(io.StringIO(text, newline=""), restkey=_MORE, delimiter=between))
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(file, f"not a table: {error}", code="damaged") from error
    columns = _columns(names)
    if columns is None:
        raise FormatError(file, "needs columns for dialogue, speaker and utterance", code="no-key")
    dialogues: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        dialogues.setdefault(str(row[columns[0]]), []).append(row)
    for index, (key, held) in enumerate(dialogues.items()):
        yield _dialogue(key, held, columns, Place(file, key), Origin(name, index))


def _dialogue(
    key: str, rows: list[dict[str, Any]], columns: Sequence[str], place: Place, origin: Origin
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
