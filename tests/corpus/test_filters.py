"""Conditions on dialogues, parts and samples, and a corpus as a sequence."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import dialoom
from dialoom.corpus.filters import condition
from dialoom.corpus.shards import render_lines
from dialoom.dialogue.constraint import holds, parse
from dialoom.errors import UnknownNameError, UsageError
from tests.make import refuses

SAMPLE = Path(__file__).parents[2] / "examples" / "sample"


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("api.is_at_least(3)", 3, True),
        ("api.is_at_least(3)", "4", True),
        ("api.is_at_least(3)", "many", False),
        ("api.is_less_than(3)", 3, False),
        ('api.is_one_of(["a","b"])', "b", True),
        ('api.is_not("a")', "b", True),
        ('api.is_not("a")', None, True),
        ('api.contains("AR")', "park", True),
        ('api.contains_not("ar")', "park", False),
        ('"True"', True, False),
        ("import os", "import os", False),
    ],
)
def test_a_constraint_holds_of_a_value(text: str, value: str | int, expected: bool) -> None:
    assert holds(parse("slot", text), value) is expected


def test_conditions_are_read() -> None:
    assert condition("turns >= 10") == condition("turns = api.is_at_least(10)")
    assert condition("outcome=Complete") == condition('outcome = "Complete"')
    with refuses(UnknownNameError, "unknown-name", "turns"):
        condition("turn > 1")
    with refuses(UsageError, "bad-condition"):
        condition("turns")
    with refuses(UsageError, "bad-condition"):
        condition("turns >>> 3")


def test_a_corpus_is_a_sequence(tmp_path: Path) -> None:
    corpus = dialoom.load(SAMPLE)
    assert len(corpus) == len(list(corpus)) == 10
    assert corpus[0] == next(iter(corpus))
    assert corpus[-1].id == corpus["10"].id == "10"
    for place in slice(1, 3), 1.5:
        with pytest.raises(UsageError, match="expected a whole number or a text"):
            corpus[place]  # type: ignore[index]
    with pytest.raises(IndexError):
        corpus[10]
    with pytest.raises(UnknownNameError):
        corpus["11"]
    one = corpus.filter(users=(corpus[0].workers["user"],))
    assert {dialogue.workers["user"] for dialogue in one} == {corpus[0].workers["user"]}
    assert 0 < len(one) < len(corpus)
    long = corpus.filter(task="museum_tour").filter(lambda dialogue: len(dialogue.events) > 20)
    assert 0 < len(long) < len(corpus)
    with refuses(UnknownNameError, "unknown-name", "task"):
        corpus.filter(tasks="museum_tour")  # type: ignore[call-arg]
    long.save(tmp_path / "long")
    assert list(dialoom.load(tmp_path / "long")) == list(long)


def test_ids_and_users_of_no_dialogue_are_refused() -> None:
    corpus = dialoom.load(SAMPLE)
    with refuses(UnknownNameError, "unknown-name", "dialogue '999'"):
        corpus.filter(ids=("3", "999"))
    with refuses(UnknownNameError, "unknown-name", "user '999'"):
        corpus.filter(users=(corpus[0].workers["user"], "999"))
    with refuses(UnknownNameError, "unknown-name", "'3'"):
        corpus.filter(ids=["4"]).filter(ids=["3"])


def test_a_name_of_a_format_is_for_convert(tmp_path: Path) -> None:
    with refuses(UsageError, "wrong-type", "'chat'", "convert"):
        dialoom.load(SAMPLE).save(tmp_path / "x", "chat")  # type: ignore[arg-type]
    assert not (tmp_path / "x").exists()


def test_dialogues_of_one_id_in_a_file_count_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "twice.jsonl"
    each = [replace(dialogue, id="7", origin=None) for dialogue in dialoom.load(SAMPLE)][:3]
    file.write_bytes(render_lines(each))
    corpus = dialoom.load(file)
    assert [len(corpus.sample(number)) for number in (1, 2, 9)] == [1, 2, 3]
    assert len(corpus.sample(2).sample(1)) == 1
    assert [len(part) for part in corpus.split({"a": 1, "b": 2}).values()] == [1, 2]
    with refuses(UsageError, "twice", "3 dialogues", "twice.jsonl"):
        corpus["7"]


def test_parts_are_all_of_a_corpus_once() -> None:
    corpus = dialoom.load(SAMPLE)
    parts = corpus.split({"train": 8, "dev": 1, "test": 1}, seed=5)
    assert {name: len(part) for name, part in parts.items()} == {"train": 8, "dev": 1, "test": 1}
    ids = sorted(dialogue.id for part in parts.values() for dialogue in part)
    assert ids == sorted(dialogue.id for dialogue in corpus)
