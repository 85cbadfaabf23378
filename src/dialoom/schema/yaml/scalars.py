"""Shapes of single JSON values (text, numbers, true and false), and the base class of all shapes.

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
from dialoom.schema.arithmetic import is_arithmetic
from dialoom.schema.condition import SENTENCE
from dialoom.schema.environment import ADDRESS
from dialoom.schema.findings import Report, hint
from dialoom.schema.places import Pointer
from dialoom.schema.yaml.today import RELATIVE

NAME = r"[a-z][a-z0-9_]*"
"""Pattern of the names of slots, nodes, tables and tasks: lower_snake_case."""

DAY, CLOCK = r"\d{4}-\d{2}-\d{2}", r"([01]\d|2[0-3]):[0-5]\d"
"""Patterns of a date and of a time of the day."""

DATE = rf"{DAY}|{RELATIVE}"
MOMENT = rf"{DATE}|{CLOCK}"
"""Patterns of a limit: a date that may be relative to the day of the task; that, or a time."""

API_NAME = r"[A-Za-z][A-Za-z0-9_]*"
"""Pattern of the names of columns, inputs and outputs, spelled as the API spells them."""

LONGEST_NAME = 60
"""Most characters of a name of either kind: with a number appended, it still fits in the 64 of a
function's name in the OpenAI wire format."""

LONGEST = 1000
"""Most characters of a text."""

LONGEST_POLICY = 100_000
"""Most characters of a policy: a tenth of the largest file."""

NOTHING = object()
"""Returned by `fit` for a value of which nothing conforms."""

_SPELLED = {
    NAME: "be spelled in lower_snake_case",
    API_NAME: "have letters, digits and _ only, and begin with a letter",
    DAY: "be a day such as 2021-05-03",
    CLOCK: "be a time from 00:00 to 23:59",
    DATE: "be a day such as 2021-05-03 or today + 3",
    MOMENT: "be a day such as 2021-05-03 or today + 3, or a time from 00:00 to 23:59",
    ADDRESS: "be mcp: and a command or URL, or http: and a URL",
    SENTENCE: "be a name, a comparison (is, is not, is at least, …) and a name or value",
}

_LONG = re.compile(r"-?[\d.]{16,}([eE][-+]?\d+)?|-?[\d.]+[eE][-+]?\d{3,}")
"""Numbers that are too long to be read as numbers (places.py)."""

Json = dict[str, Any]

New = Callable[[str], str]
"""A function from an old name to the new one."""


@dataclass(frozen=True)
class Shape(ABC):
    """A shape: what is valid at a place of a file, with a name for messages and JSON Schema."""

    what: str
    required: bool = field(default=False, kw_only=True)

    @abstractmethod
    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the part of a value that conforms, or NOTHING; report the rest."""

    @abstractmethod
    def schema(self) -> Json:
        """Return the shape as JSON Schema (draft 2020-12)."""

    def renamed(self, value: Any, new: New) -> Any:
        """Return a conforming value in which slots, intents, calls and columns have new names."""
        return value

    def described(self) -> Json:
        """Return the shape as JSON Schema, with a description."""
        return {"description": self.what} | self.schema()

    def wrong(self, value: Any, type_name: str, report: Report, at: Pointer) -> Any:
        """Report a value of a wrong type, `type_name` being the right one; return NOTHING."""
        tip = ""
        if type_name.startswith("text") and isinstance(value, bool | int | float):
            tip = f'; for text write "{str(value).lower()}" in quotes'
        report.add("E102", at, f"{self.what} should be {type_name}, not {kind(value)}{tip}")
        return NOTHING


def kind(value: Any) -> str:
    """Return the type of a value, for messages.

    >>> kind(3), kind(["a"])
    ('a number', 'a list')
    """
    if isinstance(value, bool):
        return "true or false"
    names = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    return names.get(type(value), "empty")


@dataclass(frozen=True)
class Text(Shape):
    """The shape of a text: one of `words` or any, a whole match of `pattern`.

    `holds` marks texts with names that variants of a schema rename: a name, a text with names as
    placeholders, or a condition.
    """

    words: tuple[str, ...] = ()
    pattern: str | None = None
    longest: int = LONGEST
    holds: Literal["", "name", "placeholders", "condition"] = ""

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the text if it is valid, else NOTHING with a finding."""
        if not isinstance(value, str):
            text = "a name" if self.pattern in (NAME, API_NAME) else "text"
            right = f"one of {', '.join(self.words)}" if self.words else text
            return self.wrong(value, right, report, at)
        wrong = self._mistake(value)
        if wrong is not None:
            report.add(wrong[0], at, f"{self.what}{wrong[1]}")
        return value if wrong is None else NOTHING

    def _mistake(self, value: str) -> tuple[str, str] | None:
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
        """Return the shape as JSON Schema."""
        rules: Json = {"type": "string", "minLength": 1, "maxLength": self.longest}
        if self.words:
            rules = {"enum": list(self.words)}
        return rules | ({"pattern": f"^(?:{self.pattern})$"} if self.pattern else {})

    def renamed(self, value: Any, new: New) -> Any:
        """Return the text with its names replaced by new ones."""
        from dialoom.schema.template import PLACEHOLDER  # deferred: only variants need it

        if self.holds == "placeholders":
            return PLACEHOLDER.sub(lambda gap: gap[0].replace(gap[1], new(gap[1]), 1), value)
        match = re.fullmatch(SENTENCE, value) if self.holds == "condition" else None
        if match is not None:
            return f"{new(match[1])} {match[2]} {new(match[3])}"
        return new(value) if self.holds == "name" else value


@dataclass(frozen=True)
class Number(Shape):
    """The shape of a number: whether it is whole, and its limits."""

    whole: bool = False
    least: float | None = None
    most: float | None = None

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the number if it is valid, else NOTHING with a finding."""
        noun = "a whole number" if self.whole else "a number"
        if isinstance(value, str) and _LONG.fullmatch(value):
            message = "should have at most 15 digits and an exponent of two, not"
            report.add("E106", at, f"{self.what} {message} {clip(value, 60)}")
            return NOTHING
        if isinstance(value, bool) or not isinstance(value, int if self.whole else int | float):
            return self.wrong(value, noun, report, at)
        for limit, side in ((self.least, "least"), (self.most, "most")):
            if limit is not None and (value < limit if side == "least" else value > limit):
                report.add("E106", at, f"{self.what} should be at {side} {limit:g}, not {value}")
                return NOTHING
        return value

    def schema(self) -> Json:
        """Return the shape as JSON Schema."""
        limits = {"minimum": self.least, "maximum": self.most}
        rules: Json = {"type": "integer" if self.whole else "number"}
        return rules | {key: limit for key, limit in limits.items() if limit is not None}


@dataclass(frozen=True)
class Scalar(Shape):
    """The shape of a text, number or boolean."""

    _types: ClassVar[tuple[type, ...]] = (str, int, float)
    _wanted: ClassVar[str] = "text, a number, true or false"
    _json: ClassVar[Any] = ["string", "number", "boolean"]

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the value if it is a scalar, else NOTHING with a finding."""
        if isinstance(value, self._types):
            return value
        return self.wrong(value, self._wanted, report, at)

    def schema(self) -> Json:
        """Return the shape as JSON Schema."""
        return {"type": self._json}


@dataclass(frozen=True)
class Flag(Scalar):
    """The shape of a boolean."""

    _types = (bool,)
    _wanted = "true or false"
    _json = "boolean"


@dataclass(frozen=True)
class Expression(Scalar):
    """The shape of an expression of arithmetic.py; the checks of calls look at its names."""

    def renamed(self, value: Any, new: New) -> Any:
        """Return the expression with its names replaced by new ones."""
        if not isinstance(value, str):
            return value
        return " ".join(map(new, value.split(" "))) if is_arithmetic(value) else new(value)
