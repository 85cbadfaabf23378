"""Lists of facts and of candidates: read as items, written back, kept by a conversion."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.errors import FormatError, SchemaError
from dialoom.formats.babi.facts import Fact, is_stated, items, spell, state
from dialoom.formats.babi.lists import (
    PREFIX,
    KnowledgeBase,
    load_kb,
    read_candidates,
    read_kb,
)
from dialoom.formats.base.conversion import convert
from dialoom.schema.source import ListsSource
from dialoom.schema.task import TaskSchema
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.strategies import items as any_items

FILE = Path("dialog-x-kb.txt")
LISTS = [
    DATA / "babi" / "dialog-babi-kb-all.txt",
    DATA / "babi" / "dialog-babi-task6-dstc2-kb.txt",
    DATA / "dstc6" / "extendedkb1.txt",
]


def spelled(kb: KnowledgeBase) -> str:
    """Return a knowledge base as a list of facts."""
    return "".join(f"1 {spell(fact, PREFIX, kb.separator)}\n" for fact in state(kb.items))


@pytest.mark.parametrize("file", LISTS, ids=lambda file: file.name)
def test_a_list_of_facts_comes_back_byte_for_byte(file: Path) -> None:
    assert spelled(load_kb(file)) == file.read_text()


def test_both_spellings_give_items() -> None:
    tabs = read_kb(b"1 bay R_price\tcheap\n1 bay R_rating\t3\n1 quay R_price\tdear\n", FILE)
    blanks = read_kb(b"1 bay R_price cheap\n1 bay R_rating 3\n1 quay R_price dear\n", FILE)
    assert tabs.items == blanks.items
    assert tabs.items == (
        {"name": "bay", "price": "cheap", "rating": "3"},
        {"name": "quay", "price": "dear"},
    )
    assert (tabs.separator, blanks.separator) == ("\t", " ")


def test_columns_of_whole_numbers_are_numbers() -> None:
    kb = load_kb(LISTS[0])
    assert kb.columns()["rating"] is int
    assert kb.columns()["number"] is str
    assert [row["rating"] for row in kb.rows()] == [61, 12]
    mixed = read_kb(b"1 bay R_code 7\n1 quay R_code 07\n", FILE)
    assert mixed.columns()["code"] is str


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", ("empty",)),
        (b"1 bay R_price\tcheap\n2 bay R_rating\t3\n", ("bad-line", "line 2", "`1 `")),
        (b"1 bay price cheap\n", ("bad-line", "line 1", "R_attribute")),
        (b"1 bay R_price\tcheap\n1 bay R_rating 3\n", ("bad-line", "line 2", "R_attribute")),
        (b"1 bay R_price cheap\n1 bay R_name quay\n", ("out-of-order",)),
        (b"1 bay R_price \xff\n", ("not-utf-8",)),
    ],
)
def test_a_damaged_list_is_named_with_its_line(data: bytes, what: tuple[str, ...]) -> None:
    with refuses(FormatError, *what):
        read_kb(data, FILE)


def test_candidates_for_every_dialogue() -> None:
    file = DATA / "babi" / "dialog-babi-candidates.txt"
    candidates = read_candidates(file.read_bytes(), file)
    assert candidates[:2] == ("what can i do", "let me see")
    assert "".join(f"1 {line}\n" for line in candidates) == file.read_text()


@given(st.lists(any_items, max_size=3))
def test_what_is_stated_of_any_items_can_be_stated_again(held: list[dict[str, object]]) -> None:
    facts = list(state(held))
    back = items(facts)
    assert is_stated(facts) == (list(state(back)) == facts)


def test_equal_names_side_by_side_are_two_items_where_an_attribute_returns() -> None:
    facts = [Fact("bay", "price", "cheap"), Fact("bay", "price", "dear")]
    assert items(facts) == ({"name": "bay", "price": "cheap"}, {"name": "bay", "price": "dear"})
    assert is_stated(facts)


@pytest.mark.parametrize("name", ["babi", "dstc6"])
def test_lists_outlast_a_conversion(name: str, tmp_path: Path) -> None:
    source = formats.load(DATA / name)
    ours, back = tmp_path / "native", tmp_path / "back"
    for folder, to in ((ours, "native"), (back, name)):
        folder.mkdir()
        assert not convert(source.dialogues, source.schemas, formats.get(to), folder)
        source = Corpus(folder, formats.get(to))
    for file in LISTS + list((DATA / "babi").glob("*candidates.txt")):
        if file.parent.name == name:
            assert (back / file.name).read_bytes() == file.read_bytes()


def test_both_formats_hold_the_lists_of_the_other(tmp_path: Path) -> None:
    source = formats.load(DATA / "dstc6")
    loss = convert(source.dialogues, source.schemas, formats.get("babi"), tmp_path)
    assert "schema" not in loss
    assert (tmp_path / "extendedkb1.txt").read_bytes() == LISTS[2].read_bytes()


def test_only_lists_are_written_and_none_elsewhere(tmp_path: Path) -> None:
    files = {"../dialog-x-kb.txt": "no", "readme.txt": "no", "dialog-x-kb.txt": "1 a R_b c\n"}
    task = TaskSchema(id="babi", source=ListsSource(files=files))
    formats.get("babi").write([], {"babi": task}, tmp_path)
    assert [file.name for file in tmp_path.rglob("*")] == ["dialog-x-kb.txt"]
    assert not (tmp_path.parent / "dialog-x-kb.txt").exists()


def test_a_list_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dialog-x-kb.txt").write_bytes(b"1 a R_b \xff\n")
    with refuses(SchemaError, "not-utf-8"):
        formats.get("babi").schemas(tmp_path)


@pytest.mark.corpus
def test_the_real_lists_come_back(corpora: Path) -> None:
    sizes = {}
    for file in [*(corpora / "babi").glob("*kb*.txt"), *(corpora / "dstc6").glob("*kb*.txt")]:
        kb = load_kb(file)
        assert spelled(kb) == file.read_text()
        sizes[file.name] = len(kb.items)
    assert sizes == {
        "dialog-babi-kb-all.txt": 1200,
        "dialog-babi-task6-dstc2-kb.txt": 113,
        "extendedkb1.txt": 5400,
        "extendedkb2.txt": 5400,
    }
