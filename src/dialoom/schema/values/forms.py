"""Surface forms of values, with the spans and arguments that annotate them, cached.

    words = ValueForms(slots, "en")
    words.forms("time", "17:30")     # those of "17:30" and "5:30 pm"
    words.forms("day", "Monday")     # those of "Monday" and "mon"

A dialogue draws one form of a value and keeps to it. Number words, months and the like come from
the language's file in `lang/`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dialoom.dialogue import Argument, Span
from dialoom.dialogue.annotation import Value
from dialoom.schema.call import Column
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import Kept
from dialoom.schema.slot import Slot
from dialoom.schema.values import plain, render

MANY = 6
"""Least forms of a value (of times) of which two are usual."""

KEPT = 200_000
"""Most values whose forms are kept in memory; the bundled tasks have far fewer."""


@dataclass(slots=True, eq=False)
class SurfaceForm:
    """A value and one text for it.

    `argument` is that of an act, `state` the values in a dialogue state (canonical ones first, then
    texts that differ), `values` those of a constraint, `spans` the places in `text`, one for each
    element of a list. `plain` is the plainest form, None if it is this one.
    """

    slot: str
    canonical: Any
    text: str
    spans: tuple[Span, ...]
    argument: Argument
    state: tuple[Value, ...]
    values: tuple[Value, ...]
    plain: SurfaceForm | None = None

    def at(self, place: int) -> Sequence[Span]:
        """Return its spans in a text in which it begins at offset `place`."""
        spans = self.spans
        if len(spans) == 1:
            return (Span(place, place + spans[0].end, spans[0].labels),)
        return [Span(place + s.start, place + s.end, s.labels) for s in spans]


class ValueForms:
    """The surface forms of a task's slots, inputs and outputs."""

    def __init__(self, slots: Mapping[str, Slot], language: str) -> None:
        self._slots = slots
        self._language = language
        self._forms: dict[tuple[str, Any], tuple[SurfaceForm, ...]] = {}
        self._shown: dict[tuple[str, Any], SurfaceForm] = {}
        self._usual = Kept(self._most_used)

    def forms(self, slot: str, canonical: Any) -> tuple[SurfaceForm, ...]:
        """Return the forms of a slot's value, the plainest first."""
        key = (slot, tuple(canonical) if isinstance(canonical, list) else canonical)
        variants = self._forms.get(key)
        if variants is None:
            if len(self._forms) > KEPT:
                self._forms.clear()
            ways = self._texts(self._slots[slot], canonical)
            last = lexicon(self._language).last
            variants = tuple(surface_form(slot, canonical, way, last) for way in ways)
            for other in variants[1:]:
                other.plain = variants[0]
            self._forms[key] = variants  # complete, for other threads
        return variants

    def usual(self, slot: str, canonical: Any) -> tuple[SurfaceForm, ...]:
        """Return the forms that people use most, some of them twice; the plainest if none is known.

        STAR's users name a day without its month in three of four dates (counted on half).
        """
        return self._usual[self.forms(slot, canonical)]

    def _most_used(self, forms: tuple[SurfaceForm, ...]) -> tuple[SurfaceForm, ...]:
        slot = forms[0].slot
        kind = self._slots[slot].type
        if kind == "date":
            count = len(lexicon(self._language).dates)
            return forms[:2] + forms[count : count + 1] + 3 * forms[count + 1 : count + 2]
        if kind == "amount":
            signed = tuple(form for form in forms if not form.text[:1].isalnum())
            return signed or forms[:1]
        return (*forms[: 2 if len(forms) >= MANY else 1], *self._titled(slot, kind, forms[0]))

    def _titled(self, slot: str, kind: str, form: SurfaceForm) -> Iterator[SurfaceForm]:
        """Yield a category with capitals ("the South"), as half of STAR's users write places."""
        article, _, rest = form.text.partition(" ")
        if kind == "category" and article in lexicon(self._language).articles and rest.islower():
            titled = surface_form(slot, form.canonical, (f"{article} {rest.title()}",))
            titled.plain = form
            yield titled

    def short(self, surface: SurfaceForm) -> SurfaceForm:
        """Return the shortest form with no other words: "the Lantern" for "Lantern House"."""
        words = {*surface.text.lower().split(), *lexicon(self._language).articles}
        forms = self.forms(surface.slot, surface.canonical)
        within = [form for form in forms if words.issuperset(form.text.lower().split())]
        return min((*within, surface), key=lambda form: len(form.text))

    def show(self, column: Column, value: Any) -> SurfaceForm:
        """Return the plainest form of an input's or output's value, as the system says it."""
        key = (column.name, tuple(value) if isinstance(value, list) else value)
        form = self._shown.get(key)
        if form is None:
            if len(self._shown) > KEPT:
                self._shown.clear()
            slot = self._slots.get(column.slot) if column.slot else None
            parts = tuple(plain(part, self._language, slot) for part in _elements(value))
            last = lexicon(self._language).last
            form = self._shown[key] = surface_form(column.name, value, parts, last)
        return form

    def _texts(self, slot: Slot, value: Any) -> tuple[tuple[str, ...], ...]:
        ways = [render(slot, element, self._language) for element in _elements(value)]
        many = max((len(way) for way in ways), default=1)
        return tuple(tuple(way[n % len(way)] for way in ways) for n in range(many))


def _elements(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


_BETWEEN = ", "


def surface_form(
    slot: str, canonical: Any, texts: tuple[str, ...], last: str = _BETWEEN
) -> SurfaceForm:
    """Return a value with one text for it; `last` is before the last element of several."""
    spans, whole = list[Span](), ""
    for place, text in enumerate(texts, start=1):
        if whole:
            whole += last if place == len(texts) else _BETWEEN
        spans.append(Span(len(whole), len(whole) + len(text), (slot,)))
        whole += text
    values = tuple(_elements(canonical))
    same = tuple(texts) == values
    return SurfaceForm(
        slot=slot,
        canonical=canonical,
        text=whole,
        spans=tuple(spans),
        argument=Argument(slot, tuple(texts), None if same else values),
        state=values if same else tuple(dict.fromkeys((*values, *texts))),
        values=values,
    )
