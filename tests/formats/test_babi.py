"""The bAbI dialog tasks: numbered lines, calls by position, facts without a tab."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import (
    KB,
    SYSTEM,
    USER,
    Constraint,
    Dialogue,
    Event,
    Origin,
    Query,
    Result,
    Utterance,
    decode,
    encode,
)
from dialoom.errors import FormatError
from dialoom.formats.babi import FORMAT
from dialoom.formats.babi.calls import call_text, read_call
from dialoom.formats.babi.dialect import BABI
from dialoom.formats.babi.dialogues import looks_like, read, render
from dialoom.quality.roundtrip import roundtrip
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.strategies import constraints, dialogues, names, sampled

GOLDEN = DATA / "babi"


def dialogue_of(text: str) -> list[Dialogue]:
    return list(read(text.encode(), Path("dialog-x.txt"), "dialog-x.txt"))


def events_of(*bodies: str) -> tuple[Event, ...]:
    text = "".join(f"{number} {body}\n" for number, body in enumerate(bodies, start=1))
    (dialogue,) = dialogue_of(text + "\n")
    return dialogue.events


def user(text: str) -> Utterance:
    return Utterance(agent=USER, text=text)


def bot(text: str) -> Utterance:
    return Utterance(agent=SYSTEM, text=text)


def lines_of(*events: Event) -> list[str]:
    text = render([Dialogue(id="1", events=events)]).decode()
    return [line.partition(" ")[2] for line in text.split("\n") if line]


def test_the_golden_files_come_back_byte_for_byte() -> None:
    corpus = formats.load(GOLDEN)
    assert corpus.format == "babi"
    assert [file.name for file in corpus.files] == [
        "dialog-babi-task5trn.txt",
        "dialog-babi-task6trn.txt",
    ]
    assert [verdict for _, verdict in roundtrip(corpus, FORMAT)] == ["bytes", "bytes"]


def test_a_dialogue_is_called_by_its_file_and_number() -> None:
    first, second, third = formats.load(GOLDEN).dialogues()
    assert (first.id, second.id, third.id) == (
        "dialog-babi-task5trn-1",
        "dialog-babi-task5trn-2",
        "dialog-babi-task6trn-1",
    )
    assert second.origin == Origin("dialog-babi-task5trn.txt", 1)


def test_calls_have_their_slots_and_facts_make_up_items() -> None:
    events = next(formats.load(GOLDEN).dialogues()).events
    (query,) = [event for event in events if isinstance(event, Query)]
    slots = {constraint.slot: constraint.value for constraint in query.constraints}
    assert slots == {"cuisine": "nordic", "location": "bergen", "number": "two", "price": "cheap"}
    (result,) = [event for event in events if isinstance(event, Result)]
    assert result.query == query.id
    assert [item["name"] for item in result.items] == ["blue_fjord", "old_pier"]
    assert result.items[0]["rating"] == "61"


def test_task_6_leaves_slots_open_and_may_find_nothing() -> None:
    *_, last = formats.load(GOLDEN).dialogues()
    first, second = [event for event in last.events if isinstance(event, Query)]
    assert [c.slot for c in first.constraints] == ["location", "price"]
    assert [c.slot for c in second.constraints] == ["location"]
    empty, hit = [event for event in last.events if isinstance(event, Result)]
    assert (empty.query, empty.items) == (first.id, ())
    assert hit.items == (
        {"name": "the_quay", "post_code": "the_quay_post_code", "location": "north", "rating": "3"},
    )


def test_silence_is_a_turn_and_blanks_are_kept() -> None:
    assert events_of("<SILENCE>\t hello ", "\tthere") == (
        user("<SILENCE>"),
        bot(" hello "),
        user(""),
        bot("there"),
    )


def test_a_line_without_a_tab_that_is_no_fact_is_what_the_knowledge_base_says() -> None:
    events = events_of("hi\thello", "closed today", "bye\tbye")
    assert events[2] == Utterance(agent=KB, text="closed today")
    assert lines_of(*events) == ["hi\thello", "closed today", "bye\tbye"]


def test_one_changed_word_changes_that_word_only() -> None:
    dialogues = list(formats.load(GOLDEN).dialogues())[:2]
    before = render(dialogues)
    for word in (b"what may it cost", b"blue_fjord_phone", b'"price","values":["cheap"]'):
        line = encode(dialogues[0])
        assert line.count(word) == 1
        changed = word.replace(b"cost", b"be").replace(b"phone", b"bell").replace(b"cheap", b"dear")
        after = render([decode(line.replace(word, changed)), dialogues[1]])
        old, new = before.split(b"\n"), after.split(b"\n")
        assert len(old) == len(new)
        assert sum(a != b for a, b in zip(old, new, strict=True)) == 1


# --- dialogues from elsewhere -------------------------------------------------------------------


def test_who_speaks_twice_meets_silence() -> None:
    assert lines_of(bot("hello"), bot("hi"), user("a"), user("b")) == [
        "<SILENCE>\thello",
        "<SILENCE>\thi",
        "a\t",
        "b\t",
    ]


def test_breaks_become_blanks() -> None:
    assert lines_of(user("one\ntwo\tthree"), bot("four\r\nfive")) == ["one two three\tfour  five"]


def test_a_dialogue_without_lines_is_one_silent_line() -> None:
    assert render([Dialogue(id="1", events=())]) == b"1 <SILENCE>\t\n\n"


def test_a_query_from_elsewhere_is_written_by_name() -> None:
    query = Query(
        id="7",
        api="FindHotel",
        service="Hotels_1",
        constraints=(
            Constraint("city", "equal", ("New York",)),
            Constraint("stars", "at_least", (3,)),
            Constraint("area", "one_of", ("north", "west")),
            Constraint("odd", None, (), "__import__('os')"),
        ),
    )
    (line,) = lines_of(query)
    assert line == (
        '<SILENCE>\tapi_call Hotels_1.FindHotel {"city": "New York", "stars": {"at_least": [3]}, '
        '"area": {"one_of": ["north", "west"]}, "odd": {"unread": ["__import__(\'os\')"]}}'
    )
    (_, back) = events_of(line)
    assert back == replace(query, id="1")


def test_items_from_elsewhere_have_a_word_for_their_name() -> None:
    items = (
        {"name": "Hotel Alma", "stars": 4, "open late": True},
        {"stars": 3},
        {"stars": "2", "tags": ["a", "b"]},
    )
    lines = lines_of(Result(items=items))
    assert lines == [
        "Hotel_Alma R_name Hotel Alma",
        "Hotel_Alma R_stars 4",
        "Hotel_Alma R_open_late true",
        "_2 R_stars 3",
        "_3 R_stars 2",
        '_3 R_tags ["a","b"]',
    ]
    assert events_of(*lines) == (
        Result(
            items=(
                {"name": "Hotel Alma", "stars": "4", "open_late": "true"},
                {"stars": "3"},
                {"stars": "2", "tags": '["a","b"]'},
            )
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        "api_call",
        "api_call nordic bergen",
        "api_call nordic  two cheap",
        "api_call a {",
        'api_call a {"x": []}',
        'api_call a {"x": {"near": [1]}}',
        'api_call a {"x": {"one_of": [[]]}}',
        'api_call a {"x":1}',
        "api_call a {" + '"x": {' * 3000 + "}",
        "I will api_call you",
    ],
)
def test_what_is_no_call_stays_text(text: str) -> None:
    assert read_call(text, "1", BABI) is None


@given(
    st.builds(
        Query,
        id=st.just("1"),
        api=names,
        constraints=st.lists(constraints(), max_size=3).map(tuple),
    )
)
def test_a_call_that_reads_back_reads_the_same_again(query: Query) -> None:
    text = call_text(query, BABI)
    back = read_call(text, "1", BABI)
    assert back is None or call_text(back, BABI) == text


# --- any file, any dialogue ---------------------------------------------------------------------

words = st.text(
    st.characters(codec="utf-8", exclude_characters="\t\r\n") | st.sampled_from("R_ "), max_size=12
)
facts = st.builds("{} R_{} {}".format, st.sampled_from(["_1", "_2", "a", "b"]), words, words)
bodies = st.one_of(
    st.builds("{}\t{}".format, words, words),
    st.builds("{}\tapi_call {}".format, words, words),
    facts,
    words,
    st.sampled_from(["api_call no result", "a R_name a b", "a_b R_name a b", "a R_name a"]),
)
files = st.lists(st.lists(bodies, min_size=1, max_size=8), min_size=1, max_size=3)


@sampled
@given(files)
def test_every_regular_file_comes_back_byte_for_byte(held: list[list[str]]) -> None:
    text = "".join(
        "".join(f"{number} {body}\n" for number, body in enumerate(lines, start=1)) + "\n"
        for lines in held
    )
    assert render(dialogue_of(text)).decode() == text


@sampled
@given(st.lists(dialogues(), min_size=1, max_size=3))
def test_any_dialogues_are_written_as_a_file_that_reads_back(held: list[Dialogue]) -> None:
    output = render(held)
    back = dialogue_of(output.decode())
    assert len(back) == len(held)
    assert render(back) == output
    assert looks_like(output)


# --- what is no such file -----------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_other_layouts_are_read_as_well(ending: str) -> None:
    text = ending.join(["", "1 a\tb", "2 c\td", "1 e\tf", "", "", "1 g\th"])
    assert [len(dialogue.events) for dialogue in dialogue_of(text)] == [4, 2, 2]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", ("empty",)),
        (b"\n\n", ("empty",)),
        (b"1 a\tb\n3 c\td\n", ("bad-line", "line 2", "3", "2")),
        (b"2 a\tb\n", ("bad-line", "line 1", "2", "1")),
        (b"1 a\tb\n1\n", ("bad-line", "line 2", "1")),
        (b"hello\n", ("bad-line", "line 1", "hello")),
        (b"1 a\n2 b\tc\t1\n", ("bad-line", "line 2", "scripts")),
        (b"1 a\tb\n2 \xff\tb\n", ("not-utf-8", "8")),
        (b"99999999999999999999 a\tb\n", ("bad-line", "number")),
    ],
)
def test_damage_is_named_with_its_line(data: bytes, what: tuple[str, ...]) -> None:
    with refuses(FormatError, *what):
        list(read(data, Path("dialog-x.txt"), "dialog-x.txt"))


@pytest.mark.parametrize(
    ("head", "is_one"),
    [
        (b"1 hello\thi\n2 bye\tbye\n", True),
        (b"1 hello\thi\n\n1 hello\thi\n", True),
        (b"1 bay R_price cheap\n2 bay R_phone 7\n", True),
        (b"1 bay R_price\tcheap\n1 bay R_phone\t7\n", False),
        (b"1 bay R_price\tcheap\n", False),
        (b"1 hello there\n1 let me see\n", False),
        (b"[{", False),
        (b"", False),
        (b"\xff\xfe", False),
    ],
)
def test_files_are_known_by_how_they_begin(head: bytes, is_one: bool) -> None:
    assert looks_like(head) is is_one


def test_lists_are_no_dialogues(tmp_path: Path) -> None:
    for name in ("dialog-babi-kb-all.txt", "dialog-babi-candidates.txt"):
        with refuses(FormatError, "unknown-format"):
            formats.load(GOLDEN / name)


@pytest.mark.corpus
def test_every_real_call_is_a_query(corpora: Path) -> None:
    corpus = formats.load(corpora / "babi")
    assert (corpus.format, len(corpus.files)) == ("babi", 12)
    calls = 0
    for dialogue in corpus.dialogues():
        for event in dialogue.events:
            calls += isinstance(event, Query)
            if isinstance(event, Utterance):
                assert event.agent != KB
                assert not event.text.startswith("api_call")
    assert calls == 12_511


def test_lines_with_candidates_are_not_of_babi(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("1 hi !\they !\n2 more\tyes\t\tyes|no\n")
    assert not looks_like(file.read_bytes())
    (dialogue,) = formats.load(file)
    assert [event.text for event in dialogue.events if isinstance(event, Utterance)] == [
        "hi !",
        "hey !",
        "more",
        "yes",
    ]
