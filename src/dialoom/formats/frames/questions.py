"""Open questions in frames: asked about them, and not answered yet.

    {"author": "user", "key": "price"}                          a request
    {"value": true, "author": "user", "key": "breakfast"}       a yes-no question
    {"keys": ["str_date"], "author": "user"}                    a comparison

A request or comparison may also be a slot's name alone, as the corpus's page suggests.
"""

from __future__ import annotations

from typing import Any

from dialoom.dialogue import SYSTEM, USER, FrameQuestion
from dialoom.formats.base.codec import Key, Record, marked, marks
from dialoom.formats.base.values import ANY, TEXT, TEXTS, Converted, Many

AUTHORS = {"user": USER, "wizard": SYSTEM}
_NAMES = {agent: author for author, agent in AUTHORS.items()}

AUTHOR = Converted(TEXT, lambda name: AUTHORS.get(name, name), lambda a: _NAMES.get(a, a))
"""The codec of a question's author."""

_BY = Key("author", AUTHOR, to="agent", optional=True)
_ONE = Key(
    "key",
    Converted(TEXT, lambda name: (name,), lambda slots: slots[0] if slots else ""),
    to="slots",
    nothing=(),
)

REQUEST = Record("request", FrameQuestion, _BY, _ONE)
YES_NO = Record("yes-no question", FrameQuestion, Key("value", ANY), _BY, _ONE)
COMPARISON = Record("comparison", FrameQuestion, Key("keys", TEXTS, to="slots", nothing=()), _BY)


class _NameOr:
    """A codec for a question that may be the name of a slot alone."""

    def __init__(self, record: Record[FrameQuestion]) -> None:
        self.record = record

    def read(self, raw: Any) -> FrameQuestion:
        if type(raw) is str:
            return FrameQuestion((raw,), extra=marked({}, name_alone=True))
        return self.record.read(raw)

    def write(self, value: FrameQuestion) -> Any:
        alone = marks(value.extra).get("name_alone")
        return value.slots[0] if alone and value.slots else self.record.write(value)


REQUESTS, YES_NOS = Many(_NameOr(REQUEST)), Many(YES_NO)
COMPARISONS = Many(_NameOr(COMPARISON))
