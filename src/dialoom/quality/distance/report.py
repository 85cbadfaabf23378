"""A comparison as tables, for a terminal and a page, and as a page with plots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.quality.distance.counting import KINDS
from dialoom.quality.stats.analysis import Result, owned
from dialoom.render.page import Section, cards, counts, noted_table, page, paragraph, text, tiles
from dialoom.render.plots import Bar, Group, Series, axis_end, bars, columns
from dialoom.render.tables import ResultTable, Row, percent

HOW = (
    "Bits: Jensen-Shannon divergence of the two distributions, 0 the same and 1 nothing in common. "
    "Tokens, utterances: by how much a value has to be moved on average to make one histogram the "
    "other. Share: how far apart, on average, the shares of dialogues are in which one name comes "
    "before another one; the figures are how many pairs of names both have."
)
WITHIN = (
    "Within: the same measure between every second real dialogue and the others, as a yardstick."
)

FLUENT = (
    "Perplexity of both sides under one 5-gram model with interpolated Kneser-Ney smoothing of the "
    "user's turns in every second real dialogue; the real turns are those of the other dialogues. "
    "Unknown: words that the model has not met, each as probable as a word met for the first time."
)

RECOGNISED = (
    "AUROC of a classifier on words and letters, names and numbers masked, that judges each fifth "
    "of the dialogues by what the others teach: 0.5 is a coin, 1 is never wrong. Within: the same "
    "for two halves of the real dialogues. Intervals: 95 % by dialogue, of the classifier as it is."
)

WORDED = (
    "For as many dialogues on both sides. Self-BLEU: the higher, the more turns repeat each other. "
    "Glued values: directly after a colon, a word of their slot's name, or another value."
)

NAMED = 12
"""Words that are listed as giving either side away."""

LONGEST = 60
"""Most tokens of an utterance, or utterances of a dialogue, with a bar of their own in a plot."""


def distances(figures: Result) -> ResultTable:
    """Return the table of distances."""
    rows: list[Row] = [
        [row["what"], row["simulated"], row["real"], row["distance"], row["within"], row["unit"]]
        for row in figures["distances"]
    ]
    notes = [HOW, WITHIN]
    if bare := figures["without_acts"]:
        notes.append(f"Compared without acts, since one of the two has none: {', '.join(bare)}.")
    if tasks := figures["tasks"]:
        one, other = (figures["left_out"][side] for side in ("simulated", "real"))
        notes.append(
            f"Only dialogues about tasks that both have ({len(tasks)}): {one:,} simulated and "
            f"{other:,} real dialogues about others are left out."
        )
    header = ("figure", "simulated", "real", "distance", "within real", "unit")
    return ResultTable("How far apart they are", header, rows, tuple(notes))


def fluency(figures: Result) -> ResultTable:
    """Return the table of the perplexity of users' turns."""
    rows: list[Row] = [
        [name, each["turns"], each["words"], percent(each["unknown"]), each["perplexity"]]
        for name, each in figures.get("fluency", {}).items()
        if "perplexity" in each
    ]
    header = ("users' turns", "turns", "words", "unknown, percent", "perplexity")
    return ResultTable("How natural users' turns read", header, rows, (FLUENT,))


def recognised(figures: Result) -> ResultTable:
    """Return the table of how well a learned judge separates simulated from real turns."""
    rows: list[Row] = [
        [agent, unit, judged[unit]["auroc"], _between(judged[unit]), judged[unit]["within"]]
        for agent, judged in figures.get("judge", {}).items()
        for unit in ("turn", "dialogue")
        if judged
    ]
    header = ("side", "judged by", "AUROC", "interval", "within real")
    return ResultTable("Simulated or real?", header, rows, (RECOGNISED,))


def marks(figures: Result) -> ResultTable:
    """Return the table of the words that the judge relies on."""
    rows: list[Row] = [
        [agent, side, ", ".join(words[:NAMED])]
        for agent, judged in figures.get("judge", {}).items()
        for side, words in (judged["words"].items() if judged else ())
    ]
    return ResultTable("Words that give them away", ("side", "as", "words"), rows)


def worded(figures: Result) -> ResultTable:
    """Return the table of measures of wording."""
    rows: list[Row] = [
        [agent, row["what"], *_measured(row["simulated"]), *_measured(row["real"])]
        for agent, measured in figures.get("wording", {}).items()
        for row in measured
    ]
    if (ratio := figures.get("fluency", {}).get("ratio")) and ratio["value"] is not None:
        rows.append(["user", "perplexity, times that of real", *_measured(ratio), 1, None])
    header = ("side", "measure", "simulated", "interval", "real", "interval")
    return ResultTable("How they are worded", header, rows, (WORDED,))


def _measured(figure: Result | None) -> tuple[float | None, str | None]:
    return (None, None) if figure is None else (figure["value"], _between(figure))


def _between(figure: Result) -> str:
    low, high = figure["interval"]
    return f"{low:.4g} to {high:.4g}"


def coverage(figures: Result) -> ResultTable:
    """Return the table of the elements that each corpus uses of its schemas."""
    rows: list[Row] = []
    one, other = (figures["schema"][side] for side in ("simulated", "real"))
    for kind in KINDS:
        if kind in one or kind in other:
            rows.append([kind, *_used(one.get(kind)), *_used(other.get(kind))])
    header = ("element", "simulated", "of", "percent", "real", "of", "percent")
    return ResultTable("What they use of their schemas", header, rows)


def _used(cell: Mapping[str, Any] | None) -> tuple[int | float | None, ...]:
    return (None, None, None) if cell is None else (cell["used"], cell["of"], 100 * cell["share"])


def vocabulary(figures: Result) -> ResultTable:
    """Return the table of words."""
    rows: list[Row] = [
        [agent, words["simulated"], words["real"], words["both"],
         percent(words["real_covered"]), percent(words["simulated_covered"])]
        for agent, words in figures["words"].items()
    ]  # fmt: skip
    header = ("words of the", "simulated", "real", "in both", "of real text, percent",
              "of simulated text, percent")  # fmt: skip
    notes = (
        "In percent: how much of one side's running text the other side's vocabulary covers. Names "
        "and values count as words.",
    )
    return ResultTable("Vocabulary", header, rows, notes)


def bigrams(figures: Result) -> ResultTable:
    """Return the table of bigrams that differ most."""
    rows: list[Row] = [
        [row["first"], row["then"], 100 * row["simulated"], 100 * row["real"], row["adds"]]
        for row in figures["bigrams"]
    ]
    header = ("first", "then", "simulated, percent", "real, percent", "adds, bits")
    return ResultTable("Acts, two in a row, that differ most", header, rows)


def order(what: str, rows: list[Result]) -> ResultTable:
    """Return the table of pairs whose order differs most."""
    body: list[Row] = [
        [owned(row["of"], row["first"]), owned(row["of"], row["then"]), 100 * row["simulated"],
         100 * row["real"], row["n"]]
        for row in rows
    ]  # fmt: skip
    header = ("first", "then", "simulated, percent", "real, percent", "dialogues")
    notes = ("In percent: dialogues in which the first comes before the other.",)
    return ResultTable(f"Order of {what}: what differs most", header, body, notes)


def tables(figures: Result) -> Iterator[ResultTable]:
    """Yield the tables for a terminal: all but those of the largest differences."""
    each = (distances, recognised, marks, worded, fluency, coverage, vocabulary)
    yield from (table for table in (of(figures) for of in each) if table.rows)


def report(names: tuple[str, str], figures: Result, signature: str) -> str:
    """Return a whole page: distances, then each thing that is compared with its plot and table."""
    lead = tiles((f"{side} dialogues", n) for side, n in figures["dialogues"].items())
    sections = [
        Section("Distances", _bars(figures) + noted_table(distances(figures), digits=3)),
        Section(
            "Acts",
            _bigram_plot(figures) + noted_table(bigrams(figures), digits=3)
            if figures["bigrams"]
            else "",
        ),
        Section("Lengths", _histograms(figures)),
        Section(
            "Words",
            noted_table(vocabulary(figures), digits=3) + _words(figures)
            if figures["words"]
            else "",
        ),
        Section("Simulated or real", _if_any(recognised(figures)) + _if_any(marks(figures))),
        Section("Wording", _if_any(worded(figures)) + _if_any(fluency(figures), digits=1)),
        Section("Orders", "".join(_orders(figures))),
        Section("Schemas", _if_any(coverage(figures))),
        Section("How to reproduce it", paragraph(signature, "note")),
    ]
    return page(f"{names[0]} and {names[1]}", sections, kind="dialoom distance", lead=lead)


def _if_any(table: ResultTable, digits: int = 3) -> str:
    return noted_table(table, digits=digits) if table.rows else ""


def _bars(figures: Result) -> str:
    groups = [
        Group(row["what"], (Bar.percent(row["distance"]), Bar.percent(row["within"])))
        for row in figures["distances"]
        if row["unit"] in ("bits", "share")
    ]
    series = [Series("simulated to real"), Series("within real", reference=True)]
    return bars(groups, series, "divergence and disagreement, in hundredths of the largest")


def _bigram_plot(figures: Result) -> str:
    groups = [
        Group(
            f"{row['first']} → {row['then']}",
            (Bar.percent(row["simulated"]), Bar.percent(row["real"])),
        )
        for row in figures["bigrams"]
    ]
    limit = max(100 * max(row["simulated"], row["real"]) for row in figures["bigrams"])
    series = [Series("simulated"), Series("real")]
    return bars(
        groups, series, "steps that follow one another, percent of all", limit=axis_end(limit)
    )


def _histograms(figures: Result) -> str:
    titles = {f"tokens an utterance, {agent}": each for agent, each in figures["lengths"].items()}
    titles["utterances a dialogue"] = figures["turns"]
    return "".join(
        f"<h3>{text(title)}</h3>\n<figure>\n"
        + columns([(side, _capped(each)) for side, each in sides.items()], title)
        + "</figure>\n"
        for title, sides in titles.items()
    ) + paragraph(f"Values above {LONGEST} are shown at {LONGEST}.", "note")


def _capped(histogram: Mapping[str, int]) -> dict[str, int]:
    bins: dict[str, int] = {}
    for value, n in histogram.items():
        key = str(min(int(value), LONGEST))
        bins[key] = bins.get(key, 0) + n
    return bins


def _words(figures: Result) -> str:
    return cards(
        counts(f"only {side}, {agent}", words[f"only_{side}"])
        for agent, words in figures["words"].items()
        for side in ("real", "simulated")
        if words[f"only_{side}"]
    )


def _orders(figures: Result) -> Iterator[str]:
    for what, rows in figures["orders"].items():
        if rows:
            yield f"<h3>{text(what)}</h3>\n{noted_table(order(what, rows), digits=3)}"
