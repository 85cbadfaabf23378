"""What somebody types of a spoken dialogue: which parts there are, and that nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.collect.kinds.transcription import TextEdit, TranscriptionKind, edits
from dialoom.collect.message import Refused
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.unit import Result
from dialoom.dialogue import SYSTEM, USER, Dialogue, Layer, Utterance
from tests.collect.studied import Shelf


def edited(text: str, changes: Sequence[TextEdit]) -> str:
    for each in reversed(changes):
        text = text[: each.at] + each.after + text[each.at + len(each.before) :]
    return text


TEXTS = st.one_of(st.text(), st.text(alphabet="ab \n"))


@given(TEXTS, TEXTS)
def test_the_edits_of_a_text_make_the_other_one(before: str, after: str) -> None:
    changes = edits(before, after)
    assert edited(before, changes) == after
    assert (changes == ()) == (before == after)
    for each in changes:
        assert before.startswith(each.before, each.at)
        kind = {(False, True): "insert", (True, False): "delete"}
        assert each.op == kind.get((bool(each.before), bool(each.after)), "replace")


def test_words_are_edited_and_not_letters() -> None:
    assert edits("a tabel for two please", "a table for two") == (
        TextEdit("replace", 2, "tabel", "table"),
        TextEdit("delete", 15, " please", ""),
    )


SOUND = {"Sound": {"Digest": "00" * 32, "Media": "audio/wav", "Seconds": 1.0}}
WORDS = st.text(alphabet="abc ", min_size=1).map(str.strip).filter(bool)


def kind() -> TranscriptionKind:
    stage = Stage(name="type", kind="transcription", of="talk")
    return TranscriptionKind(Shelf((), {}), Settings(), stage)


def turn(agent: str, text: str) -> Utterance:
    """Return a turn; a user's is spoken, and its text a draft."""
    if agent == SYSTEM:
        return Utterance(agent=SYSTEM, text=text)
    layers = (Layer("draft", extra={"text": text}),) if text else ()
    return Utterance(agent=USER, text=text, layers=layers, extra=SOUND)


TURNS = st.lists(
    st.one_of(
        st.builds(turn, st.just(USER), st.one_of(st.just(""), WORDS)),
        st.builds(turn, st.just(SYSTEM), WORDS),
    ),
    min_size=1,
    max_size=5,
)


@st.composite
def typed(draw: st.DrawFn) -> tuple[Dialogue, dict[str, Any]]:
    """Draw a dialogue, and what somebody makes of it."""
    turns = draw(TURNS)
    document: dict[str, Any] = {}
    for place, utterance in enumerate(turns):
        texts = st.builds(lambda text: {"text": text}, WORDS)
        if utterance.agent == USER or draw(st.booleans()):
            document[str(place)] = draw(st.one_of(texts, st.just({"deleted": True})))
    inserted = st.builds(
        lambda speaker, text: {"speaker": speaker, "text": text},
        st.sampled_from(["user", "system"]),
        WORDS,
    )
    for place in range(len(turns) + 1):
        for number in range(1, draw(st.integers(0, 2)) + 1):
            document[f"{place}.{number}"] = draw(inserted)
    return Dialogue(id="1", events=tuple(turns)), document


def undone(dialogue: Dialogue) -> list[str]:
    """Return the texts that a typed dialogue was made from, by its layers alone."""
    texts: list[str] = []
    deleted = {turn["Turn"]: turn["Text"] for turn in dialogue.extra.get("Deleted", [])}
    for utterance in dialogue.events:
        assert isinstance(utterance, Utterance)
        by = {layer.source: layer.extra for layer in utterance.layers}
        own = by.get("transcriber-1", {})
        if own.get("inserted"):
            continue
        while len(texts) in deleted:
            texts.append(deleted[len(texts)])
        changes = msgspec.convert(own.get("edits", []), list[TextEdit])
        before = by.get("draft", {}).get("text")
        if before is not None:
            assert edited(before, changes) == utterance.text
        elif changes or utterance.agent == SYSTEM:
            before = _before(utterance.text, changes)
        texts.append(before or "")
    while len(texts) in deleted:
        texts.append(deleted[len(texts)])
    return texts


def _before(text: str, changes: list[TextEdit]) -> str:
    """Return a text before edits."""
    for each in changes:
        assert text.startswith(each.after, each.at)
        text = text[: each.at] + each.before + text[each.at + len(each.after) :]
    return text


@given(typed())
def test_what_was_drafted_follows_from_what_was_typed(
    drawn: tuple[Dialogue, dict[str, Any]],
) -> None:
    source, document = drawn
    work = kind()
    entries = {part: work.checked(source, part, value) for part, value in document.items()}
    assert work.problems(source, entries) == []
    [dialogue] = work.dialogues(source, [Result(1, "1", entries)])
    texts = [event.text for event in source.events if isinstance(event, Utterance)]
    assert undone(dialogue) == texts


@pytest.mark.parametrize(
    ("part", "value", "code"),
    [
        ("2", {"text": "x"}, "unknown"),
        ("3.1", {"speaker": "user", "text": "x"}, "unknown"),
        ("0.0", {"speaker": "user", "text": "x"}, "unknown"),
        ("one", {"text": "x"}, "unknown"),
        ("00", {"text": "x"}, "unknown"),
        ("00.1", {"speaker": "user", "text": "x"}, "unknown"),
        ("0", {"text": " "}, "malformed"),
        ("0", {"speaker": "user", "text": "x"}, "malformed"),
        ("2.1", {"text": "x"}, "malformed"),
        ("1.1", {"speaker": "guide", "text": "x"}, "malformed"),
    ],
)
def test_what_is_no_turn_is_refused(part: str, value: Any, code: str) -> None:
    draft = Dialogue(id="1", events=(turn(USER, ""), turn(SYSTEM, "Yes?")))
    with pytest.raises(Refused) as refused:
        kind().checked(draft, part, value)
    assert refused.value.code == code


def test_every_spoken_turn_is_typed_or_taken_out() -> None:
    draft = Dialogue(id="1", events=(turn(USER, "a draft"), turn(SYSTEM, "Yes?"), turn(USER, "")))
    problems = kind().problems(draft, {"2": {"deleted": True}})
    assert problems == [{"code": "untyped", "part": "0"}]
