"""Every rule over every dialogue of a corpus, one dialogue in memory at a time; its findings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.corpus.archive import named
from dialoom.corpus.shards import MANIFEST
from dialoom.corpus.traits import NO_COMPANIONS, NO_TRAITS, Companions, Traits
from dialoom.dialogue import Dialogue, Utterance
from dialoom.errors import clip
from dialoom.formats.native import FORMAT
from dialoom.quality.lint import calls, dialogues, frames, layers, services, shapes, tasks
from dialoom.quality.lint.context import CorpusContext, LintContext, folder_of
from dialoom.quality.lint.rule import Check, Finding
from dialoom.render.page import paragraph
from dialoom.render.progress import track
from dialoom.render.tables import ResultTable, Row, counted
from dialoom.schema.findings import RULES as ALL
from dialoom.schema.findings import Rule
from dialoom.schema.task import TaskSchema

FAMILIES = (dialogues, layers, shapes, frames, services, tasks, calls)
"""The modules of checks, in the order in which they run; decorators register the checks."""

CHECKS: tuple[Check, ...] = tuple(
    each for family in FAMILIES for each in vars(family).values() if isinstance(each, Check)
)

RULES: tuple[Rule, ...] = tuple(ALL[code] for check in CHECKS for code in check.codes)
"""All rules of lint, in the order of the checks."""

OF_SCHEMAS = frozenset({"E703", "E711"})
"""The rules that compare dialogues with schemas that may lack what the dialogues have."""


class Linter:
    """Applies every rule to dialogues.

    Args:
        seed: The seed of the knowledge base of simulated dialogues; None leaves the
            recorded results unchecked.
        traits: The guarantees of the corpus's format; rules about those of only some formats pass
            over the others.

    Attributes:
        counts: Code to the number of findings so far.
    """

    def __init__(
        self,
        tasks: Mapping[str, TaskSchema] | None = None,
        seed: int | None = None,
        traits: Traits = NO_TRAITS,
        companions: Companions = NO_COMPANIONS,
    ) -> None:
        self._corpus = CorpusContext(tasks or {}, seed, traits, companions)
        self._left_out = OF_SCHEMAS if traits.inferred else frozenset()
        self._ids: dict[str, set[str]] = defaultdict(set)
        self._folders: dict[int, str] = {}
        self.counts: Counter[str] = Counter()
        self.dialogues = self.events = 0

    @property
    def errors(self) -> int:
        """The number of errors so far."""
        return self.total("error")

    def total(self, severity: str) -> int:
        """Return the number of findings so far of one severity."""
        return sum(n for code, n in self.counts.items() if ALL[code].severity == severity)

    def check(self, dialogue: Dialogue, file: str = "") -> Iterator[Finding]:
        """Yield the findings in a dialogue; `file` is the name of its file."""
        self.dialogues += 1
        self.events += len(dialogue.events)
        folder = folder_of(dialogue.origin)
        ids = self._ids[folder]
        words = hash(tuple(each.text for each in dialogue.events if isinstance(each, Utterance)))
        twin = self._folders.setdefault(words, folder)
        context = LintContext(dialogue, self._corpus, folder, dialogue.id in ids, twin)
        ids.add(dialogue.id)
        for check in CHECKS:
            if check.needs and not getattr(context, check.needs):
                continue
            for *code, pointer, what in check.find(context):
                rule = ALL[code[0] if code else check.codes[0]]
                if rule.code in self._left_out:
                    continue
                self.counts[rule.code] += 1
                yield Finding(
                    code=rule.code,
                    severity=rule.severity,
                    file=named(file),
                    pointer=pointer,
                    dialogue=dialogue.id,
                    message=clip(f"{what}; {rule.right}", 400),
                )

    def check_all(self, corpus: Corpus) -> Iterator[Finding]:
        """Yield the findings by dialogue, behind a progress bar."""
        for file in track(corpus.files, "files", len(corpus.files)):
            for dialogue in corpus.read_file(file):
                yield from self.check(dialogue, str(file))


def lint(corpus: Corpus) -> Iterator[Finding]:
    """Yield a corpus's findings by dialogue; `FormatError` for an unreadable file."""
    return linter_for(corpus).check_all(corpus)


def linter_for(corpus: Corpus) -> Linter:
    """Return a linter for a corpus, with its schemas and the traits of its format."""
    traits = formats.traits(corpus.format)
    return Linter(corpus.schemas, seed_of(corpus), traits, traits.companions(corpus.path))


def seed_of(corpus: Corpus) -> int | None:
    """Return the seed in the manifest of a simulated corpus; None for any other corpus."""
    if corpus.format != FORMAT.name or not (corpus.root / MANIFEST).is_file():
        return None
    simulated = FORMAT.manifest(corpus.root).extra.get("simulated")
    seed = simulated.get("seed") if isinstance(simulated, dict) else None
    return seed if isinstance(seed, int) else None


@dataclass(frozen=True, repr=False)
class LintReport:
    """The findings in a corpus.

    Attributes:
        findings: The findings, dialogue by dialogue.
        linter: The linter that found them; it has the counts.
    """

    findings: tuple[Finding, ...]
    linter: Linter

    @classmethod
    def of(cls, corpus: Corpus) -> LintReport:
        """Lint a corpus behind a progress bar.

        Raises:
            FormatError: A file cannot be read.
        """
        linter = linter_for(corpus)
        return cls(tuple(linter.check_all(corpus)), linter)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that are errors."""
        return self.of_severity("error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that are warnings."""
        return self.of_severity("warning")

    def of_severity(self, severity: str) -> tuple[Finding, ...]:
        """Return the findings of one severity: error, warning or information."""
        return tuple(each for each in self.findings if each.severity == severity)

    @property
    def counts(self) -> Counter[str]:
        """Code to the number of findings."""
        return self.linter.counts

    @property
    def table(self) -> ResultTable:
        """The table of codes, those of errors first."""
        return codes(self.linter)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __repr__(self) -> str:
        return f"<lint of {overview(self.linter)}>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_() + paragraph(overview(self.linter))


def found_rules(linter: Linter) -> list[Rule]:
    """Return the rules that a linter has findings of, those of errors first."""
    return sorted((rule for rule in RULES if linter.counts[rule.code]), key=lambda rule: rule.rank)


def codes(linter: Linter) -> ResultTable:
    """Return a table with a row for each code that has findings."""
    rows: list[Row] = [[r.code, linter.counts[r.code], r.title] for r in found_rules(linter)]
    return ResultTable("", ("code", "findings", "what"), rows)


def overview(linter: Linter) -> str:
    """Return the counts as a line: "12 dialogues, 210 events: 1 error, 3 warnings, …"."""
    sizes = f"{counted(linter.dialogues, 'dialogue')}, {counted(linter.events, 'event')}"
    wrong = f"{counted(linter.errors, 'error')}, {counted(linter.total('warning'), 'warning')}"
    return f"{sizes}: {wrong}, {linter.total('information'):,} information"
