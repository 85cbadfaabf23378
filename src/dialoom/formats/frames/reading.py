"""Frames JSON to dialogues: searches before the wizard's turns, acts with references, frames."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Answer,
    Dialogue,
    Event,
    Frame,
    FrameValue,
    Layer,
    Origin,
    Part,
    Utterance,
)
from dialoom.formats.base import json_file
from dialoom.formats.base.fields import LAYOUT, Fields, Json, Place
from dialoom.formats.frames import searches
from dialoom.formats.frames.acts import SCALARS, dereferenced, read_acts, same

AUTHORS = {"user": USER, "wizard": SYSTEM}
NAMES = {agent: author for author, agent in AUTHORS.items()}
WORKERS = {"user_id": USER, "wizard_id": SYSTEM}
SURVEY = ("userSurveyRating", "wizardSurveyTaskSuccessful")
WITHOUT = "without_references"
"""The source of the layer with `acts_without_refs`, kept where `acts` do not give them."""

FILE, AT, TOP, FRAMES, TURN = "file", "at", "top", "frames", "turn"
"""Marks: the file's layout; an answer at the top; frames beside the labels."""


def asked(question: str) -> str | None:
    """Return the agent whom a question of the survey is put to, by how its key begins."""
    return next((agent for name, agent in AUTHORS.items() if question.startswith(name)), None)


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a file's content.

    Raises:
        FormatError: It is not Frames JSON.
    """
    layout = json_file.layout(data)
    for index, raw in enumerate(json_file.values(data, file)):
        yield dialogue(raw, Origin(name, index), file, layout)


def dialogue(raw: Any, origin: Origin, file: Path, layout: Json) -> Dialogue:
    """Return one dialogue."""
    fields = Fields(raw, Place(file, dialogue=f"number {origin.index}"))
    name = fields.take("id", str)
    place = Place(file, name)
    workers = {}
    for key, worker in WORKERS.items():
        if key not in fields or type(fields.get(key)) is str:
            workers[worker] = fields.take(key, str, default="")
    turns = fields.take("turns", list)
    answers = list(_answers(Fields(fields.take("labels", dict, default={}), place), fields))
    for key in SURVEY:
        if type(fields.get(key)) in SCALARS and key in fields:
            answer, agent = fields.take(key, *SCALARS), asked(key)
            answers.append(Answer(agent or USER, key, answer, {LAYOUT: {AT: TOP}}))
    return Dialogue(
        id=name,
        workers={agent: worker for agent, worker in workers.items() if worker},
        answers=tuple(answers),
        events=tuple(
            event
            for index, turn in enumerate(turns)
            for event in _turn(turn, index, Place(file, name, index))
        ),
        origin=origin,
        extra=fields.extra({FILE: layout} if layout else {}),
    )


def _answers(labels: Fields, fields: Fields) -> Iterator[Answer]:
    """Yield the answers among the labels; what else is there stays."""
    for key in labels:
        agent = asked(key)
        if agent is not None and type(labels.get(key)) in SCALARS:
            yield Answer(agent, key, labels.take(key, *SCALARS))
    left = labels.extra()
    if left:
        fields.keep("labels", left)


def _turn(raw: Any, index: int, place: Place) -> Iterator[Event]:
    fields = Fields(raw, place, "turn")
    if type(fields.get("db")) is dict:
        events, left = searches.read(fields.take("db", dict), index, place)
        yield from events
        if left or not events:
            fields.keep("db", left)
    author = fields.take("author", str)
    agent = AUTHORS.get(author, author)
    if NAMES.get(agent, agent) != author:
        fields.keep("author", author)
    stamp = fields.take("timestamp", *SCALARS, default=None)
    time = searches.milliseconds(stamp)
    if type(stamp) is not type(time) or stamp != time:
        fields.keep("timestamp", stamp)
    text = fields.take("text", str)
    layers = _layers(fields, place)
    yield Utterance(agent=agent, text=text, time=time, layers=layers, extra=fields.extra())


def _layers(turn: Fields, place: Place) -> tuple[Layer, ...]:
    annotated = "labels" in turn
    labels = Fields(turn.take("labels", dict, default={}), place, "labels")
    marks: Json = {}
    frames = None
    if FRAMES in turn and FRAMES not in labels:
        frames = turn.take(FRAMES, list)
        marks[FRAMES] = TURN
    elif annotated:
        frames = _list(labels, FRAMES)
    if not annotated:
        gold = Part(frames=_frames(frames, place), extra={LAYOUT: marks} if marks else {})
        return () if frames is None else (Layer(GOLD, (gold,)),)
    acts = _list(labels, "acts")
    said = None if acts is None else read_acts(acts, place)
    derived = dereferenced(said or ())
    plain = _list(labels, "acts_without_refs")
    without = derived if plain is None else read_acts(plain, place)
    active = None
    if type(labels.get("active_frame")) in (int, type(None)):
        active = labels.take("active_frame", int, type(None), default=None)
    gold = Part(
        acts=said, frames=_frames(frames, place), active_frame=active, extra=labels.extra(marks)
    )
    layer = Layer(GOLD, (gold,))
    return (layer,) if same(without, derived) else (layer, Layer(WITHOUT, (Part(acts=without),)))


def _list(labels: Fields, key: str) -> list[Any] | None:
    """Take a list; null stays in `extra` and says as little as an absent one."""
    if key in labels and labels.get(key) is None:
        return None
    taken: list[Any] | None = labels.take(key, list, default=None)
    return taken


def _frames(raw: list[Any] | None, place: Place) -> tuple[Frame, ...] | None:
    return None if raw is None else tuple(_frame(frame, place) for frame in raw)


def _frame(raw: Any, place: Place) -> Frame:
    fields = Fields(raw, place, "frame")
    requests: list[str] = []
    held = fields.get("requests")
    if "requests" not in fields or (type(held) is list and all(type(r) is str for r in held)):
        requests = fields.take("requests", list, default=[])
    info, odd = {}, {}
    for slot, values in fields.take("info", dict, default={}).items():
        if type(values) is list and all(map(_is_value, values)):
            info[slot] = tuple(_value(value, place) for value in values)
        else:
            odd[slot] = values
    if odd:
        fields.keep("info", odd)
    return Frame(
        id=fields.take("frame_id", int),
        parent=fields.take("frame_parent_id", int, type(None), default=None),
        info=info,
        requests=tuple(requests),
        binary_questions=tuple(fields.take("binary_questions", list, default=[])),
        compare_requests=tuple(fields.take("compare_requests", list, default=[])),
        extra=fields.extra(),
    )


def _is_value(raw: Any) -> bool:
    """Tell whether something can be the value of a slot; else the slot is kept as it is."""
    if type(raw) is not dict or "val" not in raw or type(raw["val"]) not in SCALARS:
        return False
    return type(raw.get("negated", False)) is bool


def _value(raw: Json, place: Place) -> FrameValue:
    fields = Fields(raw, place, "value")
    value = fields.take("val", *SCALARS)
    return FrameValue(value, fields.take("negated", bool, default=False), fields.extra())
