"""Answers that other systems wrote to files: read, matched with a plan's questions, and scored.

system = matched(plan, read(path, plan), path, partial=False)
result = score(plan, [system])[0]

A file names a question by its dialogue and turn (or event), as the corpus does. Each protocol's
kind of question has its own readers:

    state        a folder in SGD's layout; MultiWOZ's {dialogue: [{"state": {domain: {slot: v}}}]}
    choice       lines as `bench --predictions`; DSTC6's result files, one or a folder of them
    next-calls   BFCL's result files, one or a folder of them
    realise      GEM's items or {"values": […], "keys": […]}
    other kinds  lines or a list of {"dialogue", "event", "predicted"}, as `bench --predictions`
"""

from __future__ import annotations

from pathlib import Path

from dialoom.bench.answers.calls import call_lists
from dialoom.bench.answers.matching import AnsweringSystem, GivenAnswer, matched, score
from dialoom.bench.answers.rated import rated
from dialoom.bench.answers.rows import rankings, rows
from dialoom.bench.answers.states import states
from dialoom.bench.core.protocol import Plan
from dialoom.corpus.files import exists
from dialoom.dialogue import Choice, NextCalls, StateOf
from dialoom.errors import MissingDataError

READERS = {StateOf: states, Choice: rankings, NextCalls: call_lists}
"""Kind of question to the reader of its files; `rows` reads those of other kinds."""

__all__ = ["AnsweringSystem", "GivenAnswer", "matched", "rated", "read", "score"]


def read(path: Path, plan: Plan) -> list[GivenAnswer]:
    """Read a plan's answers of a file or folder; `FormatError`, `UsageError` for other kinds."""
    if not exists(path):
        raise MissingDataError(f"{path}: no such file or folder")
    read_kind = READERS.get(plan.kind, rows)
    return list(read_kind(path, plan))
