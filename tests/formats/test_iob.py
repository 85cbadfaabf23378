"""User turns with a tag a word: every file that can be read comes back byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.dialogue import (
    USER,
    Act,
    Dialogue,
    Layer,
    Part,
    Span,
    Utterance,
    decode,
    encode,
)
from dialoom.errors import FormatError
from dialoom.formats.base.conversion import convert
from dialoom.formats.iob import act_and_slot
from tests.formats.laid_out import read, there_and_back
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.strategies import dialogues, sampled

FORMAT = formats.get("iob")
GOLDEN = DATA / "iob" / "user_turns.iob"
tags = st.sampled_from(["O", "B_inform_city", "I_inform_city", "B_a", "I_a", "I_b", "B_", "I_"])
words = st.text(st.characters(codec="utf-8", exclude_characters=" \n"), min_size=1, max_size=4)


@st.composite
def tagged(draw: st.DrawFn) -> str:
    tokens = draw(st.lists(st.tuples(words, tags, st.sampled_from([" ", "  "])), max_size=4))
    text = "".join(word + blank for word, _, blank in tokens)
    acts = draw(st.sampled_from(["", "inform", "negate+request", "+", "a+"]))
    return f"BOS {text} EOS\t{' '.join(['O', *(tag for _, tag, _ in tokens), 'O', acts])}"


@sampled
@given(st.lists(tagged(), min_size=1, max_size=3), st.sampled_from(["\n", "\r\n", ""]))
def test_any_file_comes_back_byte_for_byte(lines: list[str], end: str) -> None:
    data = ((end or "\n").join(lines) + end).encode()
    assert there_and_back(FORMAT, data) == data


def test_the_golden_file_comes_back_byte_for_byte(tmp_path: Path) -> None:
    assert there_and_back(FORMAT, GOLDEN.read_bytes()) == GOLDEN.read_bytes()
    corpus = formats.load(GOLDEN.parent)
    assert corpus.format == "iob"
    assert not convert(corpus.dialogues, {}, FORMAT, tmp_path)
    assert (tmp_path / GOLDEN.name).read_bytes() == GOLDEN.read_bytes()


def test_a_line_is_a_dialogue_with_spans_and_acts() -> None:
    first, second, third = (part_of(dialogue) for dialogue in golden())
    assert first.acts == (Act("inform"),)
    assert first.spans == (
        Span(15, 28, ("inform_dst_city",)),
        Span(32, 36, ("inform_str_date",)),
    )
    assert second.acts == (Act("negate"), Act("switch_frame"))
    assert [span.extra for span in second.spans or ()] == [{}, {}, {"tag": "I"}]
    assert third.acts == ()
    assert [dialogue.id for dialogue in golden()] == ["file-1", "file-2", "file-3"]


@pytest.mark.parametrize("word", [b"north", b"inform_str_date", b"switch_frame"])
def test_one_changed_word_changes_that_word_only(word: bytes) -> None:
    other = b"y" * len(word)
    changed = [decode(encode(dialogue).replace(word, other)) for dialogue in golden()]
    assert FORMAT.render_file(changed) == GOLDEN.read_bytes().replace(word, other)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", ("empty",)),
        ("BOS a EOS O O O x\n", ("bad-line", "EOS")),
        ("a EOS\tO O x\n", ("bad-line", "EOS")),
        ("BOS a b EOS\tO O O x\n", ("bad-line", "4", "BOS", "EOS", "3")),
        ("BOS a EOS\tO X O x\n", ("bad-line", "X", "O")),
        ("BOS a EOS\tB_x O O x\n", ("bad-line", "O")),
        ("\n", ("bad-line", "EOS")),
    ],
)
def test_what_is_wrong_is_reported(line: str, what: tuple[str, ...]) -> None:
    with refuses(FormatError, *what):
        read(FORMAT, line.encode())
    with refuses(FormatError, "not-utf-8"):
        read(FORMAT, b"BOS \xff EOS\tO O O x\n")


def test_utterances_from_elsewhere_are_cut_at_blanks() -> None:
    spans = (
        Span(8, 16, ("city",)),
        Span(8, 12, ("overlaps",)),
        Span(25, 28, ("day of", "b")),
        Span(3, 3, ("empty",)),
        Span(90, 99, ("beyond",)),
    )
    part = Part(acts=(Act("INFORM"), Act("say hi")), spans=spans)
    utterance = Utterance(
        agent=USER, text="Take me San José, please,\nMay 3.", layers=(Layer("simulator", (part,)),)
    )
    dialogue = Dialogue(id="1", events=(utterance, Utterance(agent="system", text="No.")))
    assert FORMAT.render_file([dialogue]).decode() == (
        "BOS Take me San José, please, May 3. EOS\t"
        "O O O B_city I_city O B_day_of O O INFORM+say_hi\n"
    )


def test_a_dialogue_in_which_the_user_is_silent_is_a_line_without_words() -> None:
    assert FORMAT.render_file([Dialogue(id="1", events=())]) == b"BOS  EOS\tO O \n"


def test_labels_are_taken_apart_by_the_longest_act() -> None:
    assert act_and_slot("request_alts_spa") == ("request_alts", "spa")
    assert act_and_slot("request_spa") == ("request", "spa")
    assert act_and_slot("switch_frame_ref_anaphora") == ("switch_frame", "ref_anaphora")
    assert act_and_slot("dst_city") == (None, "dst_city")


@sampled
@given(st.lists(dialogues(), min_size=1, max_size=2))
def test_any_dialogues_are_written_as_a_file_that_reads_back(held: list[Dialogue]) -> None:
    content = FORMAT.render_file(held)
    assert there_and_back(FORMAT, content) == content


@pytest.mark.corpus
def test_the_published_labels_are_acts_and_slots(corpora: Path) -> None:
    corpus = formats.load(corpora / "frames", "iob")
    parts = [part_of(dialogue) for dialogue in corpus.dialogues()]
    assert len(parts) >= 8199
    labels = {label for part in parts for span in part.spans or () for label in span.labels}
    assert all(act_and_slot(label)[0] for label in labels)


def golden() -> list[Dialogue]:
    return read(FORMAT, GOLDEN.read_bytes())


def part_of(dialogue: Dialogue) -> Part:
    (event,) = dialogue.events
    assert isinstance(event, Utterance)
    return event.layers[0].parts[0]
