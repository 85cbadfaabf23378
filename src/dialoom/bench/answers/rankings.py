"""Candidates: lines of `bench --predictions`, or DSTC6's result files, one or a folder of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dialoom.bench.answers.matching import GivenAnswer
from dialoom.bench.answers.rows import rows
from dialoom.bench.core.protocol import Plan
from dialoom.corpus.files import read_bytes
from dialoom.dialogue import Dialogue, Options, Prediction
from dialoom.errors import FormatError, MissingDataError, UsageError
from dialoom.formats.base.framing import LINES, OBJECT, form_of
from dialoom.formats.dstc6.results import Ranking, load_results


def rankings(path: Path, plan: Plan) -> Iterator[GivenAnswer]:
    """Yield a file's answers, or rankings of last candidates; `FormatError` for other files."""
    if path.is_file() and form_of(read_bytes(path)) in (LINES, OBJECT):
        yield from rows(path, plan)
        return
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise MissingDataError(f"{path}: has no result file (*.json)", code="no-files")
    sources = {t.source for each in plan.holdouts for t in each.test}
    index = {each.id: each for each in plan.data.corpus.dialogues() if each.id in sources}
    for file in files:
        for ranking in load_results(file):
            yield _given(ranking, index.get(ranking.dialogue), file, plan)


def _given(ranking: Ranking, dialogue: Dialogue | None, file: Path, plan: Plan) -> GivenAnswer:
    if dialogue is None:
        what = f"answers dialogue {ranking.dialogue}, about which nothing is asked"
        raise FormatError(file, what)
    last = dialogue.events[-1]
    if plan.protocol != "dstc6" or not isinstance(last, Options):
        raise UsageError(f"{plan.protocol}: its candidates have no result files, as dstc6's have")
    numbers = {each.id: str(n) for n, each in enumerate(last.candidates)}
    for name, _ in ranking.candidates:
        if name not in numbers:
            what = f"ranks {name!r}, which is none of its candidates"
            raise FormatError(file, what, dialogue=dialogue.id)
    ordered = sorted(ranking.candidates, key=lambda pair: pair[1])
    if len({name for name, _ in ordered}) < len(ordered):
        raise FormatError(file, "ranks a candidate twice", dialogue=dialogue.id, code="twice")
    if len({rank for _, rank in ordered}) < len(ordered):
        raise FormatError(file, "gives two candidates one rank", dialogue=dialogue.id, code="twice")
    if not ordered:
        raise FormatError(file, "ranks no candidate", dialogue=dialogue.id, code="no-key")
    scores = tuple((numbers[name], -float(rank)) for name, rank in ordered)
    place = dialogue.id, len(dialogue.events) - 1, ""
    return GivenAnswer(place, Prediction(scores[0][0], scores))
