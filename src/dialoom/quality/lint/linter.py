"""Every rule over every dialogue of a corpus, one dialogue in memory at a time.

linter = Linter(tasks, seed=7, format="native")
for finding in linter.check(dialogue, "dialogues-00000.jsonl"):
    print(finding)
linter.counts        # Counter({"W703": 12, …})
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from dialoom.corpus import Corpus
from dialoom.corpus.format import Format
from dialoom.dialogue import Dialogue
from dialoom.quality.lint import (
    calls,
    candidates,
    dialogues,
    frames,
    labels,
    layers,
    services,
    shapes,
    tasks,
    texts,
)
from dialoom.quality.lint.case import Case
from dialoom.quality.lint.rule import Finding, Look, Rule
from dialoom.quality.lint.setting import NOTHING, Beside, Setting, Subject, folder_of
from dialoom.schema.task import TaskSchema

LOOKS: tuple[Look, ...] = (
    *dialogues.LOOKS,
    *texts.LOOKS,
    *layers.LOOKS,
    *shapes.LOOKS,
    *frames.LOOKS,
    *services.LOOKS,
    *labels.LOOKS,
    *tasks.LOOKS,
    *calls.LOOKS,
    *candidates.LOOKS,
)
"""All that is looked for, in the order in which it is."""

RULES: tuple[Rule, ...] = tuple(rule for look in LOOKS for rule in look.rules)
"""Every rule, in the same order."""

_BY_CODE = {rule.code: rule for rule in RULES}


class Linter:
    """Checks dialogues one after another.

    Args:
        tasks: The corpus's task schemas; rules that need one pass over dialogues without.
        seed: What the knowledge base of simulated dialogues was drawn from; None leaves the
            recorded results unchecked.
        format: The name of the corpus's format; rules about what only some formats promise pass
            over the others.
        beside: What stands beside the dialogues: instructions, facts.

    Attributes:
        counts: Code to the number of findings so far.
        dialogues: The number of dialogues so far.
        events: The number of their events.
    """

    def __init__(
        self,
        tasks: Mapping[str, TaskSchema] | None = None,
        seed: int | None = None,
        *,
        format: str = "",
        beside: Beside = NOTHING,
    ) -> None:
        self._setting = Setting(tasks or {}, seed, format, beside)
        self._ids: dict[str, set[str]] = defaultdict(set)
        self._wanted: dict[int, tuple[Look, ...]] = {}
        self.counts: Counter[str] = Counter()
        self.dialogues = self.events = 0

    @property
    def errors(self) -> int:
        """The number of findings so far that are errors."""
        return self.total("error")

    def total(self, severity: str) -> int:
        """Return the number of findings so far of one severity."""
        return sum(n for code, n in self.counts.items() if _BY_CODE[code].severity == severity)

    def check(self, dialogue: Dialogue, file: str = "") -> Iterator[Finding]:
        """Yield what is wrong with a dialogue; `file` names where it stands."""
        self.dialogues += 1
        self.events += len(dialogue.events)
        folder = folder_of(dialogue.origin)
        ids = self._ids[folder]
        case = Case(dialogue, self._setting, folder, dialogue.id in ids)
        ids.add(dialogue.id)
        for look in self._looks(case.subjects):
            for found in look.check(case):
                code, pointer, what = found if look.code is None else (look.code, *found)
                self.counts[code] += 1
                yield _BY_CODE[code].finding(pointer, what, file, dialogue.id)

    def _looks(self, subjects: int) -> tuple[Look, ...]:
        """Return what to look for where there are these subjects."""
        found = self._wanted.get(subjects)
        if found is None:
            there = Subject(subjects)
            found = tuple(look for look in LOOKS if not look.needs or look.needs & there)
            self._wanted[subjects] = found
        return found

    def check_all(self, corpus: Corpus, format: Format) -> Iterator[Finding]:
        """Yield what is wrong with a corpus, dialogue by dialogue.

        Raises:
            FormatError: A file cannot be read.
        """
        for file in corpus.files:
            for dialogue in format.read_file(file, corpus.root):
                yield from self.check(dialogue, str(file))
