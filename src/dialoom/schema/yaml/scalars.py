"""Shapes of single JSON values (text, numbers, true and false), and what every shape can do.

size = Number("the size", whole=True, least=1)
size.fit("3", report, ("size",))    # NOTHING, and a finding: size should be a whole number
size.described()                    # {"description": "the size", "type": "integer", …}
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from dialoom.errors import clip
from dialoom.schema.condition import SENTENCE
from dialoom.schema.findings import Report, hint
from dialoom.schema.yaml.places import Pointer

NAME = r"[a-z][a-z0-9_]*"
"""Slots, nodes, tables and tasks are lower_snake_case."""

API_NAME = r"[A-Za-z][A-Za-z0-9_]*"
"""Columns, inputs and outputs are spelled as the API spells them."""

LONGEST = 1000
"""Characters of a text at most."""

NOTHING = object()
"""What is left of a value that does not fit at all."""

_SPELLED = {
    NAME: "be spelled in lower_snake_case",
    API_NAME: "have letters, digits and _ only, and begin with a letter",
    SENTENCE: "be a name, a comparison (is, is not, is at least, …) and a name or value",
}

Json = dict[str, Any]

New = Callable[[str], str]
"""Name to the new one."""


@dataclass(frozen=True)
class Shape(ABC):
    """What may stand at a place of a file.

    Attributes:
        what: What it is, for people.
        required: Whether the record it is a key of needs it.
    """

    what: str
    required: bool = field(default=False, kw_only=True)

    @abstractmethod
    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return what of a value fits, or NOTHING; what does not goes into the report."""

    @abstractmethod
    def schema(self) -> Json:
        """Return the shape as JSON Schema (draft 2020-12)."""

    def renamed(self, value: Any, new: New) -> Any:
        """Return a value that fits with new names for those of slots, intents, calls, columns."""
        return value

    def described(self) -> Json:
        """Return the shape as JSON Schema with what it is."""
        return {"description": self.what} | self.schema()

    def wrong(self, value: Any, wanted: str, report: Report, at: Pointer) -> Any:
        """Report a value of another kind than the wanted one; return NOTHING."""
        tip = ""
        if wanted.startswith("text") and isinstance(value, bool | int | float):
            tip = f'; for text write "{str(value).lower()}" in quotes'
        report.add("E102", at, f"{self.what} should be {wanted}, not {kind(value)}{tip}")
        return NOTHING


def kind(value: Any) -> str:
    """Say what kind of value this is.

    >>> kind(3), kind(["a"])
    ('a number', 'a list')
    """
    if isinstance(value, bool):
        return "true or false"
    names = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    return names.get(type(value), "empty")


@dataclass(frozen=True)
class Text(Shape):
    """Text.

    Attributes:
        words: The only ones that will do.
        pattern: How it is spelled.
        longest: How many characters it has at most.
        holds: Whether it is a name that variants of a schema change, has such in braces, or is a
            condition of such.
    """

    words: tuple[str, ...] = ()
    pattern: str | None = None
    longest: int = LONGEST
    holds: Literal["", "name", "placeholders", "condition"] = ""

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the text if it is one of this kind."""
        if not isinstance(value, str):
            return self.wrong(value, "text", report, at)
        wrong = self._mistake(value)
        if wrong is not None:
            report.add(wrong[0], at, f"{self.what}{wrong[1]}")
        return value if wrong is None else NOTHING

    def _mistake(self, value: str) -> tuple[str, str] | None:
        """The code and what is wrong."""
        if not value.strip():
            return "E107", " is empty; write some text or leave the key out"
        if len(value) > self.longest:
            return "E106", f" has more than {self.longest} characters"
        if self.words and value not in self.words:
            return "E104", f": {clip(value, 60)!r} is not known; {hint(value, self.words)}"
        if self.pattern and not re.fullmatch(self.pattern, value):
            right = _SPELLED.get(self.pattern, f"match {self.pattern}")
            return "E105", f": {clip(value, 60)!r} should {right}"
        return None

    def schema(self) -> Json:
        """Return it as JSON Schema."""
        found: Json = {"type": "string", "minLength": 1, "maxLength": self.longest}
        if self.words:
            found = {"enum": list(self.words)}
        return found | ({"pattern": f"^(?:{self.pattern})$"} if self.pattern else {})

    def renamed(self, value: Any, new: New) -> Any:
        """Return a name's new one, or a template with the new names."""
        from dialoom.schema.template import PLACEHOLDER  # deferred: only variants need it

        if self.holds == "placeholders":
            return PLACEHOLDER.sub(lambda held: held[0].replace(held[1], new(held[1]), 1), value)
        match = re.fullmatch(SENTENCE, value) if self.holds == "condition" else None
        if match is not None:
            return f"{new(match[1])} {match[2]} {new(match[3])}"
        return new(value) if self.holds == "name" else value


@dataclass(frozen=True)
class Number(Shape):
    """A number."""

    whole: bool = False
    least: float | None = None
    most: float | None = None

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the number if it is one of this kind."""
        wanted = "a whole number" if self.whole else "a number"
        if isinstance(value, bool) or not isinstance(value, int if self.whole else int | float):
            return self.wrong(value, wanted, report, at)
        for limit, side in ((self.least, "least"), (self.most, "most")):
            if limit is not None and (value < limit if side == "least" else value > limit):
                report.add("E106", at, f"{self.what} should be at {side} {limit:g}, not {value}")
                return NOTHING
        return value

    def schema(self) -> Json:
        """Return it as JSON Schema."""
        limits = {"minimum": self.least, "maximum": self.most}
        found: Json = {"type": "integer" if self.whole else "number"}
        return found | {key: limit for key, limit in limits.items() if limit is not None}


@dataclass(frozen=True)
class Scalar(Shape):
    """Text, a number, or true or false."""

    _types: ClassVar[tuple[type, ...]] = (str, int, float)
    _wanted: ClassVar[str] = "text, a number, true or false"
    _json: ClassVar[Any] = ["string", "number", "boolean"]

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the value if it is one of this kind."""
        if isinstance(value, self._types):
            return value
        return self.wrong(value, self._wanted, report, at)

    def schema(self) -> Json:
        """Return it as JSON Schema."""
        return {"type": self._json}


@dataclass(frozen=True)
class Flag(Scalar):
    """True or false."""

    _types = (bool,)
    _wanted = "true or false"
    _json = "boolean"
