"""Labels, texts and calls: a JSON object for each answer, in lines or a list, or GEM's values.

    {"dialogue": 12, "event": 7, "predicted": "query"}            # as `bench --predictions`
    {"dialogue": 12, "event": 7, "predicted": "query", "ranking": ["query", "bye"]}
    {"dialog_id": "1_00000", "turn_id": 1, "prediction": "When?"} # GEM's item with an answer
    {"gem_id": "sgd-1_00000-1", "values": ["When?"]}
    {"gem_id": "schema_guided_dialog-validation-0", "values": ["When?"]}
    {"tasks": {"schema_guided_dialog_validation": {"values": ["When?"], "keys": ["sgd-1_00000-1"]}}}
    {"dialogue": 12, "event": 9, "call": "weather(Day='Sunday')"} # or {"name": …, "arguments": {}}

Texts without ids, such as GEM's values without keys, a list of texts or the lines of a `.txt` file,
are in the order of the questions, and must be as many. GEM's own running ids are those of its file
of items (`-P items=FILE`); where a file answers all of them, 0 to the last, they are that order.
Candidates may also be in DSTC6's result files, one or a folder of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dialoom.bench.answers.matching import GivenAnswer, Place, place_of
from dialoom.bench.core.predictions import CallLine
from dialoom.bench.core.protocol import Plan, Target
from dialoom.corpus.files import read_bytes
from dialoom.dialogue import Choice, NextAction, NextCall, NextReply, Options, Prediction, Realise
from dialoom.dialogue.dialogue import Dialogue
from dialoom.dialogue.question import kind_name
from dialoom.dialogue.spelled_calls import call
from dialoom.errors import FormatError, MissingDataError, UsageError
from dialoom.formats.base.framing import LINES, OBJECT, form_of, values
from dialoom.formats.dstc6.results import Ranking, load_results

DIALOGUES = ("dialogue", "dialog_id", "dialogue_id", "DialogueID")
EVENTS = ("event", "turn", "turn_id", "event_id")
ANSWERED = ("predicted", "prediction", "response", "reply", "action", "call", "output", "values")
"""The keys of a row under which systems write the dialogue, the event and the answer."""

_GEM_ID = re.compile(r"sgd-(.+)-(\d+)")
"""The id of an item of `convert --to gem-generation`."""

_RUNNING = re.compile(r"(.+)-(\d+)")
"""A running id of GEM's own items."""


def rows(path: Path, plan: Plan) -> Iterator[GivenAnswer]:
    """Yield a file's answers; `FormatError` for others, `UsageError` for unreadable kinds."""
    if plan.kind not in (NextAction, NextReply, NextCall, Realise, Choice):
        raise UsageError(
            f"{plan.protocol}: answers of the kind {kind_name(plan.kind)} have no file",
            code="wrong-kind",
        )
    if path.is_dir():
        raise FormatError(
            path,
            "is a folder; expected a file with a JSON object for each answer",
            code="not-a-file",
        )
    data = read_bytes(path)
    lines = data.decode().splitlines() if path.suffix == ".txt" else values(data, path)
    if lines and all(isinstance(each, str) for each in lines):
        lines = [{"values": lines}]
    if len(lines) == 1 and isinstance(lines[0], dict) and (lists := _lists(lines[0])) is not None:
        yield from _of_lists(lists, path, plan)
        return
    if not lines:
        raise FormatError(path, "has no answer", code="empty")
    ids = _ids((row.get("gem_id") for row in lines if isinstance(row, dict)), plan)
    for number, row in enumerate(lines, 1):
        yield _row(row, f"{path}, answer {number}", plan, ids)


def _asked(plan: Plan) -> list[Target]:
    return [target for each in plan.holdouts for target in each.test if not target.aside]


def _ids(names: Iterable[Any], plan: Plan) -> Mapping[str, tuple[str, int]]:
    """Return the places of published ids, of all running ones if none is missing."""
    matches = [_RUNNING.fullmatch(name) if isinstance(name, str) else None for name in names]
    numbered = {int(match[2]): match for match in matches if match}
    targets = _asked(plan)
    complete = sorted(numbered) == list(range(len(matches))) and len(matches) == len(targets)
    if plan.ids or not complete or len({match[1] for match in numbered.values()}) > 1:
        return plan.ids
    return {numbered[n][0]: (target.source, target.event) for n, target in enumerate(targets)}


def _lists(value: dict[str, Any]) -> dict[str, Any] | None:
    """Return GEM's values and keys, of a submission or its only task, else None."""
    tasks = value.get("tasks", value.get("submission"))
    if isinstance(tasks, dict):
        matches = [task for task in tasks.values() if isinstance(task, dict) and "values" in task]
        return matches[0] if len(matches) == 1 else tasks if "values" in tasks else {}
    has_place = any(key in value for key in ("gem_id", *DIALOGUES))
    return value if isinstance(value.get("values"), list) and not has_place else None


def _of_lists(lists: dict[str, Any], path: Path, plan: Plan) -> Iterator[GivenAnswer]:
    texts, keys = lists.get("values"), lists.get("keys")
    if not isinstance(texts, list):
        raise FormatError(path, "expected one task with a list `values` of texts")
    targets = _asked(plan)
    if keys is None and len(texts) != len(targets):
        what = f"has {len(texts)} values without keys, for {len(targets)} questions"
        raise FormatError(path, what)
    if keys is not None and (not isinstance(keys, list) or len(keys) != len(texts)):
        raise FormatError(path, f"expected `keys` to be a list of {len(texts)}, as `values`")
    ids = _ids(keys or (), plan)
    for number, text in enumerate(texts):
        place = f"{path}, value {number + 1}"
        where = place_of(targets[number]) if keys is None else _of_id(keys[number], place, ids)
        yield GivenAnswer(where, _answer({"predicted": text}, place, plan))


def _of_id(name: Any, place: str, ids: Mapping[str, tuple[str, int]]) -> Place:
    if isinstance(name, str) and name in ids:
        return *ids[name], ""
    match = _GEM_ID.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        what = f"the id {name!r} names no dialogue and turn, as sgd-DIALOGUE-TURN does"
        hint = "add `dialog_id` and `turn_id`, or name GEM's file of items (-P items=FILE)"
        raise FormatError(place, f"{what}; {hint}")
    return match[1], int(match[2]), ""


def _row(row: Any, place: str, plan: Plan, ids: Mapping[str, tuple[str, int]]) -> GivenAnswer:
    if not isinstance(row, dict):
        raise FormatError(place, "expected an object with `dialogue`, `event` and `predicted`")
    dialogue = next((row[key] for key in DIALOGUES if key in row), None)
    event = next((row[key] for key in EVENTS if key in row), None)
    label = row.get("set", "")
    holdout = row.get("holdout", "")
    if dialogue is None and "gem_id" in row:
        where = _of_id(row["gem_id"], place, ids)
    elif isinstance(dialogue, str | int) and type(event) is int:
        where = str(dialogue), event, str(label)
    else:
        raise FormatError(place, "expected `dialogue` and the number `event` or `turn`")
    unread = str(row.get("unreadable", ""))
    gold = row.get("gold") if plan.kind is not NextCall else None
    known = gold if isinstance(gold, str) else None
    return GivenAnswer(where, _answer(row, place, plan), str(holdout), unread, known)


def _answer(row: Mapping[str, Any], place: str, plan: Plan) -> Prediction[Any]:
    if plan.kind is NextCall and "api" in row:
        try:
            line = msgspec.convert({"holdout": "", "dialogue": 0, "event": 0, **row}, CallLine)
        except msgspec.ValidationError as error:
            raise FormatError(place, f"not a prediction of a call: {error}") from error
        return line.prediction(plan.schemas)
    value = next((row[key] for key in ANSWERED if key in row), None)
    if plan.kind is NextCall:
        return Prediction(call(value, place))
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str):
        raise FormatError(place, f"expected a text as answer, one of {', '.join(ANSWERED)}")
    ranking = row.get("ranking")
    if ranking is None and not plan.ranks:
        return Prediction(value)
    if not isinstance(ranking, list) or not all(isinstance(name, str) for name in ranking):
        what = "expected `ranking`, a list of texts with the best one first: ranks are scored"
        raise FormatError(place, what, code="no-key")
    return Prediction(value, tuple((name, 0.0) for name in ranking))


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
            yield _ranked(ranking, index.get(ranking.dialogue), file, plan)


def _ranked(ranking: Ranking, dialogue: Dialogue | None, file: Path, plan: Plan) -> GivenAnswer:
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
