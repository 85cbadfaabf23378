"""Rules about annotation: acts, spans and states, whatever the tasks say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dialoom.dialogue import GOLD, SYSTEM, Act, Event, Query, Result, Span, Utterance
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.corpus_context import Needs
from dialoom.quality.lint.rule import CodeFound, Found, check
from dialoom.quality.lint.shapes import noted, number_of_act
from dialoom.schema.findings import hint


@check("E601", "E602", "W602", needs=Needs.SPANS)
def _check_spans(context: LintContext) -> Iterator[CodeFound]:
    for place in context.parts:
        if not place.part.spans:
            continue
        text, acts = place.utterance.text, place.part.acts or ()
        for number, span in enumerate(place.part.spans):
            fault = _wrong_span(span, text, acts)
            if fault is not None:
                yield fault[0], f"{place.pointer}/spans/{number}", fault[1]


def _wrong_span(span: Span, text: str, acts: tuple[Act, ...]) -> tuple[str, str] | None:
    start, end = span.start, span.end
    piece = text[start:end]
    within = 0 <= start < end <= len(text)
    wanted = () if within and _said(piece, span, acts) else _wanted(span, acts)
    if within and (not wanted or piece in wanted):
        if not _ragged(text, start, end):
            return None
        return "W602", f"{piece!r} in {text[max(start - 12, 0) : end + 12]!r}"
    if noted(span.extra, "start", "exclusive_end"):
        return None
    if within:
        return "E602", f"it is {piece!r} and should be {' or '.join(map(repr, wanted[:3]))}"
    return "E601", f"characters {start} to {end} of a text of {len(text)}"


def _said(piece: str, span: Span, acts: tuple[Act, ...]) -> bool:
    """Tell whether an act about a slot of a span has just these words: quick, as nearly all do."""
    if span.text is None:
        for act in acts:
            for argument in act.arguments:
                if piece in argument.values and argument.slot in span.labels:
                    return True
    return False


def _wanted(span: Span, acts: tuple[Act, ...]) -> Sequence[str]:
    """Return what the annotation says was said: in the span, or in acts about its slots."""
    if span.text is not None:
        return (span.text,)
    labels = span.labels
    return [str(v) for act in acts for a in act.arguments if a.slot in labels for v in a.values]


def _ragged(text: str, start: int, end: int) -> bool:
    """Tell whether a word goes on beyond a piece of text, or what is no word stands at its edge."""
    if text[start - 1 : start].isalnum() and text[start].isalnum():
        return True
    if text[end : end + 1].isalnum() and text[end - 1].isalnum():
        return True
    last = text[min(end, len(text)) - 1]
    return text[start].isspace() or last.isspace() or last in ",;"


@check("E604", "E605", "E606", needs=Needs.ACTS)
def _check_acts(context: LintContext) -> Iterator[CodeFound]:
    known = context.corpus.traits.acts
    for place in context.parts:
        for number, act in enumerate(place.part.acts or ()):
            if known and act.name not in known and place.source == GOLD:
                name = number_of_act(act.extra) or act.name
                if not name and noted(act.extra, "act"):
                    continue
                what = f"the format has no {name!r}: {hint(name, known)}"
                yield "E606", f"{place.pointer}/acts/{number}", what
            for index, argument in enumerate(act.arguments):
                if argument.values and not argument.slot:
                    pointer = place.argument(number, index)
                    yield "E604", pointer, f"{act.name} has {argument.values[0]!r} of no slot"
                canonical = argument.canonical
                if canonical is not None and len(canonical) != len(argument.values):
                    if noted(act.extra, "values") or noted(argument.extra, "values"):
                        continue
                    pointer = f"{place.argument(number, index)}/canonical"
                    what = f"{len(canonical)} canonical values for {len(argument.values)} said"
                    yield "E605", pointer, what


@check("E607", needs=Needs.STATES)
def _misplaced_state(context: LintContext) -> Iterator[Found]:
    for place in context.parts:
        if place.part.state is not None and place.utterance.agent == SYSTEM:
            yield f"{place.pointer}/state", "a state stands at an utterance of the system"


@check("E603", needs=Needs.STATES)
def _unsupported_value(context: LintContext) -> Iterator[Found]:
    heard = _Heard(context.dialogue.events)
    before: dict[str | None, dict[str, tuple[Any, ...]]] = {}
    for place in context.gold():
        state = place.part.state
        if state is None:
            continue
        old, new = before.get(place.part.service, {}), state.values
        if new != old:
            for slot, values in new.items():
                if values and values != old.get(slot) and not heard.any(values, place.event):
                    yield f"{place.pointer}/state/values/{slot}", f"nobody spoke of {values[0]!r}"
        before[place.part.service] = new


RECENT = 6
"""Events in which a value is looked for before all that was heard is put in order."""


class _Heard:
    """Everything said, annotated, asked and answered so far; worked out as far as it is needed."""

    def __init__(self, events: tuple[Event, ...]) -> None:
        self._events = events
        self._next = 0
        self._texts: list[str] = []
        self._values: set[str] = set()

    def any(self, values: tuple[Any, ...], event: int) -> bool:
        """Tell whether one of some values was heard up to an event."""
        first = values[0]
        if type(first) is str:  # quick: most values stand in one of the latest utterances
            for said in self._events[event : max(event - RECENT, 0) : -1]:
                if type(said) is Utterance and first in said.text:
                    return True
        while self._next <= event:
            self._add(self._events[self._next])
            self._next += 1
        return any(map(self._has, values))

    def _add(self, event: Event) -> None:
        if isinstance(event, Utterance):
            self._texts.append(event.text.casefold())
            for layer in event.layers:
                for part in layer.parts:
                    for act in part.acts or ():
                        self._add_act(act)
        elif isinstance(event, Query):
            for constraint in event.constraints:
                self._note(constraint.values)
        elif isinstance(event, Result):
            for item in event.items:
                self._note(item.values())

    def _add_act(self, act: Act) -> None:
        for argument in act.arguments:
            if argument.values:
                self._note(argument.values)
            if argument.canonical:
                self._note(argument.canonical)

    def _note(self, values: Iterable[Any]) -> None:
        for value in values:
            if type(value) is str:
                self._values.add(value.casefold())
            elif isinstance(value, list):
                self._note(value)
            elif not isinstance(value, dict):
                self._values.add(str(value).casefold())

    def _has(self, value: Any) -> bool:
        said = str(value).casefold()
        return said in self._values or any(said in text for text in reversed(self._texts))
