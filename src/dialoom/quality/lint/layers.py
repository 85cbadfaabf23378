"""Rules about annotation: acts, spans and states, whatever the tasks say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Event, Query, Result, Span, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.quality.lint.allusions import IDEOGRAPHS, alluded, described, normal_form
from dialoom.quality.lint.context import LintContext, LocatedPart
from dialoom.quality.lint.rule import CodeFound, Found, check
from dialoom.quality.lint.shapes import noted, number_of_act, odd_offset
from dialoom.reading.statements import names
from dialoom.schema.findings import hint
from dialoom.schema.service import ANYTHING


@check("E601", "E602", "W602", needs="spans")
def _check_spans(context: LintContext) -> Iterator[CodeFound]:
    for place, number, span in context.spans:
        fault = _wrong_span(span, place.utterance.text, place.part.acts or ())
        if fault is not None:
            yield fault[0], f"{place.pointer}/spans/{number}", fault[1]


def _wrong_span(span: Span, text: str, acts: tuple[Act, ...]) -> tuple[str, str] | None:
    start, end = span.start, span.end
    if (odd := odd_offset(span.extra)) is not None:
        return "E601", f"its offset is {odd!r}, which is no number"
    piece = text[start:end]
    within = 0 <= start < end <= len(text)
    targets = () if within and _said(piece, span, acts) else _wanted(span, acts)
    copy = span.value
    if within and isinstance(copy, str) and copy in text and copy.casefold() != piece.casefold():
        targets = (copy,)
    if within and (not targets or piece in targets):
        if not _ragged(text, start, end):
            return None
        return "W602", f"{piece!r} in {text[max(start - 12, 0) : end + 12]!r}"
    if noted(span.extra, "start", "exclusive_end"):
        return None
    if within:
        return "E602", f"it is {piece!r} and should be {' or '.join(map(repr, targets[:3]))}"
    return "E601", f"characters {start} to {end} of a text of {len(text)}"


@check("W612", needs="spans")
def _span_within_another(context: LintContext) -> Iterator[Found]:
    for place in context.parts if context.corpus.traits.annotators == 1 else ():
        spans = place.part.spans or ()
        if len(spans) > 1 and _overlap(spans):
            for number, span in enumerate(spans):
                if any(_within(span, other) for other in spans):
                    text = place.utterance.text[span.start : span.end]
                    what = f"{text!r} is within another"
                    yield f"{place.pointer}/spans/{number}", what


def _overlap(spans: Sequence[Span]) -> bool:
    end = -1
    for start, last in sorted((span.start, span.end) for span in spans):
        if start < end:
            return True
        end = last
    return False


def _within(inner: Span, outer: Span) -> bool:
    longer = outer.end - outer.start > inner.end - inner.start
    return longer and outer.start <= inner.start and inner.end <= outer.end


@check("E609", needs="spans")
def _contradicted_state(context: LintContext) -> Iterator[Found]:
    """Find slots of a user's spans that the state has with other values and the user said once."""
    for place, state in context.states:
        spans, text = place.part.spans or (), place.utterance.text
        if not spans or place.utterance.agent != USER:
            continue
        for number, span in enumerate(spans):
            piece = text[span.start : span.end]
            for label in span.labels:
                values = state.values.get(label)
                if not values or piece in values or _category(place, label):
                    continue
                if sum(label in each.labels for each in spans) == 1:
                    for what in _otherwise(label, piece.casefold(), values, span):
                        yield f"{place.pointer}/spans/{number}", what


def _otherwise(label: str, piece: str, values: Sequence[Value], span: Span) -> Iterator[str]:
    """Yield how a span differs from the values of its slot, if it names none of them."""
    forms = [str(value).casefold() for value in values]
    if {piece, ANYTHING, str(span.value).casefold()}.isdisjoint(forms) and not (
        any(each in piece or piece in each for each in forms)
        or described(label, piece)
        or alluded(label, forms, [piece])
    ):
        yield f"{label} is {piece!r}, the state has {forms[0]!r}"


def _category(place: LocatedPart, slot: str) -> bool:
    """True if a slot is a category, which has no spans, or one that the service lacks."""
    return place.rules is not None and place.rules.values.get(slot, place.rules) is not None


def _said(piece: str, span: Span, acts: tuple[Act, ...]) -> bool:
    """True if an act about a span's slot has exactly its text, as nearly all do."""
    if span.text is None:
        for act in acts:
            for argument in act.arguments:
                if piece in argument.values and argument.slot in span.labels:
                    return True
    return False


def _wanted(span: Span, acts: tuple[Act, ...]) -> Sequence[str]:
    """Return the texts that a span should have, by the span itself and by acts about its slots."""
    if span.text is not None:
        return (span.text,)
    labels = span.labels
    return [str(v) for act in acts for a in act.arguments if a.slot in labels for v in a.values]


def _one_word(one: str, other: str) -> bool:
    """True if two characters are letters or digits of one word."""
    return one.isalnum() and other.isalnum() and max(one, other) < IDEOGRAPHS


def _ragged(text: str, start: int, end: int) -> bool:
    """True if a piece of text cuts a word, or has a blank at an edge or a comma at its end.

    Scripts without blanks between words, Chinese and Japanese, have no words that are seen so.
    """
    before, last, after = text[start - 1 : start], text[end - 1 : end], text[end : end + 1]
    if before.isalnum() and _one_word(before, text[start]):
        return True
    if after.isalnum() and _one_word(last, after):
        return True
    return text[start].isspace() or last.isspace() or last in ",;"


@check("E604", "E605", needs="arguments")
def _check_arguments(context: LintContext) -> Iterator[CodeFound]:
    for place, number, act, index, argument in context.arguments:
        values, canonical = argument.values, argument.canonical
        if values and not argument.slot:
            what = f"{act.name} has {values[0]!r} of no slot"
            yield "E604", place.argument(number, index), what
        if canonical is None or len(canonical) == len(values):
            continue
        if not noted(act.extra, "values") and not noted(argument.extra, "values"):
            pointer = f"{place.argument(number, index)}/canonical"
            yield "E605", pointer, f"{len(canonical)} canonical values for {len(values)} said"


@check("E606", needs="acts")
def _unknown_act(context: LintContext) -> Iterator[Found]:
    acts = context.corpus.traits.acts
    for place, number, act in context.acts if acts else ():
        if act.name not in acts and place.source == GOLD:
            name = number_of_act(act.extra) or act.name
            if name or not noted(act.extra, "act"):
                pointer = f"{place.pointer}/acts/{number}"
                yield pointer, f"the format has no {name!r}: {hint(name, acts)}"


@check("E607", needs="states")
def _misplaced_state(context: LintContext) -> Iterator[Found]:
    for place, _ in context.states:
        if place.utterance.agent == SYSTEM:
            yield f"{place.pointer}/state", "an utterance of the system has a state"


@check("E603", needs="states")
def _unsupported_value(context: LintContext) -> Iterator[Found]:
    history = _Heard(context.dialogue.events)
    for place, slot, values in context.changes:
        if values in ((), (None,)) or ANYTHING in values or history.any(values, place.event):
            continue
        if _read(context, place.event, slot, values):
            continue
        texts = [utterance.text for index, utterance in context.utterances if index <= place.event]
        form = normal_form(values, texts)
        if form:
            yield place.value(slot), f"{values[0]!r} is said in another normal form: {form}"
        elif not alluded(slot, values, texts):
            yield place.value(slot), f"nobody spoke of {values[0]!r}"


def _read(context: LintContext, event: int, slot: str, values: tuple[Value, ...]) -> bool:
    """True if an utterance up to an event names one of some values in other words."""
    texts = [utterance.text for index, utterance in context.utterances if index <= event]
    for task in (facts.task for facts in context.tasks if slot in facts.task.slots):
        schema = task.slots[slot]
        if any(names(text, schema, value, task.language) for text in texts for value in values):
            return True
    return False


class _Heard:
    """The casefolded texts and values of a dialogue, event by event."""

    def __init__(self, events: tuple[Event, ...]) -> None:
        self._events = events
        self._known: dict[int, tuple[str, frozenset[str]]] = {}

    def any(self, values: tuple[Value, ...], event: int) -> bool:
        """True if an event, or one before it, has one of some values."""
        first = values[0]
        if type(first) is str:  # quick: most values are in one of the latest utterances
            for turn in self._events[event::-1]:
                if type(turn) is Utterance and first in turn.text:
                    return True
        sought = {str(value).casefold() for value in values}
        return any(self._has(sought, index) for index in range(event, -1, -1))

    def _has(self, sought: set[str], index: int) -> bool:
        if index not in self._known:
            event = self._events[index]
            text = event.text.casefold() if isinstance(event, Utterance) else ""
            self._known[index] = text, frozenset(map(str.casefold, _texts(_values(event))))
        text, values = self._known[index]
        return not sought.isdisjoint(values) or any(value in text for value in sought)


def _values(event: Event) -> Iterator[Any]:
    """Yield the values that an event names in addition to its text."""
    if isinstance(event, Utterance):
        for layer in event.layers:
            for part in layer.parts:
                for act in part.acts or ():
                    for argument in act.arguments:
                        yield from argument.values
                        yield from argument.canonical or ()
    elif isinstance(event, Query):
        for constraint in event.constraints:
            yield from constraint.values
    elif isinstance(event, Result):
        for item in event.items:
            yield from item.values()


def _texts(values: Iterable[Any]) -> Iterator[str]:
    """Yield values as texts, with those within lists; objects have none."""
    for value in values:
        if isinstance(value, list):
            yield from _texts(value)
        elif not isinstance(value, dict):
            yield str(value)
