"""Coefficients of agreement of all labels, of each, and of each pair of annotators; their tables.

All labels together are one long list of decisions, one for each unit and label. With two annotators
the coefficients of all are those of the pair. Intervals draw dialogues, not units: what is said of
the words of one dialogue hangs together. A single dialogue has no interval (None).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from dialoom.metrics.agreement import cohen, f1, fleiss, krippendorff
from dialoom.metrics.base import Counts, Signature
from dialoom.metrics.bootstrap import SAMPLES, drawn, percentiles, total
from dialoom.quality.agreement.kinds import ORDINAL
from dialoom.quality.agreement.ratings import ABSENT, FATES, Disagreement, Ratings
from dialoom.render.tables import Cell, ResultTable, Row, counted, interval_cell

ALL = ""
"""The key of the figures of all labels together."""

Key = tuple[str, str, str]
"""A label, two annotators (empty for all of them), and a coefficient."""

Given = tuple[tuple[str, str], ...]
"""The values that a unit's annotators gave it."""


def compare(
    ratings: Ratings, *, samples: int = SAMPLES, seed: int = 0, parts: bool = True
) -> dict[str, Any]:
    """Return all coefficients with their kind, label and annotators, as JSON values.

    Args:
        parts: Whether each label and each pair of annotators has coefficients of its own.
    """
    return {
        "annotators": dict(sorted(ratings.annotators.items())),
        "told_apart": ratings.separable,
        "dependent": sorted(ratings.dependent),
        "prelabels": ratings.fates.table(),
        "kinds": {kind: _kind(kind, ratings, samples, seed, parts) for kind in ratings.counts},
    }


def signature(samples: int, seed: int, extras: Mapping[str, object]) -> str:
    """Return the signature of a comparison."""
    values = "nominal, of grades ordinal"
    about = {"metric": "agreement", "values": values, "spans": "words, f1 exact"}
    return str(Signature({**about, "samples": str(samples), "seed": str(seed)}).extended(extras))


def _kind(kind: str, ratings: Ratings, samples: int, seed: int, parts: bool) -> dict[str, Any]:
    counts = ratings.counts[kind]
    ordinal = kind in ORDINAL
    added = total(counts)
    labels = sorted({label for what, label, *_ in added if what != "size"})
    pairs = {pair for who in _groups(added) for pair in combinations(who, 2)}
    couples = sorted(pairs) if ratings.separable and parts else []
    subset = labels if parts else []
    everybody = ratings.annotators.keys() - ratings.dependent

    def coefficients(counts: Counts) -> Iterator[tuple[Key, float | None]]:
        return _coefficients(counts, labels, subset, couples, everybody, ordinal=ordinal)

    figures = dict(coefficients(added))
    values: dict[Key, list[float]] = {}
    for sample in drawn(counts, samples if len(counts) > 1 else 0, random.Random(seed)):
        for key, value in coefficients(sample):
            if value is not None:
                values.setdefault(key, []).append(value)

    def scores(label: str, pair: str = "") -> dict[str, Any]:
        keys = [key for key in figures if key[:2] == (label, pair)]
        return {key[2]: _with_interval(figures[key], values.get(key, ())) for key in keys}

    return {
        "dialogues": len(counts),
        "units": sum(_groups(added).values()),
        "marked": sum(n for (what, *_), n in added.items() if what == "item"),
        "all": scores(ALL),
        "labels": {label: scores(label) for label in subset},
        "pairs": [
            {
                "annotators": pair,
                "all": scores(ALL, _spelled(pair)),
                "labels": {label: scores(label, _spelled(pair)) for label in labels},
            }
            for pair in couples
        ],
        "disagreements": [_shown(each) for each in ratings.disagreements.get(kind, ())],
    }


def _groups(counts: Counts) -> Counter[tuple[str, ...]]:
    return Counter({key[1]: n for key, n in counts.items() if key[0] == "size"})


def _spelled(pair: tuple[str, str]) -> str:
    return " and ".join(pair)


def _with_interval(value: float | None, samples: Sequence[float]) -> dict[str, Any] | None:
    if value is None:
        return None
    low, high = percentiles(samples).bounds if samples else (None, None)
    return {"value": value, "low": low, "high": high}


def _shown(each: Disagreement) -> dict[str, Any]:
    place = each.place
    where = {"start": place.start, "end": place.end} if place.end else {}
    return {
        "dialogue": each.dialogue,
        "event": place.event,
        "label": place.label,
        **where,
        "text": each.text,
        "values": each.values,
    }


def _coefficients(
    counts: Counts,
    labels: Sequence[str],
    subset: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    everybody: Collection[str],
    *,
    ordinal: bool,
) -> Iterator[tuple[Key, float | None]]:
    units, items = _by_label(counts, "unit"), _by_label(counts, "item")
    groups = _groups(counts)
    for label in (ALL, *subset):
        marked = units.get(label, Counter())
        times = len(labels) if label == ALL else 1
        unmarked = _unmarked(marked, groups, times)
        ratings = [*marked.items(), *unmarked]
        outcomes = items.get(label, Counter())
        table = _table(((_of(everybody, values), n) for values, n in ratings), ordinal=ordinal)
        yield (label, "", "alpha"), krippendorff(table, ordinal=ordinal)
        yield (label, "", "fleiss"), fleiss(table)
        yield (label, "", "f1"), _f1((_of(everybody, values), n) for values, n in outcomes.items())
        for pair in pairs:
            both = _table(((_of(pair, values), n) for values, n in ratings), ordinal=ordinal)
            name = _spelled(pair)
            yield (label, name, "cohen"), cohen(both)
            yield (label, name, "alpha"), krippendorff(both, ordinal=ordinal)
            yield (label, name, "f1"), _f1((_of(pair, values), n) for values, n in outcomes.items())


def _by_label(counts: Counts, what: str) -> dict[str, Counter[Given]]:
    groups: dict[str, Counter[Given]] = {}
    for key, n in counts.items():
        if key[0] == what:
            _, label, values = key
            for name in (label, ALL):
                groups.setdefault(name, Counter())[values] += n
    return groups


def _unmarked(
    marked: Mapping[Given, int], groups: Mapping[tuple[str, ...], int], times: int
) -> Iterator[tuple[Given, int]]:
    with_label: Counter[tuple[str, ...]] = Counter()
    for values, n in marked.items():
        with_label[tuple(who for who, _ in values)] += n
    for group, n in groups.items():
        yield tuple((who, ABSENT) for who in group), times * n - with_label[group]


def _of(people: Collection[str], values: Given) -> Given:
    return tuple(each for each in values if each[0] in people)


def _table(ratings: Iterable[tuple[Given, int]], *, ordinal: bool) -> Counter[tuple[str, ...]]:
    """Return counted units of two annotators or more, by their values.

    An absent ordinal value is none; other absent values count as no label.
    """
    table: Counter[tuple[str, ...]] = Counter()
    for values, n in ratings:
        decisions = tuple(value for _, value in values if not (ordinal and value == ABSENT))
        if len(decisions) > 1 and n:
            table[decisions] += n
    return table


def _f1(ratings: Iterable[tuple[Given, int]]) -> float | None:
    hits = marked = 0
    for values, n in ratings:
        for (_, one), (_, other) in combinations(values, 2):
            hits += n * (one == other != ABSENT)
            marked += n * ((one != ABSENT) + (other != ABSENT))
    return f1(hits, marked)


HOW = (
    "1 is full agreement, 0 what chance would give; 95 % intervals over dialogues. Alpha is "
    "Krippendorff's (of grades: with their order), Fleiss and Cohen are kappas, F1 is of places "
    "marked exactly alike."
)
NOT_SEPARABLE = (
    "The format does not separate its annotators: there are no pairs and no Cohen's kappa."
)
ADJUDICATED = "The adjudicated layer {} counts in pairs only."
BY_LABEL = "--json has each pair label by label."
STARTED = "Marks that annotators started from, each annotator's; a change is another value there."
COEFFICIENTS = ("alpha", "fleiss", "f1")
OF_PAIRS = ("cohen", "alpha", "f1")


def tables(figures: Mapping[str, Any], most: int) -> Iterator[ResultTable]:
    """Yield the tables of each kind of annotation, with at most so many disagreements of each."""
    for kind, each in figures["kinds"].items():
        notes = [HOW] if figures["told_apart"] else [HOW, NOT_SEPARABLE]
        both = {who for pair in each["pairs"] for who in pair["annotators"]}
        notes += [ADJUDICATED.format(who) for who in figures["dependent"] if who in both]
        sizes = counted(each["dialogues"], "dialogue"), counted(each["units"], "unit")
        title = f"{kind}: {', '.join(sizes)}"
        labels = {"all": each["all"], **each["labels"]}
        yield _scores(title, "label", labels, COEFFICIENTS, notes)
        if each["pairs"]:
            pairs = {" and ".join(pair["annotators"]): pair["all"] for pair in each["pairs"]}
            yield _scores(f"{kind}, by pair", "annotators", pairs, OF_PAIRS, [BY_LABEL])
        if most and each["disagreements"]:
            yield _disagreements(kind, each["disagreements"], most)
    for kind, labels in figures["prelabels"].items():
        rows: list[Row] = [[label, *fates.values()] for label, fates in labels.items()]
        yield ResultTable(f"{kind}, what they started from", ("label", *FATES), rows, (STARTED,))


def _scores(
    title: str,
    what: str,
    rows: Mapping[str, Mapping[str, Any]],
    names: tuple[str, ...],
    notes: list[str],
) -> ResultTable:
    header = (what, *(cell for name in names for cell in (name, "95 %")))
    cells = [
        [name, *(cell for each in names for cell in _cells(scores[each]))]
        for name, scores in rows.items()
    ]
    return ResultTable(title, header, cells, tuple(notes))


def _cells(score: Mapping[str, Any] | None) -> tuple[Cell, Cell]:
    if score is None:
        return None, None
    return score["value"], interval_cell((score["low"], score["high"]))


def _disagreements(kind: str, cases: list[dict[str, Any]], most: int) -> ResultTable:
    names = sorted({who for each in cases for who in each["values"]})
    rows: list[Row] = [
        [
            each["dialogue"],
            each["event"],
            each["label"],
            each["text"],
            *(each["values"].get(who) or None for who in names),
        ]
        for each in cases[:most]
    ]
    left = len(cases) - len(rows)
    notes = (f"{left:,} more; --json has all.",) if left else ()
    header = ("dialogue", "event", "label", "text", *names)
    return ResultTable(f"{kind}, where they disagree", header, rows, notes)
