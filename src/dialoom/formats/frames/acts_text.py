r"""Acts of Frames as text: `inform(dst_city = Oslo, ref = [1{or_city = Rome}])`.

    acts = parse(r"inform(dst_city = Oslo, str_date = May 3\, 2016); goodbye")
    render(acts)

The notation is that of the corpus's page. A backslash escapes the characters `, = ( ) [ ] { } ; \`
and blanks at either end of a name or value; `\n` is a new line. Values are texts: numbers are
written as in JSON, and parsed as text. An argument without a value is its name alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from dialoom.dialogue import Act, Argument, Reference
from dialoom.dialogue.annotation import Value
from dialoom.errors import UsageError

MAX_DEPTH = 20
"""Deepest nesting of references in references that is parsed."""

_SPECIAL = re.compile(r"[,=()\[\]{};\\\n]|\A\s|\s\Z")
_PIECE = re.compile(r"\\.|[^,=()\[\]{};\\]", re.DOTALL)
_FRAME = re.compile(r"-?[0-9]{1,18}")

_T = TypeVar("_T")


def render(acts: Iterable[Act]) -> str:
    """Return acts as text, joined by `; `."""
    return "; ".join(map(render_act, acts))


def render_act(act: Act) -> str:
    """Return one act as text."""
    inner = ", ".join(text for argument in act.arguments for text in _arguments(argument))
    return f"{_escape(act.name)}({inner})" if act.arguments else _escape(act.name)


def _arguments(argument: Argument) -> list[str]:
    slot = _escape(argument.slot)
    texts = [f"{slot} = {_value(value)}" for value in argument.values]
    if argument.references:
        texts.append(f"{slot} = [{', '.join(map(_reference, argument.references))}]")
    return texts or [slot]


def _reference(reference: Reference) -> str:
    if reference.arguments is None:
        return str(reference.frame)
    inner = ", ".join(text for each in reference.arguments for text in _arguments(each))
    return f"{reference.frame}{{{inner}}}"


def _value(value: Value) -> str:
    return _escape(value if isinstance(value, str) else msgspec.json.encode(value).decode())


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: "\\n" if match[0] == "\n" else "\\" + match[0], text)


def parse(text: str) -> tuple[Act, ...]:
    """Parse acts; the `UsageError` for another text has the place of the error."""
    return tuple(_Reader(text).acts())


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def acts(self) -> list[Act]:
        if not self._text.strip():
            return []
        found = [self._act()]
        while self._sees(";"):
            found.append(self._act())
        if self._at < len(self._text):
            raise self._error("expected ';' or the end")
        return found

    def _act(self) -> Act:
        name = self._name("an act")
        return Act(name, self._all(self._argument, "(", ")", 0))

    def _all(
        self, read: Callable[[int], _T], opening: str, closing: str, depth: int
    ) -> tuple[_T, ...]:
        """Parse a list between brackets; empty if there are none."""
        if not self._sees(opening) or self._sees(closing):
            return ()
        found = [read(depth)]
        while self._sees(","):
            found.append(read(depth))
        if not self._sees(closing):
            raise self._error(f"expected ',' or {closing!r}")
        return tuple(found)

    def _argument(self, depth: int) -> Argument:
        slot = self._name("a slot")
        if not self._sees("="):
            return Argument(slot)
        if self._next() == "[":
            return Argument(slot, references=self._all(self._reference, "[", "]", depth + 1))
        return Argument(slot, (self._word(),))

    def _reference(self, depth: int) -> Reference:
        number = self._word()
        if not _FRAME.fullmatch(number):
            raise self._error("expected the number of a frame")
        if depth > MAX_DEPTH:
            raise self._error(f"references are nested more than {MAX_DEPTH} deep")
        if self._next() != "{":
            return Reference(int(number))
        return Reference(int(number), self._all(self._argument, "{", "}", depth))

    def _name(self, what: str) -> str:
        word = self._word()
        if not word:
            raise self._error(f"expected the name of {what}")
        return word

    def _word(self) -> str:
        self._skip()
        pieces: list[str] = []
        while match := _PIECE.match(self._text, self._at):
            pieces.append(match[0])
            self._at = match.end()
        while pieces and pieces[-1].isspace():
            pieces.pop()
        return "".join(map(_plain, pieces))

    def _next(self) -> str:
        self._skip()
        return self._text[self._at : self._at + 1]

    def _sees(self, sign: str) -> bool:
        found = self._next() == sign
        self._at += found
        return found

    def _skip(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1

    def _error(self, what: str) -> UsageError:
        before = self._text[max(0, self._at - 30) : self._at]
        return UsageError(f"not an act: after {before!r}: {what}")


def _plain(piece: str) -> str:
    if piece == "\\n":
        return "\n"
    return piece[-1]
