"""Agreement as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.quality.agreement.prelabels import FATES
from dialoom.render.tables import Cell, ResultTable, Row, counted, interval_cell

HOW = (
    "1 is full agreement, 0 what chance would give; 95 % intervals over dialogues. Alpha is "
    "Krippendorff's (of grades: with their order), Fleiss and Cohen are kappas, F1 is of places "
    "marked exactly alike."
)
NOT_SEPARABLE = (
    "The format does not separate its annotators: there are no pairs and no Cohen's kappa."
)
BY_LABEL = "--json has each pair label by label."
STARTED = "Marks that annotators started from, each annotator's; a change is another value there."
COEFFICIENTS = ("alpha", "fleiss", "f1")
OF_PAIRS = ("cohen", "alpha", "f1")


def tables(figures: Mapping[str, Any], most: int) -> Iterator[ResultTable]:
    """Yield the tables of each kind of annotation, with at most so many disagreements of each."""
    for kind, each in figures["kinds"].items():
        notes = [HOW] if figures["told_apart"] else [HOW, NOT_SEPARABLE]
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
