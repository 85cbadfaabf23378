"""Values in a text, found word by word by a conditional random field (Lafferty et al. 2001).

Labels are coarse: where a value begins and goes on, and of which kind it is, so that the values of
services that were never seen are found as well. In training some words of values are hidden, so
that shape and neighbours have to tell them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from dialoom.corpus.processes import shared
from dialoom.models import crf
from dialoom.models.crf import OUT
from dialoom.models.tracker.turns import Speech, TokenSpan
from dialoom.models.tracker.words import shape
from dialoom.schema.lexicon import lexicon

Labelled = tuple[Speech, str, dict[tuple[str, str], str]]
"""An utterance with annotated spans, who says it, and the kind of each service's slots."""

HIDDEN = (0.15, 0.7)
"""Share of training texts whose values are hidden from each of the fields."""

LOWERED = 0.1
"""Share of training texts that are read in lower case."""

COMMON = 3
"""In how many training texts a value must stand to be looked for word by word as well."""

CAPITALISED, TOLD, REPEATED = 3, 4, 5
"""Means of finding values; two fields and common values are 0 to 2."""

Names = dict[str, dict[tuple[str, ...], None]]
"""First stem to values that begin with it, as stems, in the order in which they came."""

_ENDS = frozenset(".?!")
TEXT = "short text"
_LONG = 3
"""Letters of the longest word of such a value, at least."""


def attributes(
    words: Sequence[str], stems: Sequence[str], agent: str, hidden: frozenset[int] = frozenset()
) -> list[list[str]]:
    """Return what the field sees of each word."""
    shapes = [shape(word) for word in words]
    low = ["?" if n in hidden else each for n, each in enumerate(stems)]
    found = []
    last = len(words) - 1
    for n, word in enumerate(words):
        seen = [agent, f"w={low[n]}", f"s={shapes[n]}", f"as={agent}{shapes[n]}"]
        if n not in hidden:
            seen.append(f"e={word[-3:].lower()}")
        if n:
            seen += (f"-w={low[n - 1]}", f"-s={shapes[n - 1]}", f"-ww={low[n - 1]} {low[n]}")
            if n > 1:
                seen.append(f"--w={low[n - 2]}")
                seen.append(f"--ww={low[n - 2]} {low[n - 1]}")
        else:
            seen.append("first")
        if n < last:
            seen += (f"+w={low[n + 1]}", f"+s={shapes[n + 1]}", f"+ww={low[n]} {low[n + 1]}")
            if n + 1 < last:
                seen.append(f"++w={low[n + 2]}")
        else:
            seen.append("last")
        found.append(seen)
    return found


class SpanTagger:
    """Finds the words of a text that may be values, and of which kind.

    What two fields find that learnt from texts with fewer and more values hidden, the values
    that were common in training, and runs of capitalised words; these may overlap.
    """

    def __init__(self) -> None:
        self._models: list[bytes] = []
        self._taggers: list[Any] = []
        self._names: Names = {}

    def fit(self, speeches: Sequence[Labelled], seed: int) -> None:
        """Learn from utterances with annotated spans: (utterance, agent, kind of each slot)."""
        texts = [(speech, agent, labelled(speech, kinds)) for speech, agent, kinds in speeches]
        self._taggers = []
        self._models = list(shared(lambda share: _trained(texts, share, Random(seed)), HIDDEN))
        counted = Counter(
            tuple(speech.stems[place.start : place.end])
            for speech, _, labels in texts
            for place in places(labels)
            if place.kind == TEXT
        )
        self._names = {}
        for name, count in counted.items():
            if count >= COMMON:
                add_name(self._names, name)

    def find(self, speech: Speech, agent: str) -> list[TokenSpan]:
        """Return where values may stand in an utterance."""
        if not self._taggers:
            self._taggers = [crf.tagger(model) for model in self._models if model]
        read = speech.words and self._taggers
        seen = attributes(speech.words, speech.stems, agent) if read else []
        tagged = [places(tagger.tag(seen)) for tagger in self._taggers if seen]
        found: dict[tuple[int, int], TokenSpan] = {}
        for bit, spans in enumerate([*tagged, list(named(speech, self._names))]):
            add_spans(found, spans, bit)
        of_kinds = [span for span in found.values() if span.kind != TEXT]
        great = (
            span
            for span in capitalised(speech)
            if not any(of.start < span.end and span.start < of.end for of in of_kinds)
        )
        add_spans(found, great, CAPITALISED)
        return list(found.values())

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made of the models when they are needed."""
        return self.__dict__ | {"_taggers": []}


def add_name(names: Names, name: tuple[str, ...]) -> None:
    """Add a value, unless all its words are very short or carry no content."""
    stop = lexicon("en").stop
    if any(len(word) >= _LONG and word not in stop for word in name):
        names.setdefault(name[0], {})[name] = None


def named(speech: Speech, names: Names) -> Iterator[TokenSpan]:
    """Yield where values stand in an utterance, the longest at each place."""
    stems = speech.stems
    for n, stem in enumerate(stems):
        lengths = [
            len(name) for name in names.get(stem, ()) if tuple(stems[n : n + len(name)]) == name
        ]
        if lengths:
            yield TokenSpan(n, n + max(lengths), TEXT)


def add_spans(
    found: dict[tuple[int, int], TokenSpan], spans: Iterable[TokenSpan], bit: int
) -> None:
    """Add what was found by some means; the kinds of what was found before stay."""
    for span in spans:
        first = found.get(span[:2], span)
        found[span[:2]] = first._replace(finders=first.finders | 1 << bit)


def capitalised(speech: Speech) -> Iterator[TokenSpan]:
    """Yield runs of capitalised words, single and two with a short word or mark between them.

    A sentence's first word is capitalised anyway: a run is also yielded without it.
    """
    words = speech.words
    great = [word[:1].isupper() and word[1:2].isalnum() for word in words]
    first = [n == 0 or words[n - 1] in _ENDS for n in range(len(words))]
    runs: list[tuple[int, int]] = []
    for n, is_great in enumerate(great):
        if is_great and runs and runs[-1][1] == n:
            runs[-1] = runs[-1][0], n + 1
        elif is_great:
            runs.append((n, n + 1))
    joined = [
        (one[0], other[1])
        for one, other in pairwise(runs)
        if other[0] == one[1] + 1 and len(words[one[1]]) <= _LONG and words[one[1]] not in _ENDS
    ]
    for start, end in (*runs, *joined):
        if end - start > first[start]:
            yield TokenSpan(start, end, TEXT)
        if first[start] and end - start > 1:
            yield TokenSpan(start + 1, end, TEXT)


def _trained(texts: Sequence[tuple[Speech, str, list[str]]], share: float, draw: Random) -> bytes:
    """Train a field; nothing where there is no value in any text.

    Of the texts without values, the share that is hidden in others is left out, and some texts
    are read without capitals.
    """
    chosen = [each for each in texts if {*each[2]} - {OUT} or draw.random() >= share]

    def seen() -> Iterator[list[list[str]]]:
        for speech, agent, labels in chosen:
            inside = frozenset(n for n, label in enumerate(labels) if label != OUT)
            hidden = inside if draw.random() < share else frozenset()
            words = speech.words
            if draw.random() < LOWERED:
                words = [word.lower() for word in words]
            yield attributes(words, speech.stems, agent, hidden)

    return crf.train(seen(), [labels for *_, labels in chosen])


def labelled(speech: Speech, kinds: dict[tuple[str, str], str]) -> list[str]:
    """Return the label of each word: B- and I- with the kind of a value, else O."""
    labels = [OUT] * len(speech.words)
    for start, end, service, slot in speech.spans or ():
        kind = kinds.get((service, slot))
        inside = [
            n
            for n, (begins, ends) in enumerate(zip(speech.starts, speech.ends, strict=True))
            if begins < end and start < ends
        ]
        for n in inside if kind else ():
            labels[n] = f"{'B' if n == inside[0] else 'I'}-{kind}"
    return labels


def places(labels: Sequence[str]) -> list[TokenSpan]:
    """Return the runs of words with labels."""
    found: list[TokenSpan] = []
    for n, label in enumerate(labels):
        if label == OUT:
            continue
        mark, kind = label.split("-", 1)
        if mark == "I" and found and found[-1].end == n and found[-1].kind == kind:
            found[-1] = TokenSpan(found[-1].start, n + 1, kind)
        else:
            found.append(TokenSpan(n, n + 1, kind))
    return found
