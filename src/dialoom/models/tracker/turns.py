"""A dialogue as the user's turns, with hashed features of spans and utterances for scorers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dialoom.dialogue import USER, Event, Layer, Part, State, Utterance
from dialoom.dialogue.annotation import LABELS
from dialoom.dialogue.views import gold, parts
from dialoom.learn.crf import TokenSpan
from dialoom.learn.vectors import Vectors, vectors
from dialoom.learn.words import Codes, beginnings, code, normal_text, root, shape, stem, tokens
from dialoom.models.tracker.pairs import CodedText
from dialoom.reading.wording import word_reader

SAYS = frozenset({"INFORM", "OFFER", "CONFIRM", "RECOMMEND"})
"""Acts that give a slot a value."""

RUN = 3
"""Most adjacent words that the name of a slot or a value is compared with at a time."""

TEXT, INTEGER = "short text", "integer"
"""The kinds of slots with free text and with whole numbers."""


class SlotAct(NamedTuple):
    """An act with at most one slot; an act with several slots counts as several.

    Attributes:
        act: The act's name, in capitals.
        values: The slot's values as said, then the canonical ones of the knowledge base.
    """

    service: str
    act: str
    slot: str
    values: tuple[str, ...]

    def names(self, value: str, norm: str) -> bool:
        """True if a value is one of the act's, by its text or its normal form."""
        return value in self.values or norm in map(normal_text, self.values)


@dataclass(slots=True)
class Speech:
    """An utterance with its words and annotations.

    `stems` are for comparison of values, `roots` and `concepts`, those that each word names, for
    that of descriptions. `acts` and `spans` (start, end, service, slot; in characters) are
    annotated, or None. `places` are the spans that finders found.
    """

    text: str
    words: list[str]
    starts: list[int]
    ends: list[int]
    stems: list[str]
    roots: list[str]
    concepts: list[Sequence[str]]
    acts: tuple[SlotAct, ...] | None = None
    spans: tuple[tuple[int, int, str, str], ...] | None = None
    places: list[TokenSpan] = field(default_factory=list)

    @classmethod
    def of(cls, utterance: Utterance) -> Speech:
        """Return an utterance's words, with the acts and spans of its gold or its labels layer."""
        pieces = tokens(utterance.text)
        words = [word for word, _, _ in pieces]
        stems = list(map(stem, words))
        speech = cls(
            utterance.text,
            words,
            [start for _, start, _ in pieces],
            [end for _, _, end in pieces],
            stems,
            list(map(root, stems)),
            list(concepts(words)),
        )
        layer = (gold(utterance) or _unseen(utterance) or _EMPTY).parts
        if any(part.acts is not None for part in layer):
            speech.acts = tuple(_slot_acts(layer))
        if any(part.spans is not None for part in layer):
            speech.spans = tuple(
                (span.start, span.end, part.service or "", slot)
                for part in layer
                for span in part.spans or ()
                for slot in span.labels
            )
        return speech

    def runs(self) -> Vectors:
        """Return the vectors of all runs of up to `RUN` words: shape (runs, SIZE)."""
        last = len(self.words)
        return vectors(
            self.part(n, end) for n in range(last) for end in range(n + 1, min(n + RUN, last) + 1)
        )

    def inside(self, place: TokenSpan) -> bool:
        """True if a span is part of a longer one in `places`."""
        return any(
            other.start <= place.start
            and place.end <= other.end
            and other.end - other.start > place.end - place.start
            for other in self.places
        )

    def says(self, place: TokenSpan) -> str:
        """Return the text of a span."""
        return self.part(place.start, place.end)

    def part(self, first: int, end: int) -> str:
        """Return the text of the words from `first` up to, without, `end`; empty for no words."""
        span = slice(first, end)
        starts, ends = self.starts[span], self.ends[span]
        return self.text[starts[0] : ends[-1]] if starts else ""


_EMPTY = Layer(LABELS)


def _unseen(utterance: Utterance) -> Layer | None:
    """Return the layer of labels for training, which questions do not show, or None."""
    return next((layer for layer in utterance.layers if layer.source == LABELS), None)


EMPTY = Speech("", [], [], [], [], [], [])
"""An empty utterance, if the system said nothing before a turn."""


@dataclass(slots=True)
class TrackedTurn:
    """A turn of the user; `number` is its index.

    `position` counts the events up to and including the user's utterance. `system` is the system's
    last utterance since the user's turn before, or `EMPTY`. `services` are those of the gold
    annotation, in the order of the file; `states` are annotated, as far as there is one. Rows of
    features that are learned from the turn have its `weight`.
    """

    number: int
    position: int
    system: Speech
    user: Speech
    services: tuple[str, ...]
    states: dict[str, State]
    weight: float = 1.0


def _slot_acts(layer: Iterable[Part]) -> Iterator[SlotAct]:
    for part in layer:
        for act in part.acts or ():
            service, name = part.service or "", act.name.upper()
            if not act.arguments:
                yield SlotAct(service, name, "", ())
            for argument in act.arguments:
                values = (*argument.values, *(argument.canonical or ()))
                yield SlotAct(service, name, argument.slot, tuple(map(str, values)))


def turns(events: Iterable[Event], weight: float = 1.0) -> Iterator[TrackedTurn]:
    """Yield the user's turns of a dialogue, in order, each with a weight."""
    system, number = EMPTY, 0
    for index, event in enumerate(events):
        if not isinstance(event, Utterance):
            continue
        if event.agent != USER:
            system = Speech.of(event)
            continue
        layer = parts(event)
        states = {part.service or "": part.state for part in layer if part.state is not None}
        services = tuple(part.service or "" for part in layer)
        yield TrackedTurn(number, index + 1, system, Speech.of(event), services, states, weight)
        system, number = EMPTY, number + 1


class LastQuestion(NamedTuple):
    """The question that an utterance may answer: its words with their marks, and its text."""

    words: Sequence[tuple[str, str]]
    text: str


NOT_ASKED = LastQuestion((), "")
"""No question."""

LEFT, RIGHT = 6, 4
"""Most words before and after a span that count as its context."""

_NEAR = 3
"""Words before a span with a feature by position; other words than a span's in a short answer."""


def concepts(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield, for each word, the groups of words of one meaning that it belongs to, by their names.

    A word may belong to one as part of a phrase ("how much"). The groups, called concepts, are
    those of `dialoom.reading.wording`.
    """
    reader = word_reader("en")
    for phrase in reader.joined(list(map(reader.stem, words))):
        names = list(map(str, reader.concepts((phrase,))))
        for _ in phrase.split(" "):
            yield names


def question(speech: Speech) -> slice:
    """Return where an utterance's last question is; its last sentence if it has none."""
    stems = speech.stems
    marks = [n for n, word in enumerate(stems) if word in ".?!"]
    queries = [n for n in marks if stems[n] == "?"]
    end = queries[-1] if queries else len(stems)
    start = max((n + 1 for n in marks if n < end - 1), default=0)
    return slice(start, end)


def asked_words(speech: Speech) -> LastQuestion:
    """Return the roots and concepts of an utterance's last question with marks, and its text."""
    where = question(speech)
    words = [
        *(("q", word) for word in speech.roots[where]),
        *(("cq", each) for group in speech.concepts[where] for each in group),
    ]
    return LastQuestion(words, speech.part(where.start, where.stop))


def span_context(speech: Speech, place: TokenSpan, before: LastQuestion) -> CodedText:
    """Return hashed features of a value span and its context: shape (features,).

    They are the kind, length, stems and shapes of the span, the three words before and the two
    after it by position, the bigram before it, bags of the words before and after, the concepts of
    these and of the span, and whether the utterance has hardly any other words. `before` has those
    of the question before it (`asked_words`).
    """
    stems, (start, end, kind, _) = speech.roots, place
    features = [("kind", kind), ("long", str(min(end - start, 4)))]
    for away in range(1, _NEAR + 1):
        features.append((f"-{away}", stems[start - away] if start >= away else ""))
    for n in range(end, min(end + 2, len(stems))):
        features.append((f"+{n - end}", stems[n]))
    if start > 1:
        features.append(("-21", f"{stems[start - 2]} {stems[start - 1]}"))
    features += [("b", word) for word in stems[max(0, start - LEFT) : start]]
    features += [("a", word) for word in stems[end : end + RIGHT]]
    for mark, first, last in (
        ("cb", max(0, start - LEFT), start),
        ("cv", start, end),
        ("ca", end, end + RIGHT),
    ):
        features += [(mark, each) for group in speech.concepts[first:last] for each in group]
    features += [("v", speech.stems[n]) for n in range(start, end)]
    features += [("s", shape(speech.words[n])) for n in range(start, min(end, start + 2))]
    features += before.words
    if end - start >= len(stems) - _NEAR:
        features.append(("alone", ""))
    around = speech.part(max(0, start - LEFT), end + RIGHT)
    return CodedText(_codes(features), vectors((speech.says(place), before.text, around)))


def nearby_words(speech: Speech, place: TokenSpan) -> frozenset[str]:
    """Return the roots and shorter prefixes of the stems around a span."""
    before = speech.stems[max(0, place.start - LEFT) : place.start]
    words = (*before, *speech.stems[place.end : place.end + RIGHT])
    return frozenset(root for stem in words for root in beginnings(stem))


@cache
def text_codes(value: str) -> CodedText:
    """Return hashed features of a value's text: words, length, shapes and ending."""
    words = [word for word, _, _ in tokens(value)]
    features = [("", ""), ("is", value.lower()), ("long", str(min(len(words), 5)))]
    features += [("v", stem(word)) for word in words]
    features += [("s", shape(word)) for word in words[:3]]
    features += [("e", word[-3:].lower()) for word in words[-1:]]
    return CodedText(_codes(features), vectors((value,)))


def utterance_context(speech: Speech, before: LastQuestion) -> CodedText:
    """Return hashed features of an utterance: shape (features,).

    They are a bias, unigrams and bigrams of roots, concepts, the first root, the length, and the
    roots and concepts of the question `before` it (`asked_words`).
    """
    stems = speech.roots
    features = [("", ""), *(("w", word) for word in stems)]
    features += [("ww", f"{one} {other}") for one, other in pairwise(stems)]
    features += [("cw", each) for group in speech.concepts for each in group]
    features += before.words
    if stems:
        features.append(("1", stems[0]))
        features.append(("long", str(min(len(stems) // 3, 6))))
    return CodedText(_codes(features), vectors((speech.text, before.text)))


def _codes(features: Sequence[tuple[str, str]]) -> Codes:
    return np.array([code(word, mark) for mark, word in dict.fromkeys(features)], dtype=np.uint64)
