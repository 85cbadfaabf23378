"""Values with the ways they are said, and the annotation that each of them takes, made once.

    words = ValueForms(slots, "en")
    words.forms("time", "17:30")     # those of "17:30" and "5:30 pm"
    words.forms("day", "Monday")     # those of "Monday" and "mon"

A dialogue picks one form of a value and keeps to it. What people add to values (number words,
months, halves of the day) is the language's, from `lang/`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from dialoom.dialogue import Argument
from dialoom.dialogue.annotation import Value
from dialoom.schema.call import Column
from dialoom.schema.slot import Slot
from dialoom.schema.values import plain, render

KEPT = 200_000
"""Values remembered at most; more come only from tables far beyond the pack's."""


@dataclass(slots=True, eq=False)
class SurfaceForm:
    """A value and one way to say it.

    Attributes:
        slot: The slot, or the input or output of a call.
        canonical: The value as the knowledge base has it.
        text: What is said.
        pieces: Where in the text its parts stand: one, or one an element of a list.
        argument: The argument of an act that gives it.
        state: How a dialogue state holds it: canonical first, then as it was said.
        values: The values of a constraint on it.
        plain: The plainest way to say the value; None where it is this one.
    """

    slot: str
    canonical: Any
    text: str
    pieces: tuple[tuple[int, int], ...]
    argument: Argument
    state: tuple[Value, ...]
    values: tuple[Value, ...]
    plain: SurfaceForm | None = None


class _Forms(Sequence[SurfaceForm]):
    """The ways to say one value; each is made when it is first said."""

    __slots__ = ("_canonical", "_made", "_slot", "_texts")

    def __init__(self, slot: str, canonical: Any, texts: tuple[tuple[str, ...], ...]) -> None:
        self._slot, self._canonical, self._texts = slot, canonical, texts
        self._made: dict[int, SurfaceForm] = {}

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, place: int) -> SurfaceForm: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[SurfaceForm]: ...
    def __getitem__(self, place: int | slice) -> SurfaceForm | Sequence[SurfaceForm]:
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        found = self._made.get(place)
        if found is None:
            made = _said(self._slot, self._canonical, self._texts[place])
            found = self._made[place] = made
            if place:
                found.plain = self[0]
        return found


class ValueForms:
    """How the values of a task's slots, inputs and outputs are said."""

    def __init__(self, slots: Mapping[str, Slot], language: str) -> None:
        self._slots = slots
        self._language = language
        self._forms: dict[tuple[str, Any], Sequence[SurfaceForm]] = {}
        self._shown: dict[tuple[str, Any], SurfaceForm] = {}

    def forms(self, slot: str, canonical: Any) -> Sequence[SurfaceForm]:
        """Return the ways to say a slot's value; the plainest comes first."""
        key = (slot, tuple(canonical) if isinstance(canonical, list) else canonical)
        found = self._forms.get(key)
        if found is None:
            if len(self._forms) > KEPT:
                self._forms.clear()
            texts = self._texts(self._slots[slot], canonical)
            found = self._forms[key] = _Forms(slot, canonical, texts)
        return found

    def show(self, column: Column, value: Any) -> SurfaceForm:
        """Return an input or output of a call as the system reads it out."""
        key = (column.name, tuple(value) if isinstance(value, list) else value)
        found = self._shown.get(key)
        if found is None:
            if len(self._shown) > KEPT:
                self._shown.clear()
            slot = self._slots.get(column.slot) if column.slot else None
            if slot is not None and value is not None:
                parts = self._texts(slot, value)[0]
            else:
                parts = tuple(plain(part, self._language) for part in _elements(value))
            found = self._shown[key] = _said(column.name, value, parts)
        return found

    def _texts(self, slot: Slot, value: Any) -> tuple[tuple[str, ...], ...]:
        """Return the texts of a value's elements, for each way to say it."""
        ways = [render(slot, element, self._language) for element in _elements(value)]
        many = max((len(way) for way in ways), default=1)
        return tuple(tuple(way[n % len(way)] for way in ways) for n in range(many))


def _elements(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _said(name: str, canonical: Any, texts: tuple[str, ...]) -> SurfaceForm:
    pieces, at = [], 0
    for text in texts:
        pieces.append((at, at + len(text)))
        at += len(text) + len(_BETWEEN)
    values = tuple(_elements(canonical))
    same = tuple(texts) == values
    return SurfaceForm(
        slot=name,
        canonical=canonical,
        text=_BETWEEN.join(texts),
        pieces=tuple(pieces),
        argument=Argument(name, tuple(texts), None if same else values),
        state=values if same else tuple(dict.fromkeys((*values, *texts))),
        values=values,
    )


_BETWEEN = ", "
"""What stands between the elements of a list."""
