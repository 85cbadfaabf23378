"""`dialoom rank`: the official result file of DSTC6 items, by a model learnt from dialogues."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dialoom.cli.output import STDOUT, report, write_out
from dialoom.errors import MissingDataError
from dialoom.render.progress import track
from dialoom.render.tables import counted

if TYPE_CHECKING:
    from dialoom.formats.babi.lists import KnowledgeBase


def rank(
    items: Path,
    train: Path,
    out: Path,
    kb: list[Path] | None = None,
    json: Path | None = None,
) -> None:
    """Rank the candidates of each dialogue of a DSTC6 file by a model fitted on other dialogues.

    The model learns from the histories in the folder of --train, and from answers in its files. It
    reads the knowledge-base files in the folder of the training dialogues.

    Example: dialoom rank dialog-task1API-….json --kb kb.txt --train bookings/train --out r.json

    Args:
        items (ITEMS): A file of dialogues and their candidates.
        train (--train, FOLDER): Folder of the dialogues to learn from.
        out (--out): Write the result file here; - is stdout.
        kb: Knowledge-base file; repeatable; default: those in the folder of ITEMS.
        json: Write a record of the run to this JSON file; - is stdout.
    """
    from dialoom import formats
    from dialoom.bench.core.protocol import examples
    from dialoom.bench.dstc6.knowledge import found_near, schemas_of
    from dialoom.bench.dstc6.rankings import by_model
    from dialoom.bench.protocols.dstc6_history import HistorySettings, training
    from dialoom.corpus.files import exists
    from dialoom.formats.babi.lists import load_kb
    from dialoom.formats.dstc6 import FORMAT
    from dialoom.formats.dstc6.results import render_results
    from dialoom.models.ranker import Ranker

    bases: list[KnowledgeBase] = [load_kb(file) for file in kb or ()]
    bases = bases or list(found_near(items).values())
    dialogues = list(track(FORMAT.read_file(items, items.parent), "reading"))
    if not exists(train):
        raise MissingDataError(f"{train}: no such folder; --train names one")
    corpus = formats.load(formats.locate(train, FORMAT.name))
    learnt = training(corpus, HistorySettings()) if corpus.format == FORMAT.name else []
    if not learnt:
        raise MissingDataError(
            f"{train}: there are no DSTC6 files with turns of a bot to learn from",
            code="nothing-to-learn",
        )
    model = Ranker(adapt=True)
    model.fit(examples(learnt), schemas_of(found_near(corpus.path).values()))
    rankings = list(by_model(dialogues, model, schemas_of(bases)))
    write_out(render_results(rankings), out)
    record = {"dialogues": len(rankings), "learnt": len(learnt), "lists": len(bases)}
    line = f"{counted(len(rankings), 'ranking')} learnt from {counted(len(learnt), 'turn')}: {out}"
    report(record, json, () if out == STDOUT else (line,))
