"""DSTC6 track 1: items, answers inside and beside them, names of files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Candidate,
    Constraint,
    Dialogue,
    Event,
    Options,
    Origin,
    Query,
    Result,
    Utterance,
    decode,
    encode,
)
from dialoom.errors import FormatError
from dialoom.formats.base.conversion import convert
from dialoom.formats.base.signs import Sight, Signs
from dialoom.formats.dstc6 import FORMAT
from dialoom.formats.dstc6.dialogues import About, about, item, read, render
from dialoom.quality.roundtrip import roundtrip
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.strategies import dialogues, extras, sampled

(SIGNS,) = (each for each in (FORMAT.signs,) if isinstance(each, Signs))

GOLDEN = DATA / "dstc6"
TEST = "tst9/dialog-task2REFINE-kb1_atmosphere-distr0.5-tst0002.json"
TRAINING = "dialog-task3OPTIONS-kb1_atmosphere_restrictions-distr0.5-trn0002.json"
ANSWERS = "tst9/dialog-task2REFINE-kb1_atmosphere-distr0.5-tst0002.answers.json"

Json = dict[str, Any]


def read_items(*items: Any, name: str = "dialog-x.json") -> list[Dialogue]:
    return list(read(json.dumps(items).encode(), Path("nowhere") / name, name))


def an_item(**members: Any) -> Json:
    raw: Json = {
        "dialog_id": "1",
        "candidates": [
            {"utterance": "let me see", "candidate_id": "a"},
            {"utterance": "all done", "candidate_id": "b"},
        ],
        "utterances": ["hi", "hello", "a table"],
    }
    return raw | members


def options_of(dialogue: Dialogue) -> Options:
    last = dialogue.events[-1]
    assert isinstance(last, Options)
    return last


def test_the_golden_files_come_back_byte_for_byte() -> None:
    corpus = formats.load(GOLDEN)
    assert corpus.format == "dstc6"
    assert [file.relative_to(GOLDEN).as_posix() for file in corpus.files] == [TRAINING, TEST]
    assert [verdict for _, verdict in roundtrip(corpus, FORMAT)] == ["bytes", "bytes"]


def test_an_item_is_its_history_and_its_candidates() -> None:
    _, training = list(formats.load(GOLDEN).dialogues())[:2]
    assert training.id == "t-1"
    assert training.origin == Origin(TRAINING, 1)
    query, result, *_ = training.events[4:]
    query = next(event for event in training.events if isinstance(event, Query))
    assert [c.slot for c in query.constraints][-2:] == ["atmosphere", "restrictions"]
    result = next(event for event in training.events if isinstance(event, Result))
    assert result.query == query.id
    assert [item["name"] for item in result.items] == ["blue_fjord", "old_pier"]
    options = options_of(training)
    assert options.choice == "t1-00"
    assert replace(options.candidates[0], extra={}) == Candidate("t1-00", "how about old_pier")


def test_facts_known_from_the_start_answer_no_query() -> None:
    first = next(formats.load(GOLDEN).dialogues()).events[0]
    assert isinstance(first, Result)
    assert first.query == ""


def test_answers_next_to_a_file_are_read_and_written_there(tmp_path: Path) -> None:
    corpus = formats.load(GOLDEN)
    beside = [d for d in corpus.dialogues() if d.origin and d.origin.file == TEST]
    assert [options_of(dialogue).choice for dialogue in beside] == ["a04", "b03"]
    assert not convert(corpus.dialogues, corpus.schemas, FORMAT, tmp_path)
    for name in (TEST, ANSWERS, TRAINING):
        assert (tmp_path / name).read_bytes() == (GOLDEN / name).read_bytes()


def test_a_changed_answer_changes_the_file_next_to_it(tmp_path: Path) -> None:
    dialogues = list(formats.load(GOLDEN).dialogues())
    options = replace(options_of(dialogues[-1]), choice="b00")
    dialogues[-1] = replace(dialogues[-1], events=(*dialogues[-1].events[:-1], options))
    FORMAT.write(dialogues, {}, tmp_path)
    assert (tmp_path / TEST).read_bytes() == (GOLDEN / TEST).read_bytes()
    before, after = (GOLDEN / ANSWERS).read_text(), (tmp_path / ANSWERS).read_text()
    assert after == before.replace("b03", "b00")


def test_answers_of_compressed_files_are_found(tmp_path: Path) -> None:
    import gzip

    shutil.copytree(GOLDEN / "tst9", tmp_path / "tst9")
    for name in (TEST, ANSWERS):
        file = tmp_path / name
        file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert options_of(next(formats.load(tmp_path).dialogues())).choice == "a04"


@pytest.mark.parametrize(
    ("answers", "what"),
    [
        ("[1]", ("wrong-type", "0", "`dialog_id`")),
        ('[{"dialog_id": "a-1"}]', ("wrong-type", "`lst_candidate_id`")),
        ('[{"dialog_id": "a-1", "lst_candidate_id": []}]', ("no-key", "1")),
        (
            '[{"dialog_id": "a-9", "lst_candidate_id": [{"candidate_id": "x", "rank": 1}]}]',
            ("not-asked", "a-9"),
        ),
        (
            '[{"dialog_id": "a-1", "lst_candidate_id": [{"candidate_id": "x", "rank": "one"}]}]',
            ("wrong-type", "x", "one"),
        ),
    ],
)
def test_damaged_answers_are_refused(answers: str, what: tuple[str, ...], tmp_path: Path) -> None:
    shutil.copytree(GOLDEN / "tst9", tmp_path / "tst9")
    (tmp_path / ANSWERS).write_text(answers)
    with refuses(FormatError, *what):
        list(formats.load(tmp_path).dialogues())


@pytest.mark.parametrize(
    ("word", "changed"),
    [
        (b"nordic food", b"arctic food"),
        (b'"vegan"', b'"glutenfree"'),
        (b"old_pier_address", b"old_pier_bell"),
        (b"another one", b"one more"),
        (b"t1-01", b"t1-07"),
    ],
)
def test_one_changed_word_changes_that_word_only(word: bytes, changed: bytes) -> None:
    dialogue = list(formats.load(GOLDEN).dialogues())[1]
    line = encode(dialogue)
    assert line.count(word) == 1
    before = json.dumps(item(dialogue)).split(" ")
    after = json.dumps(item(decode(line.replace(word, changed)))).split(" ")
    pairs = list(zip(before, after, strict=False))
    places = [place for place, (old, new) in enumerate(pairs) if old != new]
    at = places[0]
    end = len(before) - at - len(word.split()), len(after) - at - len(changed.split())
    assert before[at : len(before) - end[0]] != after[at : len(after) - end[1]]
    assert before[len(before) - end[0] :] == after[len(after) - end[1] :]


def test_other_orders_of_keys_and_unknown_members_are_kept() -> None:
    raw = {
        "utterances": ["hi"],
        "note": {"deep": [1, 2.5, None]},
        "_keys": [],
        "layout": {"order": []},
        "answer": {"candidate_id": "a", "utterance": "let me see", "sure": True},
        "candidates": [{"candidate_id": "a", "score": 3, "utterance": "let me see"}],
        "dialog_id": "1",
    }
    (dialogue,) = read_items(raw)
    assert dialogue.extra["note"] == {"deep": [1, 2.5, None]}
    assert options_of(dialogue).candidates[0].extra["score"] == 3
    assert json.dumps(item(dialogue)) == json.dumps(raw)


def test_an_answer_may_differ_from_its_candidate() -> None:
    raw = an_item(answer={"utterance": "Let me see!", "candidate_id": "a"})
    (dialogue,) = read_items(raw)
    assert options_of(dialogue).choice == "a"
    assert item(dialogue) == raw


def test_residue_never_overrides() -> None:
    order = ["zz", 1, "utterances"]
    extra = {"dialog_id": "no", "utterances": 3, "layout": {"order": order, "x": 1}}
    raw = item(Dialogue(id="yes", events=(Utterance(agent=USER, text="hi"),), extra=extra))
    assert raw == {"utterances": ["hi"], "dialog_id": "yes", "candidates": []}


def test_the_name_of_a_file_shows_what_it_is_about() -> None:
    name = "tst4/dialog-task3OPTIONS-kb2_atmosphere_restrictions-distr0.5-tst1000.json"
    assert about(name) == About("task3OPTIONS", "kb2", ("atmosphere", "restrictions"), "tst1000")
    assert about("dialog-task1API-kb1-trn10000.json") == About("task1API", "kb1", (), "trn10000")
    assert about("dialog-001.json") is None


def test_calls_have_the_slots_of_their_file() -> None:
    name = "dialog-task1API-kb1_restrictions-distr0.5-trn10000.json"
    raw = an_item(utterances=["hi", "api_call thai tokyo two cheap vegan", "thanks"])
    (dialogue,) = read_items(raw, name=name)
    query = dialogue.events[1]
    assert isinstance(query, Query)
    assert query.constraints[-1] == Constraint("restrictions", "equal", ("vegan",))
    assert item(dialogue) == raw


def test_who_speaks_twice_meets_silence() -> None:
    events: tuple[Event, ...] = (
        Utterance(agent=SYSTEM, text="hello"),
        Query(id="1", api="api_call", constraints=(Constraint("cuisine", "equal", ("thai",)),)),
        Utterance(agent=USER, text="a"),
        Utterance(agent=USER, text="b"),
    )
    raw = item(Dialogue(id="1", events=events))
    assert raw["utterances"] == [
        "<silence>",
        "hello",
        "<silence>",
        'api_call api_call {"cuisine": "thai"}',
        "a",
        "<silence>",
        "b",
    ]


lines = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["<silence>", "api_call a b c d e", "api_call a b", "api_call no result"]),
    st.builds("{} r_{} {}".format, st.sampled_from(["_1", "a", "a_b"]), st.text(), st.text()),
    st.sampled_from(["a r_name a b", "a_b r_name a b", "a r_name a", "a r_price x", "_1 r_x "]),
)
texts = st.text(max_size=8)
candidates = st.fixed_dictionaries({"utterance": texts, "candidate_id": texts}) | st.builds(
    lambda a, b, extra: (
        {"candidate_id": a, "utterance": b} | {f"x{k}": v for k, v in extra.items()}
    ),
    texts,
    texts,
    extras,
)
raw_items = st.fixed_dictionaries(
    {
        "dialog_id": texts,
        "candidates": st.lists(candidates, max_size=3),
        "utterances": st.lists(lines, max_size=8),
    },
    optional={"answer": candidates, "note": st.integers()},
)


def turned(raw: Json) -> Json:
    return dict(reversed(raw.items()))


@sampled
@given(st.lists(raw_items | raw_items.map(turned), min_size=1, max_size=3))
def test_every_regular_file_comes_back_byte_for_byte(held: list[Json]) -> None:
    assert render(read_items(*held)).decode() == json.dumps(held)


@sampled
@given(st.lists(dialogues(), min_size=1, max_size=3))
def test_any_dialogues_are_written_as_a_file_that_reads_back(held: list[Dialogue]) -> None:
    output = render(held)
    assert SIGNS.lacking(Sight.of(output)) == ""
    back = list(read(output, Path("nowhere"), "dialog-x.json"))
    assert [dialogue.id for dialogue in back] == [dialogue.id for dialogue in held]
    # Calls and keys follow the file's name, which a dialogue from elsewhere does not have.
    assert len(json.loads(render(back))) == len(held)


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        ({}, ("wrong-type", "list of items")),
        ([], ("wrong-type", "list of items")),
        ([1], ("wrong-type", "item 0", "object")),
        ([{}], ("wrong-type", "0", "dialog_id")),
        ([an_item(dialog_id=7)], ("wrong-type", "dialog_id")),
        (
            [an_item(utterances="hi")],
            ("wrong-type", "1", "utterances"),
        ),
        ([an_item(utterances=[1])], ("wrong-type", "utterances")),
        ([an_item(candidates=None)], ("wrong-type", "candidates")),
        ([an_item(candidates=[3])], ("wrong-type", "candidates")),
        ([an_item(candidates=[{"candidate_id": "a"}])], ("wrong-type", "utterance")),
        ([an_item(answer="a")], ("wrong-type", "answer")),
        ([an_item(answer={})], ("wrong-type", "utterance")),
    ],
)
def test_damage_is_named_with_its_item(raw: Any, what: tuple[str, ...]) -> None:
    with refuses(FormatError, *what):
        list(read(json.dumps(raw).encode(), Path("dialog-x.json"), "dialog-x.json"))


@pytest.mark.parametrize(
    ("head", "is_one"),
    [
        (b'[{"dialog_id": "1", "utterances": [', True),
        (
            b' [\n  {"candidates": [{"utterance": "x", "candidate_id": "y"}], "dialog_id": "1",',
            True,
        ),
        (b'[{"dialog_id": "1", "lst_candidate_id": [', False),
        (b'[{"dialogue_id": "1_00000", "services": [', False),
        (b'{"dialog_id": "1", "utterances": []}', True),
        (b'{"dialog_id": "1", "lst_candidate_id": []}', False),
        (b"", False),
    ],
)
def test_files_are_known_by_how_they_begin(head: bytes, is_one: bool) -> None:
    assert (SIGNS.lacking(Sight.of(head)) == "") is is_one


@pytest.mark.parametrize("name", ["dialog-task1.answers.json", "dialog-output-result.json"])
def test_results_and_answers_are_no_dialogues(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text('[{"dialog_id": "1", "lst_candidate_id": []}]')
    with refuses(FormatError, "unknown-format"):
        formats.load(tmp_path)
    with refuses(FormatError, "unknown-format"):
        formats.load(tmp_path / name)


@pytest.mark.corpus
def test_every_real_call_and_fact_is_read(corpora: Path) -> None:
    corpus = formats.load(corpora / "dstc6")
    assert (corpus.format, len(corpus.files)) == ("dstc6", 10)
    calls = items = 0
    for dialogue in corpus.dialogues():
        assert not dialogue.extra
        for event in dialogue.events:
            calls += isinstance(event, Query)
            items += len(event.items) if isinstance(event, Result) else 0
            if isinstance(event, Utterance):
                assert not event.text.startswith("api_call")
                assert " r_" not in event.text
    assert (calls, items) == (3_823, 11_687)
