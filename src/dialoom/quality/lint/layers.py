"""Rules about utterances, their spans and their states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dialoom.dialogue import GOLD, Event, Part, Query, Result, Span, Utterance
from dialoom.quality.lint.case import Case
from dialoom.quality.lint.rule import Found, Rule


def empty(case: Case) -> Iterator[Found]:
    """Find utterances without a visible character."""
    for index, utterance in case.utterances:
        if not utterance.text.strip():
            yield f"/events/{index}/text", f"the {utterance.agent} says nothing"


def outside(case: Case) -> Iterator[Found]:
    """Find spans that do not lie within their text, or hold nothing of it."""
    for place in case.places:
        length = len(place.utterance.text)
        for number, span in enumerate(place.part.spans or ()):
            if not 0 <= span.start < span.end <= length:
                what = f"characters {span.start} to {span.end} of a text of {length}"
                yield f"{place.pointer}/spans/{number}", what


def differs(case: Case) -> Iterator[Found]:
    """Find spans that are not the text, or the value of an act, that they stand for."""
    for place in case.places:
        if not place.part.spans:
            continue
        said = _said(place.part)
        for number, span in enumerate(place.part.spans):
            piece = place.utterance.text[max(span.start, 0) : max(span.end, 0)]
            wanted = _wanted(span, said)
            if piece and wanted and piece not in wanted:
                shown = " or ".join(map(repr, wanted[:3]))
                yield f"{place.pointer}/spans/{number}", f"it is {piece!r} and should be {shown}"


def _said(part: Part) -> dict[str, list[str]]:
    """Slot to what the acts say was said for it."""
    found: dict[str, list[str]] = {}
    for act in part.acts or ():
        for argument in act.arguments:
            found.setdefault(argument.slot, []).extend(map(str, argument.values))
    return found


def _wanted(span: Span, said: dict[str, list[str]]) -> list[str]:
    if span.text is not None:
        return [span.text]
    return [text for name in span.labels for text in said.get(name, ())]


def invented(case: Case) -> Iterator[Found]:
    """Find values of states that nothing before them speaks of."""
    if not any(place.part.state is not None for place in case.gold()):
        return
    heard = _Heard()
    before: dict[str | None, dict[str, tuple[Any, ...]]] = {}
    for index, event in enumerate(case.dialogue.events):
        heard.add(event)
        if not isinstance(event, Utterance):
            continue
        for pointer, part in _gold(index, event):
            if part.state is None:
                continue
            old, new = before.get(part.service, {}), part.state.values
            for slot, values in new.items():
                if values and values != old.get(slot) and not any(map(heard.has, values)):
                    yield f"{pointer}/state/values/{slot}", f"nobody spoke of {values[0]!r}"
            before[part.service] = new


def _gold(index: int, event: Utterance) -> Iterator[tuple[str, Part]]:
    for number, layer in enumerate(event.layers):
        if layer.source == GOLD:
            for place, part in enumerate(layer.parts):
                yield f"/events/{index}/layers/{number}/parts/{place}", part


class _Heard:
    """Everything said, annotated, asked and answered so far."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._values: set[str] = set()

    def add(self, event: Event) -> None:
        if isinstance(event, Utterance):
            self._texts.append(event.text.casefold())
            for layer in event.layers:
                for part in layer.parts:
                    self._add_acts(part)
        elif isinstance(event, Query):
            for constraint in event.constraints:
                self._note(constraint.values)
        elif isinstance(event, Result):
            for item in event.items:
                self._note(item.values())

    def _add_acts(self, part: Part) -> None:
        for act in part.acts or ():
            for argument in act.arguments:
                self._note(argument.values)
                self._note(argument.canonical or ())

    def _note(self, values: Iterable[Any]) -> None:
        for value in values:
            if isinstance(value, list):
                self._note(value)
            elif not isinstance(value, dict):
                self._values.add(str(value).casefold())

    def has(self, value: Any) -> bool:
        said = str(value).casefold()
        return said in self._values or any(said in text for text in reversed(self._texts))


RULES = (
    Rule("E601", "span outside its utterance", "a span is a piece of the text", outside),
    Rule(
        "E602",
        "span that differs from what it stands for",
        "a span is the very text that was annotated",
        differs,
    ),
    Rule(
        "E603",
        "state with a value that nobody gave",
        "a value comes from an utterance, a span, a query, a result or an earlier state",
        invented,
    ),
    Rule("W601", "empty utterance", "whoever speaks says something", empty),
)
"""The rules of this module."""
