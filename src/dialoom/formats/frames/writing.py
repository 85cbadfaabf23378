"""Dialogues to Frames JSON: every key of the layout, but those that the source left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dialoom.dialogue import (
    Act,
    Dialogue,
    Event,
    Frame,
    FrameValue,
    Part,
    Query,
    Result,
    Utterance,
)
from dialoom.formats.base import json_file
from dialoom.formats.base.fields import Json, annotation, marks, rest, without_absent
from dialoom.formats.frames import searches
from dialoom.formats.frames.acts import dereferenced, write_acts
from dialoom.formats.frames.reading import (
    AT,
    AUTHORS,
    FILE,
    FRAMES,
    NAMES,
    SURVEY,
    TOP,
    TURN,
    WITHOUT,
    WORKERS,
    asked,
)

_DIALOGUE = frozenset({"id", "user_id", "wizard_id", "labels", "turns"})
_TURN = frozenset({"author", "text", "timestamp", "labels", "db", FRAMES})
_LABELS = frozenset({"acts", "acts_without_refs", "active_frame", FRAMES})
_LISTS = ("requests", "binary_questions", "compare_requests")
_FRAME = frozenset({"frame_id", "frame_parent_id", "info", *_LISTS})


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return the file of these dialogues, laid out as the first one's was."""
    layout = marks(dialogues[0].extra).get(FILE) if dialogues else None
    return json_file.render(list(map(to_json, dialogues)), layout)


def to_json(dialogue: Dialogue) -> Json:
    """Return one dialogue as the JSON value it is published as."""
    raw: Json = {"id": dialogue.id}
    for key, agent in WORKERS.items():
        odd = dialogue.extra.get(key) if agent not in dialogue.workers else None
        raw[key] = dialogue.workers.get(agent, "" if key not in dialogue.extra else odd)
    labels, top = _survey(dialogue)
    raw["labels"] = labels
    raw = raw | top | {"turns": list(_turns(dialogue.events))}
    raw = without_absent(raw, dialogue.extra, {"user_id": "", "wizard_id": "", "labels": {}})
    return raw | rest(dialogue.extra, {*_DIALOGUE, *top})


def _survey(dialogue: Dialogue) -> tuple[Json, Json]:
    """Return the labels of a dialogue, and the answers that stand at its top."""
    left = dialogue.extra.get("labels")
    labels: Json = {}
    top: Json = {}
    for answer in dialogue.answers:
        if asked(answer.question) == answer.agent:
            high = marks(answer.extra).get(AT) == TOP and answer.question in SURVEY
            (top if high else labels).setdefault(answer.question, answer.answer)
    return labels | (rest(left, labels) if isinstance(left, dict) else {}), top


def _turns(events: Sequence[Event]) -> Iterator[Json]:
    queries: list[Query] = []
    results: dict[str, Result] = {}
    for event in events:
        if isinstance(event, Query):
            queries.append(event)
        elif isinstance(event, Result):
            results.setdefault(event.query, event)
        elif isinstance(event, Utterance):
            turn = _turn(event)
            if queries or "db" in event.extra:
                turn["db"] = searches.write(queries, results, event.extra.get("db"))
            yield turn
            queries, results = [], {}


def _turn(event: Utterance) -> Json:
    layer = annotation(event)
    parts = layer.parts if layer else ()
    frames = [_frame(frame) for part in parts for frame in part.frames or ()]
    beside = any(marks(part.extra).get(FRAMES) == TURN for part in parts)
    labels = _labels(event, parts) | ({} if beside else {FRAMES: frames})
    extra = parts[0].extra if parts else {}
    empty: Json = {"acts": [], "acts_without_refs": _derived(parts), "active_frame": None}
    empty = empty if beside else empty | {FRAMES: []}
    labels = without_absent(labels, extra, empty)
    unsaid = {key for key, nothing in empty.items() if labels.get(key, 0) == nothing}
    labels |= rest(extra, _LABELS - {key for key in unsaid if _unnamed(key, extra)})
    raw: Json = {
        "author": _author(event),
        "text": event.text,
        "timestamp": _timestamp(event),
        "labels": labels,
    }
    nothing: Json = {"acts": [], "acts_without_refs": [], "active_frame": None, FRAMES: []}
    nothing = {key: value for key, value in nothing.items() if key in labels}
    raw = without_absent(raw, event.extra, {"timestamp": None, "labels": nothing})
    if beside:
        raw[FRAMES] = frames
    return raw | rest(event.extra, _TURN - {FRAMES} if FRAMES in labels else _TURN)


def _unnamed(key: str, extra: Json) -> bool:
    """Tell whether `extra` has a key's value because the model has none for it."""
    return key == "active_frame" or (key in extra and extra[key] is None)


def _labels(event: Utterance, parts: tuple[Part, ...]) -> Json:
    active = [part.active_frame for part in parts if part.active_frame is not None]
    layers = (layer for layer in event.layers if layer.source == WITHOUT)
    other = next((_acts(layer.parts) for layer in layers), None)
    return {
        "acts": write_acts(_acts(parts)),
        "acts_without_refs": _derived(parts) if other is None else write_acts(other),
        "active_frame": active[0] if active else None,
    }


def _acts(parts: tuple[Part, ...]) -> tuple[Act, ...]:
    return tuple(act for part in parts for act in part.acts or ())


def _derived(parts: tuple[Part, ...]) -> list[Json]:
    return write_acts(dereferenced(_acts(parts)))


def _author(event: Utterance) -> str:
    """Return the author's name as read, as long as it still names this agent."""
    read = event.extra.get("author")
    if isinstance(read, str) and AUTHORS.get(read, read) == event.agent:
        return read
    return NAMES.get(event.agent, event.agent)


def _timestamp(event: Utterance) -> Any:
    read = event.extra.get("timestamp")
    same = "timestamp" in event.extra and searches.milliseconds(read) == event.time
    return read if same else event.time


def _frame(frame: Frame) -> Json:
    left = frame.extra.get("info")
    odd = rest(left, frame.info) if isinstance(left, dict) else {}
    requests: Any = list(frame.requests)
    if not requests and "requests" in frame.extra:
        requests = frame.extra["requests"]
    raw: Json = {
        "frame_id": frame.id,
        "frame_parent_id": frame.parent,
        "requests": requests,
        "binary_questions": list(frame.binary_questions),
        "compare_requests": list(frame.compare_requests),
        "info": {slot: list(map(_value, values)) for slot, values in frame.info.items()} | odd,
    }
    empty: Json = {"frame_parent_id": None, "info": {}, **{key: [] for key in _LISTS}}
    return without_absent(raw, frame.extra, empty) | rest(frame.extra, _FRAME)


def _value(value: FrameValue) -> Json:
    raw = {"val": value.value, "negated": value.negated}
    return without_absent(raw, value.extra, {"negated": False}) | rest(
        value.extra, ("val", "negated")
    )
