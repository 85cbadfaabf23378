"""Realises lines: draws one of a line's templates and fills it with values.

realiser = Realiser(templates({"ask.city": ["which city", "where to"]}), rng)
realiser.line("ask.city").text
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dialoom.dialogue import Span
from dialoom.schema.template import Place, Rendered, Template, parse
from dialoom.sim.core.rng import SeededRng

Templates = Mapping[str, tuple[Template, ...]]
"""Id of a line to its templates."""

_NOTHING: Mapping[str, Any] = {}


def templates(lines: Mapping[str, str | Sequence[str]]) -> dict[str, tuple[Template, ...]]:
    """Parse the texts of lines; a line has one text or several."""
    return {
        name: tuple(map(parse, (said,) if isinstance(said, str) else said))
        for name, said in lines.items()
    }


class Realiser:
    """Realises lines by templates drawn at random."""

    def __init__(self, lines: Templates, rng: SeededRng) -> None:
        self.lines, self.rng = lines, rng

    def line(self, name: str, values: Mapping[str, Any] = _NOTHING) -> Rendered:
        """Return one of the texts of a line with its values and their offsets."""
        return self.rng.choice(self.lines[name]).render(values)


def spans(places: Iterable[Place], at: int = 0, besides: Iterable[str] = ()) -> tuple[Span, ...]:
    """Return the places of values as spans labelled by their slots.

    `at` is the offset of the text in the utterance; placeholders in `besides` get no span.
    """
    return tuple(
        Span(at + place.start, at + place.end, (place.slot,))
        for place in places
        if place.slot not in besides
    )
