"""Frames: both layouts come back value for value, and what is said of frames means the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Answer,
    Argument,
    Constraint,
    Dialogue,
    FrameQuestion,
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
from dialoom.errors import FormatError
from dialoom.formats.frames import dialogues as frames_json
from dialoom.formats.frames import searches
from tests.formats.laid_out import Json, check_told_or_kept, objects, read, spell, there_and_back
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.strategies import dialogues, json_values, names, sampled, texts, values, whole

FORMAT = formats.get("frames")
GOLDEN = DATA / "frames"
# --- files of any kind ---------------------------------------------------------------------------

plain = objects({"key": names | st.sampled_from(["ref", "read"])}, {"val": values | json_values})
references = objects({"frame": st.integers(1, 40)}, {"annotations": st.lists(plain, max_size=2)})
referring = objects(
    {
        "key": st.sampled_from(["ref", "read", "write", "other"]),
        "val": st.lists(references, max_size=2),
    }
)
arguments = plain | referring
acts = st.lists(objects({"name": names}, {"args": st.lists(arguments, max_size=3)}), max_size=2)
frame_values = objects({"val": values}, {"negated": st.booleans()})
authors = st.sampled_from(["user", "wizard"]) | values
questions = objects({}, {"author": authors, "key": names | values, "value": values | json_values})
comparisons = objects({}, {"keys": st.lists(names, max_size=2) | values, "author": authors})
frames = objects(
    {"frame_id": st.integers(1, 40)},
    {
        "frame_parent_id": st.none() | st.integers(1, 40),
        "requests": st.lists(questions | names, max_size=2) | json_values,
        "binary_questions": st.lists(questions | json_values, max_size=2),
        "compare_requests": st.lists(comparisons | json_values, max_size=2),
        "info": st.dictionaries(
            names, st.lists(frame_values, max_size=2) | json_values, max_size=2
        ),
    },
)
lists_of_frames = st.lists(frames, max_size=2)
labels = objects(
    {},
    {
        "acts": acts,
        "acts_without_refs": acts,
        "active_frame": st.integers(1, 9) | values,
        "frames": lists_of_frames,
    },
)
times = whole | st.floats(0, 2e12) | st.floats(1e9, 1e10) | values
items = st.lists(st.dictionaries(names, json_values, max_size=2), max_size=2)
searched = st.dictionaries(names, values | json_values, max_size=3) | objects({"timestamp": times})
dbs = objects(
    {},
    {
        "search": st.lists(searched | json_values, max_size=3) | json_values,
        "result": st.lists(items, max_size=3) | items | json_values,
    },
)
turns = objects(
    {"author": st.sampled_from(["user", "wizard", "system"]) | names, "text": texts},
    {"timestamp": times, "labels": labels, "frames": lists_of_frames, "db": dbs | json_values},
)
survey = {
    "userSurveyRating": values | json_values,
    "wizardSurveyTaskSuccessful": values,
    "userMood": values,
}
files = st.lists(
    objects(
        {"id": names, "turns": st.lists(turns, max_size=3)},
        {
            "user_id": texts | st.none(),
            "wizard_id": texts,
            "labels": objects({}, survey),
            "userSurveyRating": values | json_values,
            "wizardSurveyTaskSuccessful": values,
        },
    ),
    min_size=1,
    max_size=2,
)


@sampled
@given(files)
@example(
    [
        {
            "id": "0",
            "turns": [{"author": "user", "text": "", "db": {"search": [{"timestamp": None}]}}],
        }
    ]
)
@example(
    [
        {
            "id": "0",
            "turns": [
                {
                    "author": "user",
                    "text": "",
                    "labels": {"acts": [{"name": "0", "args": [{"key": "0", "val": [{}]}]}]},
                }
            ],
        }
    ]
)
def test_any_file_comes_back_value_for_value(file: Any) -> None:
    assert spell(json.loads(there_and_back(FORMAT, json.dumps(file).encode()))) == spell(file)


@pytest.mark.parametrize("name", ["frames.json", "page.json"])
def test_golden_files_come_back(name: str) -> None:
    data = (GOLDEN / name).read_bytes()
    output = there_and_back(FORMAT, data)
    assert spell(json.loads(output)) == spell(json.loads(data))
    assert there_and_back(FORMAT, output) == output


@pytest.mark.parametrize("key", ["acts", "acts_without_refs", "frames", "active_frame"])
def test_a_null_comes_back_as_one(key: str) -> None:
    file = json.loads((GOLDEN / "frames.json").read_bytes())
    for turn in file[0]["turns"]:
        turn["labels"][key] = None
    data = json.dumps(file, indent=2, ensure_ascii=False).encode()
    assert spell(json.loads(there_and_back(FORMAT, data))) == spell(file)


def test_the_published_layout_comes_back_byte_for_byte() -> None:
    data = (GOLDEN / "frames.json").read_bytes()
    assert there_and_back(FORMAT, data) == data


def _spelled(file: Any, layout: str) -> bytes:
    indent = {"two": 2, "four": 4}.get(layout)
    separators = (",", ":") if layout == "compact" else None
    text = json.dumps(file, indent=indent, ensure_ascii=layout != "letters", separators=separators)
    return text.encode() + (b"\n" if layout == "ended" else b"")


@pytest.mark.parametrize("layout", ["line", "two", "four", "compact", "letters", "ended"])
@pytest.mark.parametrize("name", ["frames.json", "page.json"])
def test_any_regular_layout_and_order_of_keys_come_back_byte_for_byte(
    name: str, layout: str
) -> None:
    file = json.loads((GOLDEN / name).read_bytes())
    turn = file[0]["turns"][0]
    turn["text"] += ' "\u00e6\U0001f6f6"\t/\x7f'
    turn["timestamp"] = 1.5e16
    turn["labels"] = dict(reversed(turn["labels"].items()))
    file[0] = dict(sorted(file[0].items()))
    data = _spelled(file, layout)
    if layout in ("two", "four"):
        data = data.replace(b"1.5e+16", b"1.5e16")
    assert there_and_back(FORMAT, data) == data


@sampled
@given(st.lists(dialogues(), min_size=1, max_size=2))
def test_dialogues_from_elsewhere_have_every_key_of_the_layout(held: list[Dialogue]) -> None:
    plain = [strip(dialogue) for dialogue in held]
    for raw in map(frames_json.to_json, plain):
        assert raw.keys() >= {"id", "user_id", "wizard_id", "labels", "turns"}
        for turn in raw["turns"]:
            assert turn.keys() >= {"author", "text", "timestamp", "labels"}
            keys = {"acts", "active_frame", "frames"}
            assert turn["labels"].keys() >= keys | (
                {"acts_without_refs"} if turn["author"] == "user" else set()
            )
    back = read(FORMAT, FORMAT.render_file(held))
    for before, after in zip(held, back, strict=True):
        texts = [event.text for event in before.events if isinstance(event, Utterance)]
        assert [event.text for event in after.events if isinstance(event, Utterance)] == texts


def strip(dialogue: Dialogue) -> Dialogue:
    """Leave out what other sources might have called `layout`."""
    events = tuple(
        replace(event, extra={}, layers=()) if isinstance(event, Utterance) else event
        for event in dialogue.events
    )
    return replace(dialogue, events=events, extra={})


@sampled
@given(json_values, st.data())
def test_values_of_the_wrong_type_are_reported_or_kept(value: Any, data: st.DataObject) -> None:
    raw = json.loads((GOLDEN / "frames.json").read_bytes())
    turn = data.draw(st.sampled_from(raw[0]["turns"][:4]))
    marks = turn["labels"]
    holder = data.draw(st.sampled_from([raw[0], turn, marks, marks["acts"][0], marks["frames"][0]]))
    holder[data.draw(st.sampled_from(sorted(holder)))] = value
    check_told_or_kept(FORMAT, raw)


# --- what it means -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["frames.json", "page.json"])
def test_both_layouts_mean_the_same(name: str) -> None:
    part = parts(name)[2]
    assert part.active_frame == 2
    assert [(frame.id, frame.parent) for frame in part.frames or ()] == [(1, None), (2, 1)]
    (inform,) = part.acts or ()
    assert inform.arguments[1] == Argument(
        "ref", references=(Reference(1, (Argument("or_city", ("Tarn",)),)),)
    )
    agents = [event.agent for event in golden(name).events if isinstance(event, Utterance)]
    assert agents[:4] == [USER, SYSTEM, USER, SYSTEM]


def test_the_rarer_layout_is_marked_and_the_other_is_not() -> None:
    empty = b'"extra":{"layout":{"db":[{}]}}'
    assert b'"extra"' not in encode(golden("frames.json")).replace(empty, b"")
    assert b'"frames":null,"layout":{"frames":"turn"}}' in encode(golden("page.json"))


def test_times_are_milliseconds_whatever_the_file_counts_in() -> None:
    code, page = golden("frames.json"), golden("page.json")
    queries = [[e.time for e in d.events if isinstance(e, Query)] for d in (code, page)]
    assert queries[0][: len(queries[1])] == queries[1]
    assert page.events[0].time == code.events[0].time == 1471272019000
    assert page.events[0].extra["timestamp"] == {"value": 1471272019000.0}
    assert searches.milliseconds(1471272022.5, seconds=True) == 1471272022500
    assert searches.milliseconds(1471272022.5) == 1471272022
    assert searches.milliseconds("1471272022") is None


def test_a_changed_time_is_written_and_not_the_one_that_was_read() -> None:
    page = golden("page.json")
    changed = replace(page, events=(replace(page.events[0], time=5), *page.events[1:]))
    assert json.loads(FORMAT.render_file([changed]))[0]["turns"][0]["timestamp"] == 5


def test_searches_are_queries_and_one_has_no_result() -> None:
    events = golden("frames.json").events
    queries = [event for event in events if isinstance(event, Query)]
    results = [event.query for event in events if isinstance(event, Result)]
    assert [query.id in results for query in queries] == [True, True, False]
    assert queries[0].constraints[0] == Constraint("ORIGIN_CITY", "equal", ("Tarn",))


def test_the_page_prints_results_as_one_list() -> None:
    raw: Json = {
        "author": "wizard",
        "text": "Here.",
        "db": {"search": [{"ORIGIN_CITY": ["Tarn", "Ostby"]}], "result": [{"price": 3}]},
    }
    file = [{"id": "1", "turns": [raw]}]
    data = json.dumps(file).encode()
    query, result, _ = read(FORMAT, data)[0].events
    assert isinstance(query, Query)
    assert query.constraints == (Constraint("ORIGIN_CITY", "one_of", ("Tarn", "Ostby")),)
    assert isinstance(result, Result)
    assert result.items == ({"price": 3},)
    assert json.loads(there_and_back(FORMAT, data)) == file


def test_ratings_are_answers_of_their_agents() -> None:
    rating, success = golden("frames.json").answers
    assert rating == Answer(USER, "userSurveyRating", 4.5)
    assert success == Answer(SYSTEM, "wizardSurveyTaskSuccessful", True)
    assert {answer.question for answer in golden("page.json").answers} == {
        rating.question,
        success.question,
    }


def test_values_can_be_negated_and_gather() -> None:
    frame = (parts("frames.json")[6].frames or ())[3]
    assert frame.info["name"] == (FrameValue("The Old Mill", negated=True),)
    first = (parts("frames.json")[0].frames or ())[0]
    assert first.info["budget"] == (FrameValue("900"), FrameValue("cheapest"))


def test_acts_without_references_are_stored_only_where_they_cannot_be_derived() -> None:
    events = golden("frames.json").events
    layers = [len(event.layers) for event in events if isinstance(event, Utterance)]
    assert layers == [1, 1, 1, 2, 1, 1, 1, 1]


def test_one_changed_word_changes_that_word_only() -> None:
    data = (GOLDEN / "frames.json").read_bytes()
    line = encode(golden("frames.json"))
    for word in (b"cheaper", b"Oslo", b"Lervik", b"U00000001"):
        changed = FORMAT.render_file([decode(line.replace(word, b"Xx"))])
        assert changed == data.replace(word, b"Xx")


def test_what_frames_can_hold_of_other_dialogues() -> None:
    acts = (
        Act("INFORM", (Argument("city", ("Rome", "Roma"), canonical=("Rome",)),)),
        Act("OFFER", (Argument("other", references=(Reference(2),)),)),
    )
    layer = Layer("simulator", (Part("Food_1", acts=acts),))
    dialogue = Dialogue(
        id="1",
        events=(
            Query(
                id="q",
                api="Find",
                constraints=(
                    Constraint("price", "at_most", (9,)),
                    Constraint("stars", "one_of", (3, 4)),
                    Constraint("city", None, (), "api.is_equal_to()"),
                ),
            ),
            Result(query="q", items=({"name": "Ada's"},), total=4),
            Utterance(agent=SYSTEM, text="Ada's?", layers=(layer,)),
        ),
    )
    raw = frames_json.to_json(dialogue)["turns"][0]
    assert raw["db"] == {"search": [{"stars": [3, 4]}], "result": [[{"name": "Ada's"}]]}
    assert raw["labels"]["acts"][0]["args"] == [
        {"key": "city", "val": "Rome"},
        {"key": "city", "val": "Roma"},
    ]
    assert raw["labels"]["acts"][1]["args"] == [{"key": "ref", "val": [{"frame": 2}]}]


@pytest.mark.parametrize(
    ("turn", "what"),
    [
        ("3", ("wrong-type", "turn", "object")),
        ('{"text": "a"}', ("wrong-type", "author")),
        ('{"author": "user", "text": null}', ("wrong-type", "'text'", "null")),
        ('{"author": "user", "text": "a", "labels": []}', ("wrong-type", "labels")),
        (
            '{"author": "user", "text": "a", "labels": {"acts": [{}]}}',
            ("wrong-type", "act", "'name'"),
        ),
        (
            '{"author": "user", "text": "a", "frames": [{"frame_id": 1.5}]}',
            ("wrong-type", "frame_id"),
        ),
    ],
)
def test_what_is_wrong_is_reported(turn: str, what: tuple[str, ...]) -> None:
    with refuses(FormatError, *what) as caught:
        read(FORMAT, f'[{{"id": "x", "turns": [{turn}]}}]'.encode())
    assert "dialogue x, event 0" in str(caught.value)


def golden(name: str) -> Dialogue:
    (dialogue,) = read(FORMAT, (GOLDEN / name).read_bytes())
    return dialogue


def parts(name: str) -> list[Part]:
    events = golden(name).events
    return [event.layers[0].parts[0] for event in events if isinstance(event, Utterance)]


def test_published_questions_are_objects_and_plain_names_are_read_as_well() -> None:
    question = {"author": "wizard", "key": "budget"}
    frame = {"info": {}, "frame_id": 1, "requests": [question, "price"], "frame_parent_id": None}
    frame["binary_questions"] = [{"value": True, "author": "user", "key": "breakfast"}]
    frame["compare_requests"] = [{"keys": ["str_date", "price"], "author": "user"}, "category"]
    struct = frames_json._FRAME.read(frame)
    assert struct.requests[0] == FrameQuestion(("budget",), agent="system")
    assert [each.slots for each in struct.requests] == [("budget",), ("price",)]
    assert struct.binary_questions == (FrameQuestion(("breakfast",), True, "user"),)
    assert struct.compare_requests[0] == FrameQuestion(("str_date", "price"), agent="user")
    assert struct.compare_requests[1].slots == ("category",)
    assert frames_json._FRAME.write(struct) == frame
