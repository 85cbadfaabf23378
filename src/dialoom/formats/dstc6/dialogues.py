"""Items as dialogues, and back; the last event has the candidates for the next bot turn.

    about("tst4/dialog-task3OPTIONS-kb2_atmosphere_restrictions-distr0.5-tst1000.json")
    # About(task="task3OPTIONS", kb="kb2", slots=("atmosphere", "restrictions"), part="tst1000")

The name of a file has the task, the knowledge base, and the slots of its calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from dialoom.corpus.files import parse_json
from dialoom.dialogue import KB, SYSTEM, USER, Candidate, Dialogue, Event, Options, Origin
from dialoom.errors import FormatError
from dialoom.formats.babi.dialect import BASE, NO_RESULT, Dialect
from dialoom.formats.babi.dialogues import Reader, answer_parts, to_lines
from dialoom.formats.babi.facts import read_fact
from dialoom.formats.base.codec import Key, Place, Record, marked, marks
from dialoom.formats.base.values import TEXT, TEXTS, Json, Many
from dialoom.formats.dstc6.results import Answers, answer_suffix, read_answers

MORE = ("atmosphere", "restrictions")
"""Slots that the challenge adds to bAbI's, in the order of a call."""

_NAME = re.compile(
    r"(?:.*/)?dialog-(task[^-/]+)-([A-Za-z0-9]+)((?:_[A-Za-z0-9]+)*)-(?:[^/]*-)?([^-/]+)\.json"
)


class About(NamedTuple):
    """The parts of a file's name."""

    task: str
    kb: str
    slots: tuple[str, ...]
    part: str


def about(name: str) -> About | None:
    """Return the parts of a file's name; None if it is not one of the challenge's."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return About(match[1], match[2], tuple(match[3].split("_")[1:]), match[4])


@lru_cache(maxsize=64)
def dialect(name: str) -> Dialect:
    """Return the spelling of calls: bAbI's four slots, and those in a file's name, if any."""
    facts = about(name)
    extras = facts.slots if facts else ()
    slots = [*BASE, *(slot for slot in dict.fromkeys((*extras, *MORE)) if slot not in BASE)]
    layouts = tuple(tuple(slots[:size]) for size in range(len(BASE), len(slots) + 1))
    return Dialect(prefix="r_", silence="<silence>", layouts=layouts, partial=False)


def dialect_of(dialogue: Dialogue) -> Dialect:
    """Return the spelling of a dialogue's calls: that of the file it was read from."""
    origin = dialogue.origin
    return dialect(origin.file if origin is not None and origin.index is not None else "")


def text(candidate: Candidate) -> str:
    """Return the text of a candidate, or its label if it has none."""
    return candidate.id if candidate.text is None else candidate.text


_CANDIDATE = Record(
    "a candidate",
    Candidate,
    Key("utterance", TEXT, to="text", needed=True),
    Key("candidate_id", TEXT, to="id", needed=True),
    fields=lambda candidate: {"id": candidate.id, "text": text(candidate)},
)
ITEM = Record(
    "the item",
    Dialogue,
    Key("dialog_id", TEXT, to="id", needed=True),
    Key("candidates", Many(_CANDIDATE), needed=True),
    Key("utterances", TEXTS, needed=True),
    Key("answer", _CANDIDATE, optional=True, strict=True),
)


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield a file's dialogues with the answers next to it; `FormatError` for another layout."""
    raw = parse_json(data, file)
    if not isinstance(raw, list) or not raw:
        raise FormatError(file, "expected a list of items {dialog_id, utterances, candidates}")
    answers = read_answers(file)
    language = dialect(name)
    for index, item in enumerate(raw):
        own = item.get("dialog_id") if isinstance(item, dict) else None
        has_id = isinstance(own, str)
        place = Place(file, own) if has_id else Place(Path(f"{file}, item {index}"))
        fields, extra = ITEM.load_fields(item, place)
        options = _options(fields, answers, place)
        yield Dialogue(
            id=fields["id"],
            events=(*_events(list(fields["utterances"]), language), *options),
            origin=Origin(name, index),
            extra=extra,
        )
        raw[index] = None  # frees memory: a file has megabytes of items
    answers.check_all_used()


def _options(item: Json, answers: Answers, place: Place) -> Iterator[Options]:
    candidates, answer = item["candidates"], item["answer"]
    answer_id = answers.take(item["id"])
    if answer is not None and answer_id not in (None, answer.id):
        raise place.error(f"its answer is {answer.id!r}, but {answer_id!r} in {answers.file}")
    choice = answer_id if answer is None else answer.id
    if not candidates and choice is None:
        return
    extra = {} if answer_id is None else marked({}, beside=answers.suffix, both=answer is not None)
    if answer is not None:
        same = answer.text == next((each.text for each in candidates if each.id == choice), None)
        if answer.extra or not same:
            extra = marked(extra, answer=[None if same else answer.text, answer.extra])
    yield Options(candidates=candidates, choice=choice, extra=extra)


def _events(lines: list[str], language: Dialect) -> list[Event]:
    reader = Reader(language)
    events: list[Event] = []
    bot = False
    for is_fact, run in groupby(lines, key=lambda line: _is_answer(line, language)):
        group = list(run)
        for part in answer_parts(group) if is_fact else [group]:
            result = reader.answered(part) if is_fact else None
            if result is not None:
                events.append(result)
                continue
            for line in part:
                events.append(reader.said(SYSTEM if bot else USER, line))
                bot = not bot
    return events


def _is_answer(line: str, language: Dialect) -> bool:
    return line == NO_RESULT or read_fact(line, language.prefix) is not None


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return items; silence separates turns of one side, the last `Options` are candidates."""
    return f"[{', '.join(json.dumps(item(dialogue)) for dialogue in dialogues)}]".encode()


def item(dialogue: Dialogue) -> Json:
    """Return a dialogue as an item of the format."""
    last = dialogue.events[-1] if dialogue.events else None
    options = last if isinstance(last, Options) else Options()
    choice = options.choice
    if answer_suffix(options) is not None and marks(options.extra).get("both") is not True:
        choice = None
    fields = {
        "id": dialogue.id,
        "candidates": options.candidates,
        "utterances": tuple(history(dialogue)),
        "answer": None if choice is None else _answer(options, choice),
    }
    return ITEM.write_fields(fields, dialogue.extra)


def _answer(options: Options, choice: str) -> Candidate:
    default = next((text(each) for each in options.candidates if each.id == choice), choice)
    noted = marks(options.extra).get("answer")
    wording, extra = noted if isinstance(noted, list) and len(noted) == 2 else (None, {})
    return Candidate(choice, wording if isinstance(wording, str) else default, extra)


def history(dialogue: Dialogue) -> Iterator[str]:
    """Yield the utterances of a dialogue, including calls and facts."""
    language = dialect_of(dialogue)
    expected = USER
    for agent, line in to_lines(dialogue.events, language):
        if agent in (USER, SYSTEM):
            if agent != expected:
                yield language.silence
            expected = SYSTEM if agent == USER else USER
        elif agent != KB:
            continue
        yield line
