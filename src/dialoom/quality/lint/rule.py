"""What a lint rule is, what it finds, and how functions are registered as checks of rules.

    @check("E811", "query by the user", "the system asks the knowledge base", Needs.QUERIES)
    def _user_query(context: LintContext) -> Iterator[Found]:
        for index, query in context.queries:
            if query.agent == USER:
                yield f"/events/{index}/agent", f"the user calls {query.api}"

Codes are stable and share one space with those of `dialoom schema check`: E is an error, W a
warning, I information; 1 to 4 are about a task file, 5 about a dialogue as a whole, 6 about
utterances and their annotation, 7 about what the task allows, 8 about the knowledge base, 9 about a
task in action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from dialoom.errors import clip
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.corpus_context import Needs
from dialoom.schema import findings
from dialoom.schema.findings import SEVERITIES, Severity

Found = tuple[str, str]
"""The JSON pointer of what is wrong, within the dialogue in the native format, and what is wrong
with it."""

CodeFound = tuple[str, str, str]
"""The same after the code of the rule, where one check is for several rules."""


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
        dialogue = f"dialogue {self.dialogue}" if self.dialogue else ""
        places = filter(None, (self.file, dialogue + self.pointer, f"{self.code} {self.message}"))
        return ": ".join(places)


class Rule(NamedTuple):
    """One kind of thing that is wrong.

    Attributes:
        code: Its code.
        title: What is found, in a few words.
        right: What would be right.
    """

    code: str
    title: str
    right: str

    @property
    def severity(self) -> Severity:
        """Error, warning or information, as the code's letter says."""
        return SEVERITIES[self.code[0]]

    @property
    def rank(self) -> tuple[int, str]:
        """What sorts rules by how much they matter: errors come first."""
        return (list(SEVERITIES).index(self.code[0]), self.code)

    def finding(self, pointer: str, what: str, file: str, dialogue: str) -> Finding:
        """Return what was found of this kind, and where."""
        return Finding(
            code=self.code,
            severity=self.severity,
            file=file,
            pointer=pointer,
            dialogue=dialogue,
            message=clip(f"{what}; {self.right}", 400),
        )


class Check(NamedTuple):
    """A function that looks for the violations of one rule or several in a dialogue.

    Attributes:
        find: Yields the pointer and the words of all that it finds, after the code unless the check
            is of one rule only.
        rules: What it may find.
        needs: It is left out where the dialogue has none of these; empty for every dialogue.
    """

    find: Callable[[LintContext], Iterable[Found | CodeFound]]
    rules: tuple[Rule, ...]
    needs: Needs


def check(
    code: str, title: str, right: str, needs: Needs = Needs.NOTHING
) -> Callable[[Callable[[LintContext], Iterator[Found]]], Check]:
    """Register a function as the check of one rule."""
    return lambda find: Check(find, (Rule(code, title, right),), needs)


def checks(
    *rules: Rule, needs: Needs = Needs.NOTHING
) -> Callable[[Callable[[LintContext], Iterator[CodeFound]]], Check]:
    """Register a function as the check of several rules that go over the same ground."""
    return lambda find: Check(find, rules, needs)
