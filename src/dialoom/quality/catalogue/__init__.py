"""The catalogue of the public corpora that dialoom reads (corpora.yaml), and what a copy holds.

Dialogues are recognised by digests of their words. `fingerprints.json` has those of a part of each
corpus's dialogues: whose digest is a multiple of `every`. They are made of the letters and digits
of all utterances, so that they are the same in every format. A copy is recognised if enough of its
dialogues that should be there are.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Utterance
from dialoom.errors import UnknownNameError

FINGERPRINTS = "fingerprints.json"

SIZE = 3
"""Bytes of a digest: one of other dialogues is among the known ones once in a thousand times."""

DRAWN = 160
"""Most dialogues of a copy that are looked at, spread over its files."""

SHARE = 0.25
"""Least share of known digests. For some corpora only half of the dialogues were at hand."""

_SIGNS = re.compile(r"[\W_]+")


class Fingerprints(msgspec.Struct, frozen=True):
    """Digests that are multiples of `every`, SIZE bytes each, in base 64."""

    every: int
    digests: str

    def known(self) -> frozenset[int]:
        """Return the digests as numbers."""
        data = b64decode(self.digests)
        return frozenset(
            int.from_bytes(data[at : at + SIZE], "big") for at in range(0, len(data), SIZE)
        )


@cache
def fingerprints() -> dict[str, Fingerprints]:
    """Return the name of each corpus in the catalogue to its digests."""
    data = resources.files(__package__).joinpath(FINGERPRINTS).read_bytes()
    return msgspec.json.decode(data, type=dict[str, Fingerprints])


def fingerprint(dialogues: Iterable[Dialogue], every: int) -> Fingerprints:
    """Return the digests of dialogues."""
    numbers = {number for each in dialogues if (number := _digest(each)) % every == 0}
    data = b"".join(number.to_bytes(SIZE, "big") for number in sorted(numbers))
    return Fingerprints(every, b64encode(data).decode())


def recognised(corpus: Corpus) -> str | None:
    """Return the corpus of the catalogue whose dialogues these are; None if that is not evident."""
    counts = SourceCounts()
    for dialogue in drawn(corpus):
        counts.add(dialogue)
    return next((name for name, share in counts.shares().items() if share >= SHARE), None)


class SourceCounts:
    """Counts the dialogues of a corpus that are also in public corpora of the catalogue."""

    def __init__(self) -> None:
        self._prints = [(name, each.every, each.known()) for name, each in fingerprints().items()]
        self._asked: Counter[str] = Counter()
        self._known: Counter[str] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count a dialogue."""
        number = _digest(dialogue)
        for name, every, digests in self._prints:
            if number % every == 0:
                self._asked[name] += 1
                self._known[name] += number in digests

    def shares(self, least: int = 1) -> dict[str, float]:
        """Return the known share of dialogues by corpus, where at least so many are known."""
        return {
            name: self._known[name] / total
            for name, total in self._asked.items()
            if self._known[name] >= least
        }


def drawn(corpus: Corpus) -> Iterator[Dialogue]:
    """Yield some of a corpus's dialogues, from files spread over all of them."""
    files = corpus.files
    sample = files[:: max(1, len(files) // DRAWN)]
    for file in sample:
        yield from islice(corpus.read_file(file), max(1, DRAWN // len(sample)))


def _digest(dialogue: Dialogue) -> int:
    texts = (event.text for event in dialogue.events if isinstance(event, Utterance))
    words = _SIGNS.sub("", "".join(texts).lower())
    return int.from_bytes(
        blake2b(words.encode("utf-8", "replace"), digest_size=SIZE).digest(), "big"
    )


FILE = "corpora.yaml"


class CorpusPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a corpus and how much a whole copy of it holds; None if unknown.

    Attributes:
        match: A regular expression found in the names of its files, folder first.
        format: The only format that its counts are about.
    """

    match: str = ""
    format: str | None = None
    files: int | None = None
    dialogues: int | None = None
    utterances: int | None = None
    events: int | None = None

    def expected(self) -> dict[str, int]:
        """Return what is counted of a whole copy, and how much of it there is."""
        figures = ("files", "dialogues", "utterances", "events")
        return {what: n for what in figures if (n := getattr(self, what)) is not None}


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A public corpus.

    Attributes:
        formats: The formats of ours that read it.
        home: The page it is got from; nothing here opens it.
        parts: Its parts by name, a split or a kind of dialogue.
        about: A description in a sentence.
        paper: The publication that describes it.
        licence: The licence its authors gave it; None where its files do not agree.
        languages: Codes of its languages.
        schemas: Its tasks or services.
        schema_names: A regular expression that the names of all of these match.
        dialogues: The corpus in the catalogue that has the same dialogues; itself if empty.
        ids: A regular expression that all ids of dialogues match, with which a copy that has a
            whole part is known by its numbers; empty where ids are no evidence.
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
    dialogues: str = ""
    ids: str = ""


@cache
def entries() -> dict[str, Entry]:
    """Return the catalogue: name to corpus, in its order."""
    import yaml  # deferred: only the catalogue needs it here

    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    raw: Any = yaml.safe_load(text)
    return msgspec.convert(raw, dict[str, Entry])


def entry(name: str) -> Entry:
    """Return the corpus called `name`; `UnknownNameError` lists those of the catalogue."""
    corpora = entries()
    if name not in corpora:
        raise UnknownNameError("corpus", name, corpora)
    return corpora[name]


OTHER = "other"
"""The name of the part of files that belong to none, or whose corpus is not in the catalogue."""

Track = Callable[[Iterator[Dialogue], str], Iterable[Dialogue]]
"""Takes a title and dialogues; yields these while it shows progress."""


@dataclass(frozen=True)
class PartCount:
    """Our counts of one part of a copy, and the published ones of a whole copy."""

    part: str
    found: Mapping[str, int]
    expected: Mapping[str, int]

    @property
    def differs(self) -> dict[str, tuple[int, int]]:
        """Count to its found and expected number, for counts that differ."""
        pairs = {what: (self.found.get(what, 0), n) for what, n in self.expected.items()}
        return {what: pair for what, pair in pairs.items() if pair[0] != pair[1]}

    @property
    def verdict(self) -> str:
        """complete, partial, absent or larger; unknown where no counts are published."""
        if not self.expected:
            return "unknown"
        if not self.differs:
            return "complete"
        if not any(self.found.values()):
            return "absent"
        return "larger" if all(a > b for a, b in self.differs.values()) else "partial"

    def __str__(self) -> str:
        if self.verdict == "unknown":
            counts = ", ".join(f"{n:,} {what}" for what, n in self.found.items())
            return f"{self.part}: {counts}; how many there should be is not known"
        counts = ", ".join(f"{a:,} of {b:,} {what}" for what, (a, b) in self.differs.items())
        return f"{self.part}: {self.verdict}" + (f": {counts}" if counts else "")


@dataclass(frozen=True)
class Checked:
    """A copy's checks by part; `corpus` is None outside of the catalogue."""

    corpus: str | None
    checks: tuple[PartCount, ...]

    @property
    def whole(self) -> bool | None:
        """Whether nothing differs from a whole copy; None where no counts are published."""
        checks = [check for check in self.checks if check.expected]
        return not any(check.differs for check in checks) if checks else None

    @property
    def totals(self) -> dict[str, int]:
        """The counts of all parts together."""
        return dict(sum((Counter(check.found) for check in self.checks), Counter()))


def identify(corpus: Corpus) -> str | None:
    """Return the catalogue's corpus of which this is a copy; None if the content does not show it.

    The format and the names of tasks or services must be those of the corpus. Its dialogues must be
    recognised by their words, or a whole part of it must be there, by the
    published counts, with ids that are all spelled like the corpus's.
    """
    names = [
        name
        for name, record in entries().items()
        if corpus.format in record.formats
        and all(re.fullmatch(record.schema_names or ".*", each) for each in corpus.schemas)
    ]
    source = recognised(corpus) if names else None
    hits = [name for name in names if source and source == (entries()[name].dialogues or name)]
    if not source:
        hits = [name for name in names if _has_whole_part(corpus, name)]
    files = _files(corpus)
    return max(hits, key=lambda name: _owned(entries()[name], files, corpus.format), default=None)


def published_format(corpus: Corpus) -> str:
    """Return the format of a copy if figures are published; empty for variants (SGD-X)."""
    record = entries().get(identify(corpus) or "")
    variant = record is not None and record.dialogues and "gem" not in record.formats
    return corpus.format if record is not None and not variant else ""


def _has_whole_part(corpus: Corpus, name: str) -> bool:
    """True if a corpus has a whole part of an entry, and nothing but ids like the entry's."""
    ids = re.compile(entries()[name].ids)

    others = 0

    def watched(dialogues: Iterable[Dialogue], what: str) -> Iterator[Dialogue]:
        nonlocal others
        for dialogue in dialogues:
            others += ids.fullmatch(dialogue.id) is None
            yield dialogue

    if not ids.pattern or not all(ids.fullmatch(dialogue.id) for dialogue in drawn(corpus)):
        return False
    checked = count(corpus, watched, name).checks
    whole = any(each.verdict == "complete" and "dialogues" in each.expected for each in checked)
    return whole and not others


def count(corpus: Corpus, track: Track, name: str | None = None) -> Checked:
    """Count a copy in one pass; `name` is found by format and files when absent."""
    name = name or identify(corpus)
    entry = entries()[name] if name else None
    parts = entry.parts if entry else {}
    counts: dict[str, Counter[str]] = {}
    current: list[Counter[str]] = []
    for dialogue in track(_dialogues(corpus, parts, counts, current), "dialogues counted"):
        tally = current[0]
        tally["dialogues"] += 1
        tally["utterances"] += sum(isinstance(event, Utterance) for event in dialogue.events)
        tally["events"] += len(dialogue.events)
    checks = [
        PartCount(part, dict(counts.pop(part, Counter())), _expected(about, corpus.format))
        for part, about in parts.items()
        if part in counts or _expected(about, corpus.format)
    ]
    checks += [PartCount(part, dict(tally), {}) for part, tally in counts.items()]
    if entry is not None and entry.schemas is not None:
        size = {"schemas": len(corpus.schemas)}
        checks.append(PartCount("schemas", size, {"schemas": entry.schemas}))
    return Checked(name, tuple(checks))


def _dialogues(
    corpus: Corpus,
    parts: Mapping[str, CorpusPart],
    counts: dict[str, Counter[str]],
    current: list[Counter[str]],
) -> Iterator[Dialogue]:
    """Yield the dialogues; `current` holds the counts of the part of the file that is read."""
    format = formats.get(corpus.format)
    for file, name in zip(corpus.files, _files(corpus), strict=True):
        tally = counts.setdefault(_part(name, parts, corpus.format), Counter())
        tally["files"] += 1
        current[:] = [tally]
        yield from format.read_file(file, corpus.root)


def _files(corpus: Corpus) -> list[str]:
    """Return the files' names below the corpus's folder, that folder's own name first."""
    top = corpus.root.resolve().name
    return [(Path(top) / file.relative_to(corpus.root)).as_posix() for file in corpus.files]


def _part(file: str, parts: Mapping[str, CorpusPart], format: str) -> str:
    for name, part in parts.items():
        if part.format in (None, format) and re.search(part.match, file):
            return name
    return OTHER


def _owned(entry: Entry, files: Iterable[str], format: str) -> int:
    return sum(_part(file, entry.parts, format) != OTHER for file in files)


def _expected(part: CorpusPart, format: str) -> dict[str, int]:
    return part.expected() if part.format in (None, format) else {}
