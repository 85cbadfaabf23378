"""Frames as text: every file that can be read comes back byte for byte."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Act, Dialogue, Layer, Part, Utterance, decode, encode
from dialoom.dialogue.views import label
from dialoom.errors import FormatError
from dialoom.formats.base.conversion import convert
from tests.formats.laid_out import read, there_and_back
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.strategies import dialogues, sampled

FORMAT = formats.get("frames-text")
GOLDEN = DATA / "frames-text"
lines = st.lists(
    st.sampled_from(
        ["USR|", "SYS|", "XYZ|", "|", "||", "inform", "a b", "é", "\n", "\r\n", "\r", " "]
    )
    | st.text(max_size=3),
    max_size=12,
).map("".join)


@settings(max_examples=100)
@given(lines)
@example("USR|")
@example("USR|a|b c\nd|\nSYS|x")
@example("USR|a|x\r\nb|y\r\n")
@example("\n")
@example("\r\n")
def test_what_can_be_read_comes_back_byte_for_byte(text: str) -> None:
    data = text.encode()
    try:
        output = there_and_back(FORMAT, data)
    except FormatError as error:
        assert error.code in ("no-speaker", "empty")
    else:
        assert output == data


@pytest.mark.parametrize("name", ["train/train_1.txt", "train/train_2.txt", "train_set.txt"])
def test_golden_files_come_back_byte_for_byte(name: str) -> None:
    data = (GOLDEN / name).read_bytes()
    assert there_and_back(FORMAT, data) == data


def test_an_utterance_may_have_several_lines_bars_or_no_act() -> None:
    (dialogue,) = read(FORMAT, (GOLDEN / "train" / "train_1.txt").read_bytes())
    turns = utterances(dialogue)
    assert [each.agent for each in turns] == [USER, USER, SYSTEM, SYSTEM, USER, SYSTEM, USER]
    assert turns[1].text == "Is there a boat to Oslo\nor a train|a bus?"
    assert [label(each) for each in turns[:4]] == ["inform", "request", "no_result", "suggest"]
    assert [each.layers for each in turns[4:6]] == [(), ()]


def test_a_line_after_an_act_is_the_same_speakers() -> None:
    (dialogue,) = read(FORMAT, (GOLDEN / "train" / "train_2.txt").read_bytes())
    offer, leaving = utterances(dialogue)[1:3]
    assert (offer.agent, leaving.agent) == (SYSTEM, SYSTEM)
    assert leaving.extra == {"layout": {"speaker": False}}
    moved = replace(dialogue, events=(replace(offer, agent=USER), leaving))
    assert (
        FORMAT.render_file([moved])
        == b"USR|How about Faro at 300?|offer\nSYS|leaving on Monday|offer\n"
    )


def test_a_dialogue_a_file_and_the_whole_is_not_read_twice(tmp_path: Path) -> None:
    corpus = formats.load(GOLDEN)
    assert corpus.format == "frames-text"
    assert [file.name for file in corpus.files] == ["train_1.txt", "train_2.txt"]
    assert [dialogue.id for dialogue in corpus.dialogues()] == ["train_1", "train_2"]
    assert not convert(corpus.dialogues, {}, FORMAT, tmp_path)
    assert (tmp_path / "train" / "train_2.txt").is_file()


def test_the_whole_alone_is_one_dialogue(tmp_path: Path) -> None:
    shutil.copy(GOLDEN / "train_set.txt", tmp_path)
    shutil.copy(GOLDEN / "train_set.txt", tmp_path / "LICENSE")
    corpus = formats.load(tmp_path)
    assert [file.name for file in corpus.files] == ["train_set.txt"]
    (dialogue,) = corpus.dialogues()
    assert len(dialogue.events) == 11


def test_one_changed_word_changes_that_word_only() -> None:
    data = (GOLDEN / "train" / "train_1.txt").read_bytes()
    (dialogue,) = read(FORMAT, data)
    for word in (b"Oslo", b"a bus", b"thankyou"):
        changed = FORMAT.render_file([decode(encode(dialogue).replace(word, b"other"))])
        assert changed == data.replace(word, b"other")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", ("empty",)),
        (b"\xff", ("not-utf-8",)),
        (b"hello|inform\n", ("no-speaker", "line 1")),
        (b"ABC|hello|inform\n", ("no-speaker", "line 1")),
    ],
)
def test_what_is_wrong_is_reported(data: bytes, what: tuple[str, ...]) -> None:
    with refuses(FormatError, *what):
        read(FORMAT, data)


def test_acts_of_dialogues_from_elsewhere_become_one_word() -> None:
    acts = (Act("say hello|twice"), Act("second"))
    utterance = Utterance(agent="kb", text="a|b", layers=(Layer("gold", (Part(acts=acts),)),))
    bare = Utterance(agent=USER, text="a|b")
    dialogue = Dialogue(id="1", events=(utterance, bare))
    assert FORMAT.render_file([dialogue]) == b"SYS|a|b|say_hello_twice\nUSR|a|b|\n"


@sampled
@given(dialogues())
def test_any_dialogue_is_written_as_a_file_that_reads_back(dialogue: Dialogue) -> None:
    output = FORMAT.render_file([dialogue])
    (back,) = read(FORMAT, output)
    assert FORMAT.render_file([back]) == output
    clean = [each.text for each in utterances(dialogue)]
    if not any(mark in text for text in clean for mark in "|\n\r"):
        assert [each.text for each in utterances(back)] == clean


@pytest.mark.corpus
def test_the_published_set_in_one_file_comes_back(corpora: Path) -> None:
    whole = corpora / "frames" / "text" / "train_set.txt"
    assert there_and_back(FORMAT, whole.read_bytes()) == whole.read_bytes()


@pytest.mark.corpus
def test_the_published_utterances(corpora: Path) -> None:
    corpus = formats.load(corpora / "frames", "frames-text")
    assert len(corpus.files) >= 1329
    turns = [each for dialogue in corpus.dialogues() for each in utterances(dialogue)]
    assert all(label(each) for each in turns)
    assert not any("layout" in each.extra for each in turns)
    assert sum(each.text.count("\n") for each in turns) == 471


def utterances(dialogue: Dialogue) -> list[Utterance]:
    return [event for event in dialogue.events if isinstance(event, Utterance)]
