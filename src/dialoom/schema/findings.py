"""What a check of a task file finds: a code, a place, and what would be right.

    Finding("E201", "pizza.yaml", 31, 5, "`then` leads to 'goodby', which is no node; …",
            "/flow/bye/then")

Codes are stable: E is an error, W a warning, I information; the first digit tells what it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from dialoom.dialogue.annotation import Struct
from dialoom.errors import clip
from dialoom.schema.yaml.places import Document, Pointer

MOST = 1000
"""Findings of one file that are listed."""

Severity = Literal["error", "warning", "information"]

SEVERITIES: dict[str, Severity] = {"E": "error", "W": "warning", "I": "information"}
"""What the letter of a code says."""

CODES = {
    "E100": "more findings than are listed",
    "E101": "unknown key",
    "E102": "value of the wrong kind",
    "E103": "missing key",
    "E104": "word that is not one of the known ones",
    "E105": "name that is not spelled as names are",
    "E106": "beyond a limit: too long, too many, too large",
    "E107": "empty text, list or mapping",
    "E108": "alias that is repeated",
    "E201": "edge to a node that does not exist",
    "E202": "node that nothing leads to",
    "E203": "node from which the dialogue cannot end",
    "E204": "loop without an exit",
    "E205": "question that no user node answers",
    "E206": "node followed by one of the wrong kind",
    "E207": "outcome that the call cannot have",
    "E208": "outcome of a call that no node stands for",
    "E209": "result that stands for the same outcome as another",
    "E210": "request that the call does not have, or lacks",
    "E211": "reading out that cannot work",
    "E212": "answer that gives none where a value must be given",
    "E301": "unknown placeholder",
    "E302": "placeholder that cannot be known where it is used",
    "E303": "slot that nobody asks for and nobody may give",
    "E304": "unknown slot",
    "E305": "least value above the greatest",
    "E306": "slots that are each required unless the other is given",
    "E307": "word that stands for two values of a slot",
    "E308": "value that the slot does not have",
    "E309": "template that another answer to the same question has as well",
    "E401": "unknown table",
    "E402": "unknown API",
    "E403": "unknown column, input or output",
    "E404": "API input without a slot",
    "E405": "required input that is never known when the call is made",
    "E406": "columns that should have the same values and have not",
    "W201": "fewer than five user templates",
    "W202": "more than three system templates",
    "W203": "text that a comma may have cut in two",
    "W301": "template that another system node has as well",
    "W302": "value that cannot be said as it is and has no spoken variant",
    "W303": "node that may be reached while none of its templates can be said",
    "W401": "API that no node calls",
    "W402": "table that no API uses",
    "W403": "slot that no call, template or condition uses",
}
"""Every code and what it means."""


class Finding(Struct, frozen=True):
    """Something wrong in a task file.

    Attributes:
        code: Its kind, one of CODES.
        severity: Error, warning or information.
        file: The file, as it was named.
        line: The line, from 1.
        column: The column, from 1.
        message: What is wrong and what would be right.
        pointer: The JSON pointer of the value.
    """

    code: str
    severity: Severity
    file: str
    line: int
    column: int
    message: str
    pointer: str

    def __str__(self) -> str:
        """The finding as a line: file, place, code, message."""
        return f"{self.file}:{self.line}:{self.column}: {self.code} {self.message}"


class TooManyError(Exception):
    """There are more findings than anybody will read: checking may stop."""


class Report:
    """Collects the findings about one document, in any order."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._found: dict[Finding, None] = {}

    def add(self, code: str, pointer: Pointer, message: str) -> None:
        """Add a finding about the value that `pointer` leads to.

        Raises:
            TooManyError: There are MOST already.
        """
        if len(self._found) >= MOST:
            raise TooManyError
        self._put(code, pointer, message)

    def cut(self) -> None:
        """Note that checking stopped before the end."""
        self._put("E100", (), f"the first {MOST} findings are listed; there may be more")

    def _put(self, code: str, pointer: Pointer, message: str) -> None:
        line, column = self.document.place(pointer)
        finding = Finding(
            code,
            SEVERITIES[code[0]],
            self.document.path,
            line,
            column,
            clip(message, 400),
            spell(pointer),
        )
        self._found[finding] = None

    def __iter__(self) -> Iterator[Finding]:
        """Yield the findings in the order of the file."""
        return iter(sorted(self._found, key=lambda f: (f.line, f.column, f.code, f.message)))

    @property
    def errors(self) -> list[Finding]:
        """The errors among the findings."""
        return [finding for finding in self if finding.severity == "error"]


def spell(pointer: Pointer) -> str:
    """Return a pointer as JSON pointers are written."""
    return "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in pointer)


def close(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that a mistyped one is closest to, if one is close."""
    from rapidfuzz import process  # deferred: only a mistake needs it

    found = process.extractOne(name, sorted(known), score_cutoff=70)
    return found[0] if found else None


def hint(name: str, known: Iterable[str], most: int = 12) -> str:
    """Return what would be right instead of an unknown name."""
    names = sorted(known)
    near = close(name, names)
    if near is not None:
        return f"did you mean {near!r}?"
    rest = " …" if len(names) > most else ""
    return f"known: {', '.join(names[:most])}{rest}" if names else "there are none"
