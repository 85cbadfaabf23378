"""Rules about annotation: acts, spans and states, whatever the tasks say.

A text may state a value in other words: a yes or no, a number, another spelling or form.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rapidfuzz.distance import OSA

from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Event, Query, Result, Span, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.quality.lint.context import LintContext, LocatedPart
from dialoom.quality.lint.rule import CodeFound, Found, check
from dialoom.quality.lint.shapes import noted, number_of_act, odd_offset
from dialoom.reading.statements import names
from dialoom.schema.findings import hint
from dialoom.schema.lexicon import lexicon, split_name
from dialoom.schema.service import ANYTHING
from dialoom.schema.values.numbers import spoken_forms
from dialoom.schema.values.text import whole_number

TRUTHS = frozenset({"yes", "no", "true", "false"})
"""The values of slots that are so or not (MultiWOZ, SGD): a mention of the slot gives its value."""

LONG = 5
"""Least letters of a word that may be spelled with one letter more, less, other or exchanged:
center and centre. Shorter words are too often other words."""

IDEOGRAPHS = "\u2e80"
"""The first character of Unicode's blocks of Chinese and Japanese, which have no blanks between
words: a blank in a value is between several values."""

SHORT = 3
"""Least letters of a word that is a part of a slot's name: day, area, price."""

_WORD = re.compile(r"\w+")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}")


def alluded(slot: str, values: Sequence[Value], texts: Sequence[str], language: str = "en") -> bool:
    """True if one of some texts speaks of one of a slot's values without its very words."""
    tokens = [_WORD.findall(text.casefold()) for text in texts]
    if any(str(value).casefold() in TRUTHS for value in values):
        name = set(split_name(slot.rpartition("-")[2]))
        if any(not name.isdisjoint(words) for words in tokens):
            return True
    texts_joined = list(map(_joined, texts))
    wholes = (whole for whole in map(_joined, values) if len(whole) >= LONG)
    if any(whole in text for whole in wholes for text in texts_joined):
        return True
    numbers = [n for value in values if (n := whole_number(str(value))) is not None]
    ways = [way for number in numbers for way in spoken_forms(number, lexicon(language))]
    ways += [_halfday(value) for value in values if _TIME.fullmatch(str(value))]
    sought = [_WORD.findall(str(value).casefold()) for value in (*values, *ways)]
    if any(_spelled(value, words) for value in sought for words in tokens if value):
        return True
    folded = [text.casefold() for text in texts]
    several = [value for value in sought if max(map(max, value), default="") >= IDEOGRAPHS]
    return any(all(word in text for word in value) for value in several for text in folded)


def _halfday(time: Value) -> str:
    """Return a time of the other half of the day, which is said alike."""
    hour, minute = str(time).split(":")
    return f"{(int(hour) + 12) % 24}:{minute}"


def _joined(value: Value) -> str:
    """Return the letters of a value without what is between its words."""
    return "".join(_WORD.findall(str(value).casefold()))


def _spelled(value: list[str], words: list[str]) -> bool:
    starts = range(len(words) - len(value) + 1)
    return any(all(map(_same, value, words[start : start + len(value)])) for start in starts)


def _same(one: str, other: str) -> bool:
    if one == other or (one.isdecimal() and other.isdecimal() and int(one) == int(other)):
        return True
    return min(len(one), len(other)) >= LONG and OSA.distance(one, other, score_cutoff=1) <= 1


def described(slot: str, text: str) -> bool:
    """True if a text speaks of a slot by its name, as "the same area" does, and no value."""
    name = "".join(split_name(slot.rpartition("-")[2])).casefold()
    words = [word for word in _WORD.findall(text.casefold()) if len(word) >= SHORT]
    return any(name.startswith(word) or name.endswith(word) for word in words)


def normal_form(values: Sequence[Value], texts: Sequence[str]) -> str:
    """Return which Unicode normal forms keep a value apart from a text; empty if none do."""
    for value in (value for value in values if isinstance(value, str)):
        for text in texts:
            if _composed(value) in _composed(text):
                return f"the text is {_form(text)}, the state {_form(value)}"
    return ""


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _form(text: str) -> str:
    forms = [form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, text)]
    return " and ".join(forms) or "neither NFC nor NFD"


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
