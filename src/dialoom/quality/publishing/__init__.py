"""Publishes a corpus: a folder that HF datasets and readers of Croissant load, with its card.

dialoom.publish("made", "out", licence="cc-by-4.0", shares={"train": 0.8, "test": 0.2})

README.md           the data card; its head has the tables, their columns and splits
croissant.json      the same for readers of Croissant 1.1, with the vocabulary for responsible AI
paper.tex           a table and a paragraph for a paper
train/dialogues.parquet, train/turns.parquet, …, schemas.parquet    (formats/parquet)
train/chat.parquet                                  rows of messages and tools, if wanted
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any, Self

from msgspec.structs import replace

from dialoom import formats
from dialoom.arguments import Share, checked
from dialoom.corpus import Corpus
from dialoom.corpus.corpus import SOUNDS
from dialoom.corpus.files import staged_folder, write_synced
from dialoom.dialogue import Dialogue, Origin
from dialoom.errors import UsageError, clip
from dialoom.formats.parquet import README
from dialoom.quality.agreement import Ratings, compare
from dialoom.quality.card import PERSON, composed
from dialoom.quality.card.measured import Measured
from dialoom.quality.card.terms import objection, terms
from dialoom.quality.catalogue import SourceCounts, entries
from dialoom.quality.lint import RULES, linter_for
from dialoom.quality.publishing import croissant, paper, tables
from dialoom.render.progress import shown, track
from dialoom.render.tables import counted

SAMPLES = 200
"""Bootstrap resamples of an interval; `dialoom agreement` draws 1,000."""


class Checks:
    """Checks dialogues: findings of lint, annotators' decisions, and public sources."""

    TWIN = "E506"
    """The code of a dialogue that another part has."""

    PERSONAL = ("W605", "W606", "I601")
    """The codes of what looks like personal data."""

    def __init__(self, corpus: Corpus) -> None:
        self.linter = linter_for(corpus)
        self.ratings = Ratings(formats.get(corpus.format).traits)
        self.sources = SourceCounts()

    def add_all(self, dialogues: Iterable[Dialogue]) -> Self:
        """Check dialogues; return itself."""
        for dialogue in dialogues:
            for _ in self.linter.check(dialogue):
                pass
            self.ratings.add_all((dialogue,))
            self.sources.add(dialogue)
        return self

    def facts(self) -> dict[str, str]:
        """Return the facts for the card."""
        texts = {"linted": self._linted(), "personal": self._personal()}
        if self.ratings.counts:
            kinds = compare(self.ratings, samples=SAMPLES)["kinds"].items()
            coefficients = [
                f"{name} {_agreed(each)}" for name, each in kinds if any(each["all"].values())
            ]
            if coefficients:
                texts["agreement"] = f"Agreement of annotators: {'; '.join(coefficients)}."
        return texts

    def _linted(self) -> str:
        counts = self.linter.counts
        entries = [
            f"{rule.code} {rule.title} ({counts[rule.code]:,})"
            for rule in sorted(RULES, key=lambda rule: rule.rank)
            if counts[rule.code]
        ]
        errors, warnings = self.linter.errors, self.linter.total("warning")
        total = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
        twins = counts[self.TWIN]
        leaks = f"{counted(twins, 'dialogue')} with the words of a dialogue in another split"
        return f"`dialoom lint` finds {total}; {leaks}. " + (
            f"By code: {', '.join(entries)}." if entries else ""
        )

    def _personal(self) -> str:
        counts = self.linter.counts
        entries = [
            f"{rule.title} ({counts[rule.code]:,})" for rule in RULES if rule.code in self.PERSONAL
        ]
        text = ", ".join(entries)
        return f"Looked for by patterns: {text}. {PERSON} What did a reader of them find?"


def _agreed(kind: dict[str, Any]) -> str:
    scores = ((name, score) for name, score in kind["all"].items() if score)
    figures = (f"{name} {each['value']:.3f}{_interval(each)}" for name, each in scores)
    return f"{', '.join(figures)}, of {counted(kind['dialogues'], 'dialogue')}"


def _interval(score: dict[str, Any]) -> str:
    return "" if score["low"] is None else f" ({score['low']:.3f} to {score['high']:.3f})"


PARQUET = "parquet"


@dataclass(frozen=True, kw_only=True)
class Publication:
    """The settings of a publication; `UsageError` for a wrong day.

    Attributes:
        name: Its name; the catalogue's name, or the file's, when None.
        given: Facts that its authors give: licence, creators, home.
        date: The day that it is published, as YYYY-MM-DD; today where empty.
        catalogued: Whether what the catalogue says of it holds.
        shares: Part to its share, to split it; empty to keep its parts.
        despite: Whether it is published although the licence of a source may forbid it.
    """

    name: str | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    release: str = "1.0.0"
    date: str = ""
    catalogued: bool = True
    shares: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    chat: bool = False
    despite: bool = False

    def __post_init__(self) -> None:
        try:
            day = date.fromisoformat(self.date) if self.date else date.today()
        except ValueError as error:
            what = "should be a day such as 2026-05-31"
            raise UsageError(f"--date {clip(self.date)}: {what}", code="wrong-value") from error
        object.__setattr__(self, "date", day.isoformat())


@dataclass(frozen=True)
class PublishReport:
    """The published corpus in figures.

    Attributes:
        splits: Split to its number of dialogues.
        sources: Public corpus that dialogues are from, to the share of such dialogues.
        objections: Source to the reason against passing it on.
        findings: Code of lint to the number of its findings.
        twins: The number of dialogues whose words are in an earlier split as well.
        asked: The number of questions in the card that a person has to answer.
    """

    splits: Mapping[str, int]
    sources: Mapping[str, float]
    objections: Mapping[str, str]
    findings: Mapping[str, int]
    twins: int
    asked: int


@checked
def publish(
    corpus: Corpus | Path | str,
    out: Path | str,
    *,
    name: str | None = None,
    licence: str | None = None,
    creators: str | Sequence[str] = (),
    home: str | None = None,
    release: str = "1.0.0",
    date: str = "",
    catalogued: bool = True,
    shares: Mapping[str, Share] | None = None,
    seed: int = 0,
    chat: bool = False,
    despite: bool = False,
    progress: bool = True,
) -> PublishReport:
    """Write a publication into a new folder; on errors nothing is left there.

    Args:
        corpus: A corpus, or its path.
        out: The new folder.
        name: Its name; the catalogue's name, or the file's, when None.
        licence: Its licence, such as cc-by-4.0.
        creators: The names of the people who made it.
        home: The address of the page that presents it.
        release: Its version.
        date: The day that it is published, as YYYY-MM-DD; today where empty.
        catalogued: Whether what the catalogue says of it holds.
        shares: Part to its share, to split it at random; None to keep its parts.
        seed: The seed of that split.
        chat: Whether rows of chat messages and tools are written as well.
        despite: Whether it is published although the licence of a source may forbid it.
        progress: Whether progress is shown.

    Raises:
        UsageError: No dialogue is left, a source forbids it, or the day or a share is wrong.
        OutputError: The folder holds something already, or cannot be written.
        MissingExtraError: pyarrow is not installed.
    """
    how = Publication(
        name=name,
        given=facts_of(licence, [creators] if isinstance(creators, str) else creators, home),
        release=release,
        date=date,
        catalogued=catalogued,
        shares=shares or {},
        seed=seed,
        chat=chat,
        despite=despite,
    )
    source = formats.load(corpus) if isinstance(corpus, str | Path) else corpus
    with shown(progress), staged_folder(Path(out)) as stage:
        return write(source, stage, how)


def facts_of(licence: str | None, creators: Sequence[str], home: str | None) -> dict[str, str]:
    """Return the facts that authors give, as the card has them."""
    facts = {"licence": licence, "creators": ", ".join(creators), "home": home}
    return {what: text for what, text in facts.items() if text}


def write(corpus: Corpus, folder: Path, how: Publication) -> PublishReport:
    """Write what is published into an existing, empty folder; see `publish`."""
    facts = terms(corpus, how.name, catalogued=how.catalogued, own=dict(how.given))
    original = facts.pop("corpus", None)
    checks = Checks(corpus).add_all(track(_divided(corpus, how), "checking"))
    if not checks.linter.dialogues:
        raise UsageError("no dialogue is left; nothing was published")
    sources = ({original: 1.0} if original else {}) | checks.sources.shares(LEAST)
    sources = {name: share for name, share in sources.items() if share >= SHARE}
    objections = _objections(sources, facts.get("licence"), how)
    format = formats.get(PARQUET)
    format.write(track(_divided(corpus, how), "writing tables"), corpus.schemas, folder)
    published = formats.load(folder, PARQUET)
    measured = Measured(published, original, corpus.format)
    facts = measured.facts(track) | checks.facts() | facts | _criteria(how)
    if recordings := published.copy_sounds([corpus]):
        voices = f"`{SOUNDS}/` has {counted(recordings, 'recording')} of people's voices."
        facts["personal"] = f"{voices} {facts['personal']}"
    if sources:
        facts["sources"] = _spelled(sources)
    if how.chat:
        tables.add_chat(folder, published)
    tables.describe(folder)
    card = composed(facts, published)
    write_synced(folder / README, card.encode())
    result = measured.statistics.result()
    splits = tables.splits(folder)
    write_synced(folder / "paper.tex", paper.written(facts, result, splits).encode())
    metadata = croissant.metadata(folder, facts, measured.provenance, (how.release, how.date))
    write_synced(folder / "croissant.json", metadata)
    counts = checks.linter.counts
    return PublishReport(
        splits, sources, objections, counts, counts[checks.TWIN], card.count(PERSON)
    )


SHARE = 0.01
"""Least share of known dialogues of a source; in others one in a thousand looks known."""

LEAST = 3
"""Least number of known dialogues of a source, for the same reason."""


def _objections(
    sources: Mapping[str, float], licence: str | None, how: Publication
) -> dict[str, str]:
    objections = {name: objection(entries()[name].licence, licence) for name in sources}
    objections = {name: reason for name, reason in objections.items() if reason}
    if objections and not how.despite:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in objections.items())
        raise UsageError(
            f"dialogues of {reasons}; --despite-licence publishes them all the same",
            code="no-licence",
        )
    return objections


def _divided(corpus: Corpus, how: Publication) -> Iterator[Dialogue]:
    """Yield the dialogues, in new parts if they are wanted; else in those that the corpus names."""
    parts = corpus.split(how.shares, how.seed) if how.shares else {}
    for part, subset in parts.items():
        for dialogue in subset.dialogues():
            yield _moved(dialogue, part)
    if how.shares:
        return
    lists = {id: name for name, ids in corpus.splits.items() for id in ids}
    part_of = formats.traits(corpus.format).part
    for file in corpus.files:
        part = part_of(file.name)
        for dialogue in corpus.read_file(file):
            label = lists.get(dialogue.id, part)
            yield _moved(dialogue, label) if label else dialogue


def _moved(dialogue: Dialogue, part: str) -> Dialogue:
    origin = dialogue.origin or Origin("dialogues", 0)
    file = f"{part}/{PurePosixPath(origin.file).name}"
    return replace(dialogue, origin=replace(origin, file=file))


def _criteria(how: Publication) -> dict[str, str]:
    if not how.shares:
        return {}
    shares = ", ".join(f"{part} {share:g}" for part, share in how.shares.items())
    return {"criteria": f"At random, with the seed {how.seed} and these shares: {shares}."}


def _spelled(sources: Mapping[str, float]) -> str:
    shares = (
        f"{name} ({entries()[name].licence or 'no licence known'}; {share:.0%} of the dialogues "
        "that were looked up)"
        for name, share in sources.items()
    )
    return f"Recognised by their words: {', '.join(shares)}."
