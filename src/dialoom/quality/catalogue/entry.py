"""One public corpus: where it is, on what terms, how large a whole copy is."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import msgspec

from dialoom.errors import UnknownNameError

FILE = "corpora.yaml"


class CorpusPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a corpus and how much a whole copy of it holds; None where nobody has said.

    Attributes:
        match: A regular expression found in the names of its files, folder first.
        format: The only format that its counts are about.
        files: Dialogue files.
        dialogues: Dialogues in them.
        utterances: Utterances of all agents.
        events: Events of all kinds.
    """

    match: str = ""
    format: str | None = None
    files: int | None = None
    dialogues: int | None = None
    utterances: int | None = None
    events: int | None = None

    def expected(self) -> dict[str, int]:
        """Return what is counted of a whole copy, and how much of it there is."""
        found = {
            "files": self.files,
            "dialogues": self.dialogues,
            "utterances": self.utterances,
            "events": self.events,
        }
        return {what: n for what, n in found.items() if n is not None}


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A public corpus.

    Attributes:
        title: Its name in full.
        formats: The formats of ours that read it.
        home: The page it is got from; nothing here opens it.
        parts: Its parts by name, a split or a kind of dialogue.
        about: What it is, in a sentence.
        paper: Where it was described.
        licence: The licence its authors gave it; None where its files do not agree.
        citation: BibTeX.
        languages: Codes of its languages.
        creators: Who made it.
        organisations: For whom.
        contact: An address its authors gave.
        year: When it was published.
        schemas: Its tasks or services.
        schema_names: A regular expression that the names of all of these match; a corpus that has
            schemas and none with such a name is another one, though of the same format.
    """

    title: str
    formats: tuple[str, ...]
    home: str
    parts: dict[str, CorpusPart]
    about: str
    paper: str | None = None
    licence: str | None = None
    citation: str = ""
    languages: tuple[str, ...] = ()
    creators: str = ""
    organisations: str = ""
    contact: str | None = None
    year: int | None = None
    schemas: int | None = None
    schema_names: str = ""


@cache
def entries() -> dict[str, Entry]:
    """Return the catalogue: name to corpus, in its order."""
    import yaml  # deferred: only the catalogue needs it here

    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    raw: Any = yaml.safe_load(text)
    return msgspec.convert(raw, dict[str, Entry])


def entry(name: str) -> Entry:
    """Return the corpus called `name`.

    Raises:
        UnknownNameError: The catalogue has none; lists those it has.
    """
    known = entries()
    if name not in known:
        raise UnknownNameError("corpus", name, known)
    return known[name]
