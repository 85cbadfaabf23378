"""Findings of checks: a code, a place and a message; codes.txt lists all codes.

    Finding("E201", "pizza.yaml", 31, 5, "`then` leads to 'goodby', which is no node; …",
            "/flow/bye/then")

Codes are stable: E is an error, W a warning, I information; 1 to 4 are about a task file, 5 about a
dialogue as a whole, 6 about utterances and their annotation, 7 about what the task allows, 8 about
the knowledge base, 9 about a task in action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import resources
from typing import Literal, NamedTuple

from dialoom.dialogue.annotation import Struct
from dialoom.errors import clip
from dialoom.schema.places import Document, Pointer

MOST = 1000
"""Most findings that are listed of one file."""

Severity = Literal["error", "warning", "information"]

SEVERITIES: dict[str, Severity] = {"E": "error", "W": "warning", "I": "information"}


FAMILIES = {
    "1": "the form of a task file (`schema check`)",
    "2": "the flow of a task file (`schema check`)",
    "3": "slots and texts of a task file (`schema check`)",
    "4": "calls and tables of a task file (`schema check`)",
    "5": "a dialogue as a whole (`lint`)",
    "6": "utterances and their annotation (`lint`)",
    "7": "what the tasks allow (`lint`)",
    "8": "calls and the knowledge base (`lint`)",
    "9": "a task in action (`schema doctor`)",
}
"""First digit of a code to what it is about, with the command that reports it."""


class Rule(NamedTuple):
    """One kind of finding, in task files or in dialogues; `why` is the harm that it does."""

    code: str
    title: str
    right: str
    why: str

    @property
    def severity(self) -> Severity:
        """Error, warning or information, by the code's letter."""
        return SEVERITIES[self.code[0]]

    @property
    def explanation(self) -> str:
        """The subject, the fault, the remedy, and the reason, in a line."""
        about = f"{self.severity} about {FAMILIES[self.code[1]]}"
        fault = f"{self.code}, {about}: {self.title}"
        return f"{fault}. What would be right: {self.right}. Why: {self.why}."

    @property
    def rank(self) -> tuple[int, str]:
        """Sort key: by severity, errors first, then by code."""
        return (list(SEVERITIES).index(self.code[0]), self.code)


def _rules() -> dict[str, Rule]:
    lines = resources.files(__package__).joinpath("codes.txt").read_text("utf-8").splitlines()
    return {rule.code: rule for rule in (Rule(*line.split(" | ")) for line in lines)}


RULES = _rules()
"""Code to rule, for `schema check`, lint and the schema doctor."""

CODES = {code: rule.title for code, rule in RULES.items() if code[1] in "1234"}


class Finding(Struct, frozen=True):
    """A fault in a task file; line and column count from 1, `pointer` is a JSON pointer."""

    code: str
    severity: Severity
    file: str
    line: int
    column: int
    message: str
    pointer: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.code} {self.message}"


class TooManyError(Exception):
    """There are `MOST` findings already: checking stops."""


class Report:
    """Collects the findings about one document, in any order."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._found: dict[Finding, None] = {}

    def add(self, code: str, pointer: Pointer, message: str) -> None:
        """Add a finding about the value at `pointer`; `TooManyError` after `MOST` of them."""
        if len(self._found) >= MOST:
            raise TooManyError
        self._put(code, pointer, message)

    def cut(self) -> None:
        """Note that checking stopped before the end."""
        self._put("E100", (), f"the first {MOST} findings are listed; there may be more")

    def _put(self, code: str, pointer: Pointer, message: str) -> None:
        line, column = self.document.place(pointer)
        where, text = (self.document.path, line, column), clip(message, 400)
        self._found[Finding(code, SEVERITIES[code[0]], *where, text, spell(pointer))] = None

    def __iter__(self) -> Iterator[Finding]:
        return iter(sorted(self._found, key=lambda f: (f.line, f.column, f.code, f.message)))

    @property
    def errors(self) -> list[Finding]:
        """The errors among the findings."""
        return [finding for finding in self if finding.severity == "error"]


def spell(pointer: Pointer) -> str:
    """Return a pointer as JSON pointers are written."""
    return "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in pointer)


def close(name: str, choices: Iterable[str]) -> str | None:
    """Return the known name that a mistyped one is closest to, if one is close."""
    from rapidfuzz import process  # deferred: only a mistake needs it

    match = process.extractOne(name, sorted(choices), score_cutoff=70)
    return match[0] if match else None


def hint(name: str, choices: Iterable[str], most: int = 12) -> str:
    """Return a hint about an unknown name: a close known name, else `most` known names."""
    names = sorted(choices)
    near = close(name, names)
    if near is not None:
        return f"did you mean {near!r}?"
    rest = " …" if len(names) > most else ""
    return f"known: {', '.join(names[:most])}{rest}" if names else "there are none"
