"""Frames: several frames alive at once, references between them, searches, ratings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Answer,
    Argument,
    Constraint,
    Dialogue,
    Event,
    Frame,
    FrameValue,
    Layer,
    Part,
    Query,
    Reference,
    Result,
    Utterance,
    decode,
    encode,
)

Json = dict[str, Any]
RAW: Json = json.loads(Path(__file__).with_name("data").joinpath("frames.json").read_text())[0]
REFERENCES = ("ref", "read", "write")
WITHOUT = "without_references"
AUTHORS = {"user": USER, "wizard": SYSTEM}
NAMES = {agent: author for author, agent in AUTHORS.items()}
SURVEY = {"userSurveyRating": USER, "wizardSurveyTaskSuccessful": SYSTEM}


def from_json(raw: Json) -> Dialogue:
    survey = raw["labels"] | raw
    page = "userSurveyRating" in raw
    return Dialogue(
        id=raw["id"],
        workers={USER: raw["user_id"], SYSTEM: raw["wizard_id"]},
        answers=tuple(Answer(agent, key, survey[key]) for key, agent in SURVEY.items()),
        events=tuple(e for i, turn in enumerate(raw["turns"]) for e in read_turn(turn, i)),
        extra={"layout": "page"} if page else {},
    )


def read_turn(turn: Json, index: int) -> Iterator[Event]:
    db = turn.get("db")
    if db is not None:
        yield from read_db(db, index)
    labels = turn["labels"]
    acts = tuple(read_act(act) for act in labels["acts"])
    without = tuple(read_act(act) for act in labels["acts_without_refs"])
    frames = tuple(read_frame(f) for f in turn.get("frames", labels.get("frames")))
    gold = Part(acts=acts, frames=frames, active_frame=labels["active_frame"])
    layers = [Layer(GOLD, (gold,))]
    if without != dereferenced(acts):  # the published order of arguments may be another
        layers.append(Layer(WITHOUT, (Part(acts=without),)))
    yield Utterance(
        agent=AUTHORS[turn["author"]],
        text=turn["text"],
        time=turn["timestamp"],
        layers=tuple(layers),
        extra={"db": {}} if db is not None and not db["search"] else {},
    )


def read_db(db: Json, index: int) -> Iterator[Event]:
    for number, search in enumerate(db["search"]):
        name = f"{index}.{number}"
        fields = {key: value for key, value in search.items() if key != "timestamp"}
        constraints = tuple(Constraint(key, "equal", (value,)) for key, value in fields.items())
        yield Query(id=name, api="search", constraints=constraints, time=search["timestamp"])
        if number < len(db["result"]):
            yield Result(query=name, items=tuple(db["result"][number]))


def read_act(act: Json) -> Act:
    return Act(act["name"], tuple(read_argument(argument) for argument in act["args"]))


def read_argument(raw: Json) -> Argument:
    if raw["key"] in REFERENCES:
        return Argument(raw["key"], references=tuple(read_reference(r) for r in raw["val"]))
    return Argument(raw["key"], (raw["val"],) if "val" in raw else ())


def read_reference(raw: Json) -> Reference:
    inner = raw.get("annotations")
    return Reference(raw["frame"], None if inner is None else tuple(map(read_argument, inner)))


def read_frame(raw: Json) -> Frame:
    return Frame(
        id=raw["frame_id"],
        parent=raw["frame_parent_id"],
        info={
            slot: tuple(FrameValue(value["val"], value["negated"]) for value in values)
            for slot, values in raw["info"].items()
        },
        requests=tuple(raw["requests"]),
        binary_questions=tuple(raw["binary_questions"]),
        compare_requests=tuple(raw["compare_requests"]),
    )


def dereferenced(acts: tuple[Act, ...]) -> tuple[Act, ...]:
    """Put in place of each reference what it says of the frame."""
    return tuple(Act(act.name, tuple(flat_arguments(act))) for act in acts)


def flat_arguments(act: Act) -> Iterator[Argument]:
    for argument in act.arguments:
        if not argument.references:
            yield argument
        for reference in argument.references:
            yield from reference.arguments or ()


def to_json(dialogue: Dialogue) -> Json:
    page = dialogue.extra.get("layout") == "page"
    survey: Json = {answer.question: answer.answer for answer in dialogue.answers}
    raw: Json = {"id": dialogue.id, "user_id": dialogue.workers[USER]}
    raw |= {"wizard_id": dialogue.workers[SYSTEM], "labels": survey}
    if page:
        raw["userSurveyRating"] = survey.pop("userSurveyRating")
    return raw | {"turns": list(write_turns(dialogue.events, page))}


def write_turns(events: tuple[Event, ...], page: bool) -> Iterator[Json]:
    db: Json = {"search": [], "result": []}
    for event in events:
        if isinstance(event, Query):
            search = {constraint.slot: constraint.value for constraint in event.constraints}
            db["search"].append(search | {"timestamp": event.time})
        elif isinstance(event, Result):
            db["result"].append(list(event.items))
        elif isinstance(event, Utterance):
            turn = write_turn(event, page)
            yield turn | {"db": db} if db["search"] or "db" in event.extra else turn
            db = {"search": [], "result": []}


def write_turn(event: Utterance, page: bool) -> Json:
    layers = {layer.source: layer.parts[0] for layer in event.layers}
    gold = layers[GOLD]
    acts = gold.acts or ()
    without = layers[WITHOUT].acts or () if WITHOUT in layers else dereferenced(acts)
    labels: Json = {
        "acts": [write_act(act) for act in acts],
        "acts_without_refs": [write_act(act) for act in without],
        "active_frame": gold.active_frame,
    }
    turn = {"author": NAMES[event.agent], "text": event.text, "timestamp": event.time}
    frames = {"frames": [write_frame(frame) for frame in gold.frames or ()]}
    return turn | ({"labels": labels} | frames if page else {"labels": labels | frames})


def write_act(act: Act) -> Json:
    return {"name": act.name, "args": [write_argument(argument) for argument in act.arguments]}


def write_argument(argument: Argument) -> Json:
    if argument.references:
        return {"key": argument.slot, "val": [write_reference(r) for r in argument.references]}
    value = {"val": argument.values[0]} if argument.values else {}
    return {"key": argument.slot} | value


def write_reference(reference: Reference) -> Json:
    if reference.arguments is None:
        return {"frame": reference.frame}
    inner = [write_argument(argument) for argument in reference.arguments]
    return {"frame": reference.frame, "annotations": inner}


def write_frame(frame: Frame) -> Json:
    info = {
        slot: [{"val": value.value, "negated": value.negated} for value in values]
        for slot, values in frame.info.items()
    }
    return {
        "frame_id": frame.id,
        "frame_parent_id": frame.parent,
        "requests": list(frame.requests),
        "binary_questions": list(frame.binary_questions),
        "compare_requests": list(frame.compare_requests),
        "info": info,
    }


def page_layout() -> Json:
    """The layout the page describes: frames beside the labels, the rating at the top."""
    raw = json.loads(json.dumps(RAW))
    raw["userSurveyRating"] = raw["labels"].pop("userSurveyRating")
    for turn in raw["turns"]:
        turn["frames"] = turn["labels"].pop("frames")
    return dict(raw)


@pytest.mark.parametrize("raw", [RAW, page_layout()], ids=["code", "page"])
def test_there_and_back(raw: Json) -> None:
    dialogue = from_json(raw)
    assert to_json(dialogue) == raw
    assert to_json(decode(encode(dialogue))) == raw


def test_references_carry_arguments_and_keep_their_key() -> None:
    offer = gold_acts(3)[0]
    (argument,) = offer.arguments
    assert argument.slot == "write"
    assert [reference.frame for reference in argument.references] == [3, 4]
    assert argument.references[0].arguments == (
        Argument("name", ("Hotel Alder",)),
        Argument("price", ("870",)),
    )
    absent, empty = [act.arguments[-1].references[0] for act in gold_acts(4)]
    assert absent.arguments is None
    assert empty.arguments == ()


def test_several_frames_are_alive_and_values_can_be_negated() -> None:
    part = utterances()[6].layers[0].parts[0]
    assert part.active_frame == 3
    assert [(frame.id, frame.parent) for frame in part.frames or ()] == [
        (1, None),
        (2, 1),
        (3, 2),
        (4, 2),
    ]
    assert (part.frames or ())[3].info["name"] == (FrameValue("The Old Mill", negated=True),)
    assert (part.frames or ())[0].info["budget"] == (FrameValue("900"), FrameValue("cheapest"))


def test_acts_without_references_are_stored_only_where_they_cannot_be_derived() -> None:
    second = [len(utterance.layers) for utterance in utterances()]
    assert second == [1, 1, 1, 2, 1, 1, 1, 1]


def test_searches_are_queries_and_one_has_no_result() -> None:
    events = from_json(RAW).events
    queries = [event for event in events if isinstance(event, Query)]
    results = [event.query for event in events if isinstance(event, Result)]
    assert [query.id in results for query in queries] == [True, True, False]


def test_ratings_are_answers_of_their_agents() -> None:
    assert from_json(RAW).answers == (
        Answer(USER, "userSurveyRating", 4.5),
        Answer(SYSTEM, "wizardSurveyTaskSuccessful", True),
    )


def utterances() -> list[Utterance]:
    return [event for event in from_json(RAW).events if isinstance(event, Utterance)]


def gold_acts(index: int) -> tuple[Act, ...]:
    return utterances()[index].layers[0].parts[0].acts or ()
