"""Every rule over every dialogue of a corpus, one dialogue in memory at a time.

linter = Linter(tasks, seed=7)
for finding in linter.check(dialogue, "dialogues-00000.jsonl"):
    print(finding)
linter.counts        # Counter({"W703": 12, …})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from dialoom.corpus import Corpus
from dialoom.corpus.format import Format
from dialoom.dialogue import Dialogue
from dialoom.quality.lint import calls, dialogues, layers, tasks
from dialoom.quality.lint.case import Case
from dialoom.quality.lint.knowledge import know
from dialoom.quality.lint.rule import Finding, Rule
from dialoom.schema.task import Task

RULES: tuple[Rule, ...] = (
    *dialogues.RULES,
    *layers.RULES,
    *tasks.RULES,
    *calls.RULES,
)
"""Every rule, in the order of what they look at."""


class Linter:
    """Checks dialogues one after another.

    Args:
        tasks: The corpus's task schemas; rules that need one pass over dialogues without.
        seed: What the knowledge base of simulated dialogues was drawn from; None leaves the
            recorded results unchecked.

    Attributes:
        counts: Code to the number of findings so far.
        dialogues: The number of dialogues so far.
        events: The number of their events.
        errors: The number of findings so far that are errors.
    """

    def __init__(self, tasks: Mapping[str, Task] | None = None, seed: int | None = None) -> None:
        self._known = know(tasks or {})
        self._seed = seed
        self._ids: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.dialogues = self.events = self.errors = 0

    def check(self, dialogue: Dialogue, file: str = "") -> Iterator[Finding]:
        """Yield what is wrong with a dialogue; `file` names where it stands."""
        self.dialogues += 1
        self.events += len(dialogue.events)
        case = Case(dialogue, self._known, self._seed, dialogue.id in self._ids)
        self._ids.add(dialogue.id)
        for rule in RULES:
            for finding in rule.findings(case, file):
                self.counts[finding.code] += 1
                self.errors += finding.severity == "error"
                yield finding

    def check_all(self, corpus: Corpus, format: Format) -> Iterator[Finding]:
        """Yield what is wrong with a corpus, dialogue by dialogue.

        Raises:
            FormatError: A file cannot be read.
        """
        for file in corpus.files:
            for dialogue in format.read_file(file, corpus.root):
                yield from self.check(dialogue, str(file))
