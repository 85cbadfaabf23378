"""Calls of a turn in any order: the result files of BFCL, one or a folder of them.

    {"id": "parallel_0", "result": "[spotify.play(artist='Ada'), spotify.play(artist='Bo')]"}
    {"id": "parallel_0", "result": [{"spotify_play": "{\\"artist\\": \\"Ada\\"}"}]}
    {"id": "parallel_0", "tool_calls": [{"function": {"name": "spotify.play", "arguments": "{}"}}]}
    {"id": "multi_turn_base_0", "result": [["[cd(folder='a')]", "Done."], …]}   # steps, by turn

An answer that spells no calls is an answer without calls, and is listed as unreadable. In a turn
with several steps, those that spell no calls are words to the user. A turn after the last one of
an answer is unanswered. The function definitions next to the questions name arguments without one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

from dialoom.bench.answers.matching import GivenAnswer, Place
from dialoom.bench.core.protocol import Plan
from dialoom.corpus.files import read_bytes
from dialoom.dialogue import Prediction, Query
from dialoom.dialogue.spelled_calls import calls
from dialoom.errors import FormatError, MissingDataError, clip
from dialoom.formats.base.framing import values
from dialoom.formats.bfcl import DOCS, parameters

IDS = ("id", "dialogue", "dialogue_id")
ANSWERED = ("result", "predicted", "prediction", "tool_calls", "calls", "message", "output")
"""The keys of a row under which systems write the question's id and the calls."""

Read = partial[tuple[Query, ...]]
"""`calls` with the place of a row and the parameters of functions."""


def call_lists(path: Path, plan: Plan) -> Iterator[GivenAnswer]:
    """Yield the answers of a file or folder; `FormatError` for another file."""
    files = sorted(path.rglob("*_result.json*")) if path.is_dir() else [path]
    if not files:
        raise MissingDataError(f"{path}: has no result file (*_result.json)", code="no-files")
    questions = defaultdict[str, dict[int, bool]](dict)
    for target in (target for each in plan.holdouts for target in each.test):
        questions[target.source][target.event] = bool(target.gold)
    ids = cache(lambda: {each.id for each in plan.data.corpus.dialogues()})
    docs = sorted({each.parent / DOCS for each in plan.data.corpus.files})
    signatures = {name: names for folder in docs for name, names in parameters(folder).items()}
    for file in files:
        for number, row in enumerate(values(read_bytes(file), file), 1):
            place = f"{file}, answer {number}"
            name, answer = _fields(row, place)
            if name in questions:
                read = partial(calls, place=place, parameters=signatures)
                yield from _given(name, answer, row, questions[name], read)
            elif name not in ids():
                raise FormatError(
                    place, f"answers {clip(name)}, which is no question", code="not-asked"
                )


def _fields(row: Any, place: str) -> tuple[str, Any]:
    keys = row.keys() if isinstance(row, dict) else ()
    name = next((row[key] for key in IDS if key in keys), None)
    key = next((key for key in ANSWERED if key in keys), None)
    if not isinstance(name, str) or key is None:
        raise FormatError(place, "expected an object with `id` and `result`")
    return name, {key: row[key]} if key == "tool_calls" else row[key]


def _given(
    name: str, answer: Any, row: Any, turns: Mapping[int, bool], read: Read
) -> Iterator[GivenAnswer]:
    """Yield the answers of a row: to one turn, or to those turns in `turns` that it has."""
    if type(turn := row.get("turn")) is int:
        yield _answer((name, turn, ""), answer, read, needed=turns.get(turn, True))
    elif isinstance(answer, list) and answer and all(isinstance(each, list) for each in answer):
        for turn in (turn for turn in turns if turn < len(answer)):
            yield GivenAnswer((name, turn, ""), Prediction(tuple(_said(answer[turn], read))))
    elif len(turns) == 1 or isinstance(answer, str):
        for turn, needed in turns.items():
            yield _answer((name, turn, ""), answer, read, needed=needed)
    else:
        what = f"expected a list of steps for each turn of {clip(name)}"
        raise FormatError(read.keywords["place"], what)


def _answer(where: Place, answer: Any, read: Read, *, needed: bool) -> GivenAnswer:
    try:
        return GivenAnswer(where, Prediction(read(answer)))
    except FormatError as error:
        return GivenAnswer(where, Prediction(None), unread=str(error) if needed else "")


def _said(steps: Sequence[Any], read: Read) -> Iterator[Query]:
    """Yield the calls of a turn's steps; other steps are texts for the user."""
    for step in steps:
        with suppress(FormatError):
            yield from read(step)
