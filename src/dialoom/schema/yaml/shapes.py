"""Shapes of lists and mappings: validated with findings, exported as JSON Schema, and renamed.

    size = Record("a pizza", {"size": Text("the size", required=True)})
    fit({"size": 3}, size, report)      # {}, and a finding: size should be text, is a number
    size.described()                    # {"description": "a pizza", "type": "object", …}

`fit` returns a value without the parts that do not conform, so that one error does not hide others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dialoom.errors import clip
from dialoom.schema.findings import Report, close, hint
from dialoom.schema.places import Pointer
from dialoom.schema.yaml.scalars import NOTHING, Json, New, Shape, Text

MOST = 5000


def fit(value: Any, shape: Shape, report: Report) -> Any:
    """Return the part of a value that conforms to a shape, or None; report the rest."""
    part = shape.fit(value, report, ())
    return None if part is NOTHING else part


@dataclass(frozen=True)
class _Many(Shape):
    item: Shape
    least: int = 0
    most: int = MOST

    def _count(self, value: Any, report: Report, at: Pointer) -> None:
        size = len(value)
        if size > self.most:
            message = f"{size} are too many; at most {self.most} will do"
            report.add("E106", at, f"{self.what}: {message}")
        elif size < self.least:
            report.add("E107", at, f"{self.what}: there should be at least {self.least}")


@dataclass(frozen=True)
class Listed(_Many):
    """The shape of a list; with `lone` a single element is also valid without the list."""

    lone: bool = False

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the elements that conform."""
        if self.lone and value is not None and not isinstance(value, list | dict):
            parts = [self.item.fit(value, report, at)]
        elif isinstance(value, list):
            self._count(value, report, at)
            numbered = enumerate(value[: self.most])
            parts = [self.item.fit(item, report, (*at, number)) for number, item in numbered]
        else:
            return self.wrong(value, "a list", report, at)
        return [item for item in parts if item is not NOTHING]

    def schema(self) -> Json:
        """Return the shape as JSON Schema."""
        item = self.item.described()
        rules: Json = {"type": "array", "items": item, "maxItems": self.most}
        if self.least:
            rules["minItems"] = self.least
        return {"anyOf": [item, rules]} if self.lone else rules

    def renamed(self, value: Any, new: New) -> Any:
        """Return the elements with new names in them."""
        if not isinstance(value, list):
            return self.item.renamed(value, new)
        return [self.item.renamed(item, new) for item in value]


@dataclass(frozen=True, kw_only=True)
class Mapped(_Many):
    """The shape of a mapping of names to values; with `bare` a list of names is also valid."""

    key: Text
    bare: bool = False

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the pairs whose key and value conform."""
        if self.bare and isinstance(value, list):
            return dict.fromkeys(Listed(self.what, self.key).fit(value, report, at), None)
        if not isinstance(value, dict):
            return self.wrong(value, "a mapping", report, at)
        self._count(value, report, at)
        pairs: dict[str, Any] = {}
        for key, item in list(value.items())[: self.most]:
            if self.key.fit(key, report, (*at, key)) is NOTHING:
                continue
            bare = self.bare and item is None
            inner = None if bare else self.item.fit(item, report, (*at, key))
            if inner is not NOTHING:
                pairs[key] = inner
        return pairs

    def schema(self) -> Json:
        """Return the shape as JSON Schema."""
        item = self.item.described()
        rules: Json = {
            "type": "object",
            "propertyNames": self.key.schema(),
            "additionalProperties": {"anyOf": [item, {"type": "null"}]} if self.bare else item,
            "maxProperties": self.most,
        }
        if self.least:
            rules["minProperties"] = self.least
        if not self.bare:
            return rules
        names = {"type": "array", "items": self.key.described(), "minItems": max(1, self.least)}
        return {"anyOf": [rules, names]}

    def renamed(self, value: Any, new: New) -> Any:
        """Return the pairs with new names in keys and values."""
        if not isinstance(value, dict):
            return value
        pairs = value.items()
        return {self.key.renamed(key, new): self.item.renamed(item, new) for key, item in pairs}


@dataclass(frozen=True)
class Record(Shape):
    """The shape of a mapping with fixed keys; with `word` one of its words is also valid.

    With the first of `waived`, a key, the others are optional.
    """

    fields: dict[str, Shape]
    word: Text | None = None
    waived: tuple[str, tuple[str, ...]] | None = None

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the keys whose values conform."""
        if self.word is not None and not isinstance(value, dict):
            return self.word.fit(value, report, at)
        if not isinstance(value, dict):
            return self.wrong(value, "a mapping", report, at)
        entries: dict[str, Any] = {}
        mistyped: set[str] = set()
        for key, item in value.items():
            if key not in self.fields:
                mistyped.add(self._unknown(key, value, report, at))
                continue
            inner = self.fields[key].fit(item, report, (*at, key))
            if inner is not NOTHING:
                entries[key] = inner
        free = self.waived[1] if self.waived is not None and self.waived[0] in value else ()
        for key, inside in self.fields.items():
            if inside.required and key not in (*value, *mistyped, *free):
                report.add("E103", at, f"{self.what} needs the key {key!r}: {inside.what}")
        return entries

    def _unknown(self, key: str, value: dict[str, Any], report: Report, at: Pointer) -> str:
        """Report an unknown key; return the similar known key, which then is not missing."""
        absent = [name for name in self.fields if name not in value]
        right = hint(key, absent or self.fields)
        report.add("E101", (*at, key), f"{self.what} has no key {clip(key, 60)!r}; {right}")
        return close(key, absent) or ""

    def schema(self) -> Json:
        """Return the shape as JSON Schema."""
        rules: Json = {
            "type": "object",
            "properties": {key: inside.described() for key, inside in self.fields.items()},
            "additionalProperties": False,
        }
        required = [key for key, inside in self.fields.items() if inside.required]
        rules |= {"required": required} if required else {}
        if self.waived is not None:
            key, free = self.waived
            rules["required"] = [name for name in required if name not in free]
            needed = [name for name in required if name in free]
            rules["anyOf"] = [{"required": [key]}, {"required": needed}]
        if self.word is None:
            return rules
        return {"description": self.word.what, "anyOf": [self.word.schema(), rules]}

    def renamed(self, value: Any, new: New) -> Any:
        """Return the record with new names in its values."""
        if not isinstance(value, dict):
            return value
        return {key: self.fields[key].renamed(item, new) for key, item in value.items()}


@dataclass(frozen=True)
class Choice(Shape):
    """One of several records, chosen by which key is present, or by the value of the key `by`.

    `missing` is the code of the finding where neither is present.
    """

    records: dict[str, Record]
    by: str | None = None
    missing: str = "E103"

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the part of the value that conforms to the chosen record."""
        if not isinstance(value, dict):
            return self.wrong(value, "a mapping", report, at)
        word = self._word(value, report, at) if self.by is None else self._by(value, report, at)
        if word is None:
            return NOTHING
        part = self.records[word].fit(value, report, at)
        # an error in the value of the key that chooses does not change the choice
        return part if self.by else {word: None} | part

    def _by(self, value: dict[str, Any], report: Report, at: Pointer) -> str | None:
        if self.by not in value:
            right = ", ".join(self.records)
            report.add("E103", at, f"{self.what} needs the key {self.by!r}, one of: {right}")
            return None
        word = Text(f"{self.what}'s {self.by}", words=tuple(self.records))
        choice = word.fit(value[self.by], report, (*at, self.by))
        return None if choice is NOTHING else str(choice)

    def _word(self, value: dict[str, Any], report: Report, at: Pointer) -> str | None:
        present = [key for key in self.records if key in value]
        if len(present) == 1:
            return present[0]
        either = " or ".join(repr(key) for key in self.records)
        which = "only one of the keys" if present else "one of the keys"
        report.add(self.missing, at, f"{self.what} needs {which} {either}")
        return None

    def schema(self) -> Json:
        """Return the shape as JSON Schema."""
        either = []
        for word, record in self.records.items():
            rules = record.schema()
            if self.by is not None:
                rules["properties"][self.by] = {"const": word}
            rules["required"] = sorted({self.by or word, *rules.get("required", ())})
            either.append(rules)
        return {"oneOf": either}

    def renamed(self, value: Any, new: New) -> Any:
        """Return the value with new names, by the chosen record."""
        word = value[self.by] if self.by else next(key for key in self.records if key in value)
        return self.records[word].renamed(value, new)
