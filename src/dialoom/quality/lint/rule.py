"""What a rule is, and what it finds.

    Rule("E602", "span outside its utterance", "a span lies within the text", check)
    Finding(code="E602", severity="error", file="dialogues-00000.jsonl", dialogue="7",
            pointer="/events/3/layers/0/parts/0/spans/1", message="…")

Codes are stable and share one space with those of `dialoom schema check`: E is an error, W a
warning; 1 to 4 are about a task file, 5 about a dialogue as a whole, 6 about utterances and their
annotation, 7 about what the task allows, 8 about the knowledge base, 9 about a task in action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from dialoom.errors import clip
from dialoom.quality.lint.case import Case
from dialoom.schema import findings
from dialoom.schema.findings import Severity

Found = tuple[str, str]
"""The JSON pointer of what is wrong, within the dialogue in the native format, and what is wrong
with it."""

Check = Callable[[Case], Iterator[Found]]
"""Looks at one dialogue."""


class Finding(findings.Finding, frozen=True, kw_only=True):
    """Something wrong in a dialogue: a finding as task files have them, in other surroundings.

    The pointer is that of the native format (docs/data-model.md), whatever format the dialogue was
    read from; line and column are those of a task file and stay 0.

    Attributes:
        dialogue: The dialogue's id.
    """

    line: int = 0
    column: int = 0
    dialogue: str

    def __str__(self) -> str:
        """The finding as a line: file, dialogue, place, code, message."""
        return f"{self.file}: dialogue {self.dialogue}{self.pointer}: {self.code} {self.message}"


class Rule(NamedTuple):
    """One thing to look for.

    Attributes:
        code: Its code.
        title: What is found, in a few words.
        right: What would be right.
        check: Looks for it in a dialogue.
    """

    code: str
    title: str
    right: str
    check: Check

    @property
    def severity(self) -> Severity:
        """Error or warning, as the code says."""
        return severity(self.code)

    def findings(self, case: Case, file: str) -> Iterator[Finding]:
        """Yield what the rule finds in a dialogue."""
        for pointer, what in self.check(case):
            yield Finding(
                code=self.code,
                severity=self.severity,
                file=file,
                pointer=pointer,
                dialogue=case.dialogue.id,
                message=clip(f"{what}; {self.right}", 400),
            )


def severity(code: str) -> Severity:
    """Return what a code's letter says."""
    return "error" if code.startswith("E") else "warning"
