"""Data files of a corpus's folder that are not read, though they may hold dialogues.

A file is left out if a format recognises it, if it is an archive, or if it is next to files that
are read and has a suffix like theirs. Files that usually are next to dialogues (schemas, lists of
values, licences) are recognised by their names and fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path, PurePath

from dialoom.corpus.corpus import Corpus
from dialoom.corpus.listing import listed, plain
from dialoom.errors import DialoomError
from dialoom.formats.base.multi_file import sight
from dialoom.formats.chat.rewards import PAIRS
from dialoom.formats.unread import layout_of, text_layout

MOST = 500
"""Most unread files that are looked into."""

SHOWN = 3
"""Most files that are named in a message."""

DATA = re.compile(
    r".*?\.(?:(?P<json>jsonl?|ndjson)|(?P<table>csv|tsv)|(?P<text>txt)|(?P<yaml>ya?ml)"
    r"|(?P<archive>zip|tar|tgz|txz|7z|rar|gz|zst|xz|bz2))(?:\.(?:gz|zst|xz|bz2))?",
    re.IGNORECASE,
)
"""Matches the names of data files; the group is their family."""

_COMPANION = re.compile(
    r"schema|ontolog|manifest|readme|licen[cs]e|notice|requirement|candidate|guideline|database"
    r"|list|split|label|answer|entit|instruction|vocab|config|credential|endpoint|protocol"
    r"|(?<![a-z])acts(?![a-z])",
    re.IGNORECASE,
)
_FACTS = re.compile(r"(?:kb|db)(?![a-z])", re.IGNORECASE)
"""Matches the names of knowledge bases, whose lines look like bAbI's dialogues without turns."""
_NO_DIALOGUES = re.compile("no dialogue|read together")
"""Matches the layouts of `unread` that hold no dialogues of their own."""


def left_out(
    corpus: Corpus,
    claim: Callable[[Path], str],
    repeats: Callable[[str], str | None],
    explicit: bool,
) -> Iterator[str]:
    """Yield the data files of a folder that are not read, each with its format if it has one.

    Args:
        corpus: The corpus; a single file has no others.
        claim: Returns the format of a file, or an empty text.
        repeats: Returns the file, if any, whose dialogues a file of this name repeats.
        explicit: Whether a user named the format: only files that `claim` recognises count.
    """
    if not corpus.path.is_dir():
        return
    read = {_name(file, corpus.path) for file in corpus.files}
    near = {(PurePath(name).parent, _family(name)) for name in read}
    paths = {_name(file, corpus.path): file for file in listed(corpus.path, DATA)}
    others = [
        name
        for name in paths
        if not (name in read or repeats(name) in read or name.endswith(PAIRS))
        and not _FACTS.search(PurePath(name).stem)
    ]
    for name in islice(others, MOST):
        if format := claim(paths[name]):
            yield f"{name} ({format})"
        elif not explicit and not _COMPANION.search(PurePath(name).name):
            close = (PurePath(name).parent, _family(name)) in near
            if _family(name) == "archive" or (close and _is_lost(paths[name])):
                yield name


def summary(names: list[str]) -> str:
    """Return the first of some files in words, and the number of the others."""
    more = len(names) - SHOWN
    tail = [f"{more} other{'s' * (more > 1)}"] if more > 0 else []
    *first, last = [*names[:SHOWN], *tail]
    return f"{', '.join(first)} and {last}" if first else last


def _name(file: Path, folder: Path) -> str:
    return plain(file.relative_to(folder).as_posix())


def _family(name: str) -> str | None:
    match = DATA.fullmatch(name)
    return match.lastgroup if match else None


def _is_lost(file: Path) -> bool:
    """True if a file that no format recognises has a content that may be dialogues."""
    try:
        view = sight(file)
    except DialoomError:
        return True
    layout = layout_of(view) or text_layout(view.head)
    return bool(view.head.strip()) and not _NO_DIALOGUES.search(layout)
