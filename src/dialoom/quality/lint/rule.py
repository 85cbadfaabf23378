"""Findings of lint, and the registration of functions as checks of rules (schema/findings.py).

@check("E811", needs="queries")
def _user_query(context: LintContext) -> Iterator[Found]:
    for index, query in context.queries:
        if query.agent == USER:
            yield f"/events/{index}/agent", f"the user calls {query.api}"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from dialoom.quality.lint.context import LintContext
from dialoom.schema import findings

Found = tuple[str, str]
"""The JSON pointer of a fault, within the dialogue in the native format, and a message."""

CodeFound = tuple[str, str, str]
"""The code of a rule, a JSON pointer and a message, where one check is for several rules."""


class Finding(findings.Finding, frozen=True, kw_only=True):
    """A fault in a dialogue, as `schema.findings.Finding` is one in a task file.

    The pointer is that of the native format (docs/reference/data-model.md), whatever format the
    dialogue was read from; line and column are those of a task file and stay 0.

    Attributes:
        dialogue: The dialogue's id.
    """

    line: int = 0
    column: int = 0
    dialogue: str

    def __str__(self) -> str:
        dialogue = f"dialogue {self.dialogue}" if self.dialogue else ""
        places = filter(None, (self.file, dialogue + self.pointer, f"{self.code} {self.message}"))
        return ": ".join(places)


Needs = Literal[
    "",
    "utterances",
    "queries",
    "results",
    "options",
    "acts",
    "arguments",
    "spans",
    "states",
    "frames",
    "services",
    "tasks",
    "designed",
    "published",
]
"""The attribute of `LintContext` that a check iterates over; empty where it needs none."""


class Check(NamedTuple):
    """A function that finds the violations of one rule or several in a dialogue.

    Attributes:
        find: Yields the pointer and the words of all that it finds, after the code unless the check
            is of one rule only.
        codes: The rules that nothing else looks for; it may find others' as well.
    """

    find: Callable[[LintContext], Iterable[Found | CodeFound]]
    codes: tuple[str, ...]
    needs: Needs


def check(
    *codes: str, needs: Needs = ""
) -> Callable[[Callable[[LintContext], Iterable[Found | CodeFound]]], Check]:
    """Register a function as the check of one rule or several."""
    return lambda find: Check(find, codes, needs)
