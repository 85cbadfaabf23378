"""Every rule over every dialogue of a corpus, one dialogue in memory at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from dialoom.corpus import Corpus
from dialoom.corpus.archive import named
from dialoom.corpus.traits import NO_COMPANIONS, NO_TRAITS, Companions, Traits
from dialoom.dialogue import Dialogue, Utterance
from dialoom.errors import clip
from dialoom.quality.lint import (
    calls,
    dialogues,
    frames,
    labels,
    layers,
    services,
    shapes,
    tasks,
    texts,
    tool_calls,
)
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.corpus_context import CorpusContext, folder_of
from dialoom.quality.lint.rule import Check, Finding
from dialoom.render.progress import track
from dialoom.schema.findings import RULES as ALL
from dialoom.schema.findings import Rule
from dialoom.schema.task import TaskSchema

FAMILIES = (dialogues, texts, layers, shapes, frames, services, labels, tasks, calls, tool_calls)
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
