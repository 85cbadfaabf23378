"""Converts Frames JSON to dialogues and back: searches, turns, acts, frames and ratings.

Open questions in a frame were asked about it, and not answered yet:

    {"author": "user", "key": "price"}                          a request
    {"value": true, "author": "user", "key": "breakfast"}       a yes-no question
    {"keys": ["str_date"], "author": "user"}                    a comparison

A request or comparison may also be a slot's name alone, as the corpus's page suggests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import UNSET

from dialoom.dialogue import SYSTEM, USER, Answer, Dialogue, Event, Origin, Query, Result, Utterance
from dialoom.dialogue.annotation import GOLD, Act, Frame, FrameQuestion, FrameValue, Layer, Part
from dialoom.dialogue.references import dereferenced
from dialoom.dialogue.views import annotated_parts
from dialoom.formats.base.codec import Key, Place, Record, marked, marks, with_rest
from dialoom.formats.base.values import (
    ANY,
    FLAG,
    LIST,
    OBJECT,
    SCALAR,
    TEXT,
    TEXTS,
    WHOLE,
    WHOLE_OR_NULL,
    BrokenError,
    Converted,
    FunctionCodec,
    Json,
    Kind,
    Many,
    UnfitError,
    alike_values,
    renamed,
    without,
)
from dialoom.formats.frames import searches
from dialoom.formats.frames.acts import ACT_LIST

AUTHORS = {"user": USER, "wizard": SYSTEM}
AUTHOR = renamed(AUTHORS)
"""The codec of a question's author."""

_BY = Key("author", AUTHOR, to="agent", optional=True)
_ONE = Key(
    "key",
    Converted(TEXT, lambda name: (name,), lambda slots: slots[0] if slots else ""),
    to="slots",
    nothing=(),
)

REQUEST = Record("request", FrameQuestion, _BY, _ONE)
YES_NO = Record("yes-no question", FrameQuestion, Key("value", ANY), _BY, _ONE)
COMPARISON = Record("comparison", FrameQuestion, Key("keys", TEXTS, to="slots", nothing=()), _BY)


def _name_or(record: Record[FrameQuestion]) -> FunctionCodec:
    def read(raw: Any) -> FrameQuestion:
        if type(raw) is str:
            return FrameQuestion((raw,), extra=marked({}, name_alone=True))
        return record.read(raw)

    def write(value: FrameQuestion) -> Any:
        alone = marks(value.extra).get("name_alone")
        return value.slots[0] if alone and value.slots else record.write(value)

    return FunctionCodec(read, write)


REQUESTS, YES_NOS = Many(_name_or(REQUEST)), Many(YES_NO)
COMPARISONS = Many(_name_or(COMPARISON))


WORKERS = {"user_id": USER, "wizard_id": SYSTEM}
SURVEY = ("userSurveyRating", "wizardSurveyTaskSuccessful")
WITHOUT = "without_references"
"""The source of the layer with `acts_without_refs`, kept if they cannot be derived from `acts`.
Usually only the user's turns have them."""

_VALUES = Many(
    Record(
        "value",
        FrameValue,
        Key("val", SCALAR, to="value", needed=True),
        Key("negated", FLAG, nothing=False),
    )
)


def _frame(info: Json, extra: Json, **fields: Any) -> Frame:
    """Return a frame; slots with values that the model does not have are kept in `extra`."""
    slots, odd = {}, {}
    for slot, values in info.items():
        try:
            slots[slot] = _VALUES.read(values)
        except (UnfitError, BrokenError):
            odd[slot] = values
    order = list(info) if odd and list(info) != [*slots, *odd] else None
    return Frame(info=slots, extra=marked(extra, info=odd, info_order=order), **fields)


def _frame_fields(frame: Frame) -> Json:
    fields = {key.field: getattr(frame, key.field) for key in _FRAME.keys}
    noted = marks(frame.extra)
    info = {slot: _VALUES.write(values) for slot, values in frame.info.items()}
    return fields | {"info": with_rest(info, noted.get("info"), noted.get("info_order"))}


_FRAME = Record(
    "frame",
    _frame,
    Key("info", OBJECT, nothing={}),
    Key("frame_id", WHOLE, to="id", needed=True),
    Key("requests", REQUESTS, nothing=()),
    Key("frame_parent_id", WHOLE_OR_NULL, to="parent"),
    Key("binary_questions", YES_NOS, nothing=()),
    Key("compare_requests", COMPARISONS, nothing=()),
    fields=_frame_fields,
)
_LABELS = Record(
    "labels",
    Part,
    Key("acts", ACT_LIST, nothing=()),
    Key("acts_without_refs", ACT_LIST, to="without", nothing=UNSET, optional=True),
    Key("active_frame", WHOLE_OR_NULL),
    Key("frames", Many(_FRAME), nothing=()),
)
_TURN = Record(
    "turn",
    Utterance,
    Key("db", OBJECT, optional=True),
    Key("text", TEXT, needed=True),
    Key("labels", OBJECT, nothing=UNSET, strict=True),
    Key("author", AUTHOR, to="agent", needed=True),
    Key("timestamp", Converted(SCALAR, searches.milliseconds, lambda time: time), to="time"),
    Key("frames", LIST, nothing=UNSET, optional=True, strict=True),
)
_DIALOGUE = Record(
    "dialogue",
    Dialogue,
    Key("user_id", TEXT, nothing=""),
    Key("turns", Kind(list), needed=True),
    Key("wizard_id", TEXT, nothing=""),
    Key("id", TEXT, needed=True),
    Key("labels", OBJECT, nothing={}, strict=True),
    *(Key(name, SCALAR, nothing=UNSET, optional=True) for name in SURVEY),
)


def asked(question: str) -> str | None:
    """Return the agent who answers a question of the survey, by the beginning of its key."""
    return next((agent for name, agent in AUTHORS.items() if question.startswith(name)), None)


def dialogue(raw: Any, file: Path, origin: Origin) -> Dialogue:
    """Return the dialogue of a value; `FormatError` if it is not in the form of Frames."""
    fields, extra = _DIALOGUE.load_fields(raw, Place(file, dialogue=f"number {origin.index}"))
    labels: Json = fields["labels"]
    keys = (key for key in labels if asked(key) is not None)
    answers = {key: labels[key] for key in keys if type(labels[key]) in SCALAR.types}
    left = without(labels, *answers)
    order = list(labels) if list(labels) != [*answers, *left] else None
    top = {key: fields[key] for key in SURVEY if fields[key] is not UNSET}
    return Dialogue(
        id=fields["id"],
        workers={agent: fields[key] for key, agent in WORKERS.items() if fields[key]},
        answers=(
            *(Answer(asked(key) or USER, key, value) for key, value in answers.items()),
            *(Answer(asked(key) or USER, key, v, marked({}, at="top")) for key, v in top.items()),
        ),
        events=tuple(
            event
            for index, turn in enumerate(fields["turns"])
            for event in _turn(turn, index, Place(file, fields["id"], index))
        ),
        origin=origin,
        extra=marked(extra, labels=left, labels_order=order),
    )


def _turn(raw: Any, index: int, place: Place) -> Iterator[Event]:
    fields, extra = _TURN.load_fields(raw, place)
    if fields["db"] is not None:
        events, left = searches.read(fields["db"], index)
        yield from events
        if left or not events:
            extra = marked(extra, db=[left])
    layers = _layers(fields, place)
    agent, text, time = fields["agent"], fields["text"], fields["time"]
    yield Utterance(agent=agent, text=text, time=time, layers=layers, extra=extra)


def _layers(turn: Json, place: Place) -> tuple[Layer, ...]:
    labels, turn_frames = turn["labels"], turn["frames"]
    if labels is UNSET and turn_frames is UNSET:
        return ()
    raw: Json = {} if labels is UNSET else labels
    moved = turn_frames is not UNSET and "frames" not in raw
    fields, extra = _LABELS.load_fields(raw | {"frames": turn_frames} if moved else raw, place)
    if labels is UNSET:
        extra = {}
    elif moved:
        extra["frames"] = None
    if turn_frames is not UNSET:
        extra = marked(extra, frames="turn" if moved else [turn_frames])
    without = fields["without"]
    part = Part(
        acts=fields["acts"] if "acts" in raw else None,
        frames=fields["frames"] if moved or "frames" in raw else None,
        active_frame=fields["active_frame"],
        extra=extra,
    )
    gold = Layer(GOLD, (part,))
    if labels is UNSET or alike_values(without, _derived(part.acts, turn["agent"])):
        return (gold,)
    return (gold, Layer(WITHOUT, (Part(acts=None if without is UNSET else without),)))


def _derived(acts: Iterable[Act] | None, agent: str) -> Any:
    """Return the acts without references, as a turn usually has them."""
    return dereferenced(acts or ()) if agent == USER else UNSET


def to_json(dialogue: Dialogue) -> Json:
    """Return a dialogue as a JSON value in the published form."""
    labels: Json = {}
    top: Json = dict.fromkeys(SURVEY, UNSET)
    for answer in dialogue.answers:
        if asked(answer.question) == answer.agent:
            high = marks(answer.extra).get("at") == "top" and answer.question in SURVEY
            if not high:
                labels.setdefault(answer.question, answer.answer)
            elif top[answer.question] is UNSET:
                top[answer.question] = answer.answer
    noted = marks(dialogue.extra)
    fields = {
        "id": dialogue.id,
        "turns": list(_turns(dialogue.events)),
        "labels": with_rest(labels, noted.get("labels"), noted.get("labels_order")),
        **{key: dialogue.workers.get(agent, "") for key, agent in WORKERS.items()},
        **top,
    }
    return _DIALOGUE.write_fields(fields, dialogue.extra)


def _turns(events: Sequence[Event]) -> Iterator[Json]:
    queries: list[Query] = []
    results: dict[str, Result] = {}
    for event in events:
        if isinstance(event, Query):
            queries.append(event)
        elif isinstance(event, Result):
            results.setdefault(event.query, event)
        elif isinstance(event, Utterance):
            yield _spelled_turn(event, queries, results)
            queries, results = [], {}


def _spelled_turn(event: Utterance, queries: list[Query], results: dict[str, Result]) -> Json:
    left = marks(event.extra).get("db")
    parts = annotated_parts(event)
    at = next((mark for part in parts if (mark := marks(part.extra).get("frames"))), None)
    frames = tuple(frame for part in parts for frame in part.frames or ())
    fields = {
        "db": None,
        "text": event.text,
        "labels": _labels(event, parts, () if at == "turn" else frames),
        "agent": event.agent,
        "time": event.time,
        "frames": UNSET,
    }
    if at is not None:
        fields["frames"] = list(map(_FRAME.write, frames)) if at == "turn" else at[0]
    if queries or isinstance(left, list):
        noted = left[0] if isinstance(left, list) and left else {}
        fields["db"] = searches.write(queries, results, noted)
    extra = without(event.extra, "frames")  # a note of another format, whose frames are others
    return _TURN.write_fields(fields, extra)


def _labels(event: Utterance, parts: Sequence[Part], frames: tuple[Frame, ...]) -> Any:
    acts = tuple(act for part in parts for act in part.acts or ())
    active = next((part.active_frame for part in parts if part.active_frame is not None), None)
    if event.extra.get("labels", 0) is None and not acts and active is None and not frames:
        return UNSET
    without = _derived(acts, event.agent)
    for layer in event.layers:
        if layer.source == WITHOUT:
            without = UNSET if layer.parts[0].acts is None else layer.parts[0].acts
    fields = {"acts": acts, "without": without, "active_frame": active, "frames": frames}
    return _LABELS.write_fields(fields, parts[0].extra if parts else {})
