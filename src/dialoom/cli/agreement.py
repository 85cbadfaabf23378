"""`dialoom agreement`: how far the annotators of a corpus agree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from dialoom.cli.command import Bounds
from dialoom.cli.options import FormatName, JsonFile, Seed
from dialoom.cli.output import report
from dialoom.errors import UsageError, check_name

if TYPE_CHECKING:
    from dialoom.quality.agreement import Ratings


def agreement(
    corpus: Path,
    only: list[str] | None = None,
    samples: Annotated[int, Bounds(1, 100000)] = 1000,
    seed: Seed = 0,
    most: Annotated[int, Bounds(0, 10000)] = 20,
    format: FormatName = None,
    json: JsonFile = None,
) -> None:
    """Measure the agreement of a corpus's annotators, and list where they disagree.

    Each layer of an utterance is an annotator's; Taskmaster-1 has two annotators in one layer.
    Figures are Krippendorff's alpha, Fleiss' and Cohen's kappa and F1 with 95 % intervals, of spans
    (by words; F1 of exact spans), acts, their arguments, intents, states, active frames and grades,
    also by label and by pair. Pre-labels are counted as kept, changed, removed or added.

    Example: dialoom agreement corpora/taskmaster1 --json agreement.json

    Args:
        corpus (CORPUS): A corpus folder or file.
        only (--annotator, NAME): Compare only these annotators; repeatable.
        samples: Bootstrap resamples for each interval.
        most: Most disagreements to print of each kind.
    """
    from dialoom import formats
    from dialoom.quality.agreement import Ratings, compare
    from dialoom.quality.agreement.comparing import signature
    from dialoom.quality.agreement.report import tables

    read = formats.load(corpus, format)
    ratings = Ratings(formats.get(read.format).traits, only or ()).add_all(read.tracked())
    _check(ratings, corpus, only or [])
    figures = compare(ratings, samples=samples, seed=seed)
    signed = signature(samples, seed, {"format": read.format, "digest": read.digest})
    report({"signature": signed, **figures}, json, [signed], tables(figures, most), digits=3)


def _check(ratings: Ratings, corpus: Path, only: list[str]) -> None:
    for name in only:
        check_name("annotator", name, ratings.annotators)
    if not ratings.counts and not ratings.fates.counts:
        names = ", ".join(sorted(ratings.annotators)) or "none"
        raise UsageError(
            f"{corpus}: no utterance has two annotators (annotators: {names}); agreement is "
            "between the layers of one utterance",
            code="too-few",
        )
