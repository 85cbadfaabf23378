"""YAML parsed to JSON values with the place of each; all task files are read with it.

    document = parse("task: pizza\\nslots:\\n  size: {type: category}\\n", "pizza.yaml")
    document.value                                 # {"task": "pizza", "slots": {"size": {...}}}
    document.place(("slots", "size"))              # Place(line=3, column=3)

Unquoted words are text, `no` and `17:00` included; only `true` and `false` are booleans. Features
of YAML that are dangerous or surprising (anchors, aliases, tags, merge keys, repeated keys, several
documents) are refused with their place, before any value is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dialoom.errors import MissingDataError, SchemaError, clip

if TYPE_CHECKING:
    import yaml

MOST_BYTES, MOST_VALUES, DEEPEST = 1_000_000, 20_000, 20
"""Largest task file in bytes (bundled tasks need a tenth), most values, and deepest nesting."""

Pointer = tuple[str | int, ...]
"""Type of a pointer: the keys and indices that lead to a value."""

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?(?:[eE][+-]?[0-9]{1,2})?")
_CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}
_MERGE = "<<"
# PyYAML 6.0.4 and later stop by themselves at 1,000 levels, before the event of the 21st.
_TOO_DEEP = f"nested more than {DEEPEST} deep"


class Place(NamedTuple):
    """A line and column of a file, counted from 1."""

    line: int
    column: int


class Document(NamedTuple):
    """The value of a YAML file, and the place of every key and element in it.

    `bare` are unquoted elements of lists in brackets, which a comma would split.
    """

    path: str
    value: Any
    places: dict[Pointer, Place]
    bare: frozenset[Pointer] = frozenset()

    def place(self, pointer: Pointer) -> Place:
        """Return the place of a value, or of the nearest value that contains it."""
        while pointer and pointer not in self.places:
            pointer = pointer[:-1]
        return self.places.get(pointer, Place(1, 1))


def read_document(path: Path) -> Document:
    """Read a YAML file; `SchemaError` if it is too large or not plain YAML in UTF-8."""
    return parse(read_text(path), str(path))


def read_text(path: Path, kind: str = "a YAML file", most: int = MOST_BYTES) -> str:
    """Read a text file of at most `most` bytes; `MissingDataError`, or `SchemaError` if unfit."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError as error:
        raise MissingDataError(f"{path}: no such file") from error
    except IsADirectoryError as error:
        raise MissingDataError(
            f"{path}: a folder; right would be {kind}", code="not-a-file"
        ) from error
    except (OSError, ValueError) as error:
        raise MissingDataError(f"{path}: cannot be read: {error}", code="unreadable") from error
    if len(data) > most:
        raise SchemaError(
            path, f"larger than {most:,} bytes, the most that {kind} may have", code="too-large"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = "not UTF-8; save the file as UTF-8"
        raise SchemaError(path, what, line=line, code="not-utf-8") from error


def parse(text: str, name: str) -> Document:
    """Read YAML text of a file called `name`; `SchemaError` if it is too large or not plain."""
    if len(text) > MOST_BYTES:
        raise SchemaError(name, f"larger than {MOST_BYTES:,} characters", code="too-large")
    builder = _Builder(name)
    with _marked(name, text):
        for event in _events(text):
            builder.take(event)
    if not builder.documents:
        raise SchemaError(name, "empty file; right would be names with values", code="empty")
    return Document(name, builder.root, builder.places, frozenset(builder.bare))


def _events(text: str) -> Iterator[yaml.Event]:
    import yaml  # deferred: only reading a task file needs it

    events: Iterator[yaml.Event] = yaml.parse(text, Loader=getattr(yaml, "CLoader", yaml.Loader))
    return events


@contextmanager
def _marked(name: str, text: str) -> Iterator[None]:
    import yaml
    from yaml.reader import Reader

    try:
        yield
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        problem = str(error.problem or error.context)
        deep = "nesting depth" in problem
        what, code = (_TOO_DEEP, "too-deep") if deep else (f"not YAML: {problem}", "bad-yaml")
        raise SchemaError(name, what, line=line, column=column, code=code) from error
    except yaml.YAMLError as error:
        match = Reader.NON_PRINTABLE.search(text)
        if match is None:
            raise SchemaError(name, f"not YAML: {error}", code="bad-yaml") from error
        line = text.count("\n", 0, match.start()) + 1
        column = match.start() - text.rfind("\n", 0, match.start())
        sign = f"U+{ord(match[0]):04X}"
        what = f"a character that is not printed ({sign}); remove it"
        raise SchemaError(name, what, line=line, column=column, code="bad-yaml") from error


class _Level:
    def __init__(self, holds: dict[str, Any] | list[Any], pointer: Pointer, brackets: bool) -> None:
        self.holds, self.pointer, self.brackets = holds, pointer, brackets
        self.key: str | None = None


class _Builder:
    """Builds values from the parser's events one by one; refuses the first that is not allowed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root: Any = None
        self.places: dict[Pointer, Place] = {}
        self.bare: set[Pointer] = set()
        self.documents = 0
        self._levels: list[_Level] = []

    def take(self, event: Any) -> None:
        kind = type(event).__name__
        if kind == "DocumentStartEvent":
            self.documents += 1
            if self.documents > 1:
                raise self._refuse(event, "a second document; a file holds one task")
        elif kind == "AliasEvent":
            raise self._refuse(event, "an alias (*); write the value out")
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._levels.pop()
        elif kind in ("ScalarEvent", "MappingStartEvent", "SequenceStartEvent"):
            self._check(event)
            self._value(event, kind)

    def _check(self, event: Any) -> None:
        if event.anchor is not None:
            raise self._refuse(event, "an anchor (&); write the value out where it is needed")
        if event.tag is not None:
            raise self._refuse(event, f"a tag ({clip(event.tag, 40)}); write the plain value")
        if len(self.places) > MOST_VALUES:
            raise self._refuse(event, f"more than {MOST_VALUES:,} values", "too-large")

    def _value(self, event: Any, kind: str) -> None:
        level = self._levels[-1] if self._levels else None
        if level is not None and isinstance(level.holds, dict) and level.key is None:
            self._name_key(event, kind, level)
            return
        pointer = self._pointer(level)
        if kind != "ScalarEvent" and len(self._levels) >= DEEPEST:
            raise self._refuse(event, _TOO_DEEP, "too-deep")
        if kind == "ScalarEvent":
            self._put(level, self._scalar(event))
            if level is not None and level.brackets and event.implicit[0]:
                self.bare.add(pointer)
        else:
            holds: dict[str, Any] | list[Any] = {} if kind == "MappingStartEvent" else []
            self._put(level, holds)
            brackets = kind == "SequenceStartEvent" and bool(event.flow_style)
            self._levels.append(_Level(holds, pointer, brackets))
        self.places.setdefault(pointer, _place(event))

    def _name_key(self, event: Any, kind: str, level: _Level) -> None:
        if kind != "ScalarEvent":
            raise self._refuse(event, "a key that is a list or mapping; keys are words")
        key = event.value
        if key == _MERGE and event.implicit[0]:
            raise self._refuse(event, "a merge key (<<); write the values out")
        if key in level.holds:
            first = self.places[(*level.pointer, key)].line
            what = f"the key {clip(key, 60)!r} again; first on line {first}"
            raise self._refuse(event, what, "twice")
        level.key = key
        self.places[(*level.pointer, key)] = _place(event)

    def _pointer(self, level: _Level | None) -> Pointer:
        if level is None:
            return ()
        if isinstance(level.holds, dict):
            return (*level.pointer, level.key or "")
        return (*level.pointer, len(level.holds))

    def _put(self, level: _Level | None, value: Any) -> None:
        if level is None:
            self.root = value
        elif isinstance(level.holds, dict):
            level.holds[level.key or ""] = value
            level.key = None
        else:
            level.holds.append(value)

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if not event.implicit[0]:  # quoted, or a block of text
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _WHOLE.fullmatch(text):
            return int(text)
        return float(text) if _DECIMAL.fullmatch(text) else text

    def _refuse(self, event: Any, what: str, code: str = "bad-yaml") -> SchemaError:
        line, column = _place(event)
        return SchemaError(self.name, what, line=line, column=column, code=code)


def _place(event: Any) -> Place:
    return Place(event.start_mark.line + 1, event.start_mark.column + 1)
