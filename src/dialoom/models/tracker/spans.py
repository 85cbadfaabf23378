"""Finds value spans by random fields (Lafferty et al. 2001), names, capitals and numbers.

Fields label each word as the beginning (B) or inside (I) of a value of some kind, or outside (O).
Labels name no slots, so that fields also find values of unseen services. In
training the words of some values are masked, so that fields learn from shapes and contexts too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from random import Random

from dialoom.corpus.processes import shared
from dialoom.learn import crf
from dialoom.learn.crf import OUT, RandomField, TokenSpan, mark
from dialoom.learn.vectors import Groups, word_groups
from dialoom.learn.words import shape
from dialoom.models.tracker.turns import INTEGER, TEXT, Speech
from dialoom.schema.lexicon import lexicon

Labelled = tuple[Speech, str, dict[tuple[str, str], str]]
"""An utterance with annotated spans, its side ("S" or "U"), and (service, slot) to kind."""

HIDDEN = (0.15, 0.7)
"""For each of the two fields, the share of training texts whose values are masked."""

LOWERED = 0.1
"""Share of training texts that are read without capitals."""

COMMON = 3
"""Least occurrences of a value in training texts for it to be searched in utterances."""

CAPITALISED, STATED, REPEATED, DOUBTFUL, NUMBER = 3, 4, 5, 6, 7
"""Bits of finders: capitalised words, acts, earlier values, words that a field is not sure about,
numbers.

Fields and common values have 0-2.
"""

SURE = 1 - 1e-8
"""Least probability of words outside any value for a field to be sure."""

GROUPS = 100
"""Number of groups of words of like meaning."""

Names = dict[str, dict[tuple[str, ...], None]]
"""First stem to the values that begin with it, as tuples of stems, in the order of their adding."""

_ENDS = frozenset(".?!")
_LONG = 3
"""Least letters of a value's longest word; most letters of a word between capitalised runs."""


def attributes(
    words: Sequence[str],
    stems: Sequence[str],
    agent: str,
    groups: Sequence[int],
    hidden: frozenset[int] = frozenset(),
) -> list[list[str]]:
    """Return the attributes of each word for a conditional random field.

    They are the side, the word's stem, shape and last three letters, the stems of up to two words
    on either side, the shapes of its neighbours, bigrams, and the groups of the word and of its
    neighbours.

    Args:
        groups: The number of each word's group of words of like meaning.
        hidden: The indices of words whose stem and letters are masked.
    """
    shapes = [shape(word) for word in words]
    low = ["?" if n in hidden else each for n, each in enumerate(stems)]
    rows = []
    last = len(words) - 1
    for n, word in enumerate(words):
        row = [agent, f"w={low[n]}", f"s={shapes[n]}", f"as={agent}{shapes[n]}"]
        if n not in hidden:
            row += (f"e={word[-3:].lower()}", f"c={groups[n]}")
        if n:
            row += (
                f"-c={groups[n - 1]}",
                f"-w={low[n - 1]}",
                f"-s={shapes[n - 1]}",
                f"-ww={low[n - 1]} {low[n]}",
            )
            if n > 1:
                row.append(f"--w={low[n - 2]}")
                row.append(f"--ww={low[n - 2]} {low[n - 1]}")
        else:
            row.append("first")
        if n < last:
            row += (
                f"+c={groups[n + 1]}",
                f"+w={low[n + 1]}",
                f"+s={shapes[n + 1]}",
                f"+ww={low[n]} {low[n + 1]}",
            )
            if n + 1 < last:
                row.append(f"++w={low[n + 2]}")
        else:
            row.append("last")
        rows.append(row)
    return rows


class SpanTagger:
    """Finds the spans of an utterance that may be values, each with its kind.

    Finders are two conditional random fields, trained with fewer and with more values masked, the
    values that are common in training, runs of capitalised words, and numbers. Words that a field
    is not sure to be outside any value are spans, too. Spans may overlap. Without a fit it finds
    capitalised words and numbers alone.
    """

    def __init__(self) -> None:
        self._fields: list[RandomField] = []
        self._names: Names = {}

    def fit(self, speeches: Sequence[Labelled], seed: int, names: Iterable[str] = ()) -> None:
        """Train the fields, and collect the common values of free text.

        `names` are normal forms of further common values; the seed masks words.
        """
        texts = [(speech, agent, labelled(speech, kinds)) for speech, agent, kinds in speeches]
        self._groups = groups = word_groups(GROUPS, seed)
        self._fields = list(
            shared(lambda share: _trained(texts, groups, share, Random(seed)), HIDDEN)
        )
        counts = Counter(
            tuple(speech.stems[place.start : place.end])
            for speech, _, labels in texts
            for place in crf.spans(labels)
            if place.kind == TEXT
        )
        self._names = {}
        common = (name for name, count in counts.items() if count >= COMMON)
        for name in chain(common, (tuple(name.split()) for name in names)):
            add_name(self._names, name)

    def find(self, speech: Speech, agent: str) -> list[TokenSpan]:
        """Return the spans of an utterance that may be values, with the bits of their finders.

        The first of several finders gives the kind. Capitalised words and numbers that overlap a
        span of a kind other than free text are left out. `agent` is the side: "S" or "U".
        """
        features = self._attributes(speech, agent) if self._fields else []
        read = [field.read(features, SURE) for field in self._fields]
        tagged = [crf.spans(labels) for labels, _ in read]
        by_place: dict[tuple[int, int], TokenSpan] = {}
        for bit, spans in enumerate([*tagged, named(speech, self._names)]):
            add_spans(by_place, spans, bit)
        of_kinds = [span for span in by_place.values() if span.kind != TEXT]
        for bit, spans in ((CAPITALISED, capitalised(speech)), (NUMBER, numbers(speech))):
            apart = (
                span
                for span in spans
                if not any(of.start < span.end and span.start < of.end for of in of_kinds)
            )
            add_spans(by_place, apart, bit)
        for _, doubtful in read:
            add_spans(by_place, doubtful, DOUBTFUL)
        return list(by_place.values())

    def _attributes(self, speech: Speech, agent: str) -> list[list[str]]:
        groups = list(map(self._groups.of, speech.words))
        return attributes(speech.words, speech.stems, agent, groups)


def add_name(names: Names, name: tuple[str, ...]) -> None:
    """Add a value, given as stems, unless all of them are very short or stop words."""
    stop = lexicon("en").stop
    if any(len(word) >= _LONG and word not in stop for word in name):
        names.setdefault(name[0], {})[name] = None


def named(speech: Speech, names: Names) -> Iterator[TokenSpan]:
    """Yield a span for the longest known value that begins at each word of an utterance."""
    stems = speech.stems
    for n, stem in enumerate(stems):
        lengths = [
            len(name) for name in names.get(stem, ()) if tuple(stems[n : n + len(name)]) == name
        ]
        if lengths:
            yield TokenSpan(n, n + max(lengths), TEXT)


def add_spans(pool: dict[tuple[int, int], TokenSpan], spans: Iterable[TokenSpan], bit: int) -> None:
    """Add the spans of one finder to those of others in place; earlier spans keep their kind."""
    for span in spans:
        first = pool.get(span[:2], span)
        pool[span[:2]] = first._replace(finders=first.finders | 1 << bit)


def capitalised(speech: Speech) -> Iterator[TokenSpan]:
    """Yield runs of capitalised words, and pairs of runs with a short word or mark between them.

    The first word of a sentence always has a capital: alone it is no run, and a longer run is also
    yielded without it.
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


def numbers(speech: Speech) -> Iterator[TokenSpan]:
    """Yield a span for each whole number of an utterance, in digits or as a word."""
    for n, word in enumerate(speech.stems):
        if word.isdigit():
            yield TokenSpan(n, n + 1, INTEGER)


def _trained(
    texts: Sequence[tuple[Speech, str, list[str]]], groups: Groups, share: float, draw: Random
) -> RandomField:
    """Return a trained field.

    A share of `LOWERED` of the texts is read without capitals. The values of a `share` of the texts
    are masked; as many of the texts without values are left out, in proportion.
    """
    sample = [each for each in texts if {*each[2]} - {OUT} or draw.random() >= share]

    def seen() -> Iterator[list[list[str]]]:
        for speech, agent, labels in sample:
            inside = frozenset(n for n, label in enumerate(labels) if label != OUT)
            hidden = inside if draw.random() < share else frozenset()
            words = speech.words
            if draw.random() < LOWERED:
                words = [word.lower() for word in words]
            of_words = list(map(groups.of, words))
            yield attributes(words, speech.stems, agent, of_words, hidden)

    return RandomField(seen(), [labels for *_, labels in sample])


def labelled(speech: Speech, kinds: dict[tuple[str, str], str]) -> list[str]:
    """Return the label of each word by the annotated spans: "B-" or "I-" with a kind, else "O".

    `kinds` map (service, slot) to kind; spans of other slots are ignored.
    """
    labels = [OUT] * len(speech.words)
    for start, end, service, slot in speech.spans or ():
        kind = kinds.get((service, slot))
        inside = [
            n
            for n, (begins, ends) in enumerate(zip(speech.starts, speech.ends, strict=True))
            if begins < end and start < ends
        ]
        if kind:
            mark(labels, inside, kind)
    return labels
