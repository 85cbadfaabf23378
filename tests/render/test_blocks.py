"""A table of many corpora on a narrow terminal: no word is broken, and nothing is left out."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from dialoom.render.tables import ResultTable, in_blocks, to_rich

NAMES = ("star", "paper, star", "frames", "schema-guided", "paper, schema-guided", "babi")
TABLE = ResultTable(
    "Side by side",
    ("corpus", *NAMES),
    [["dialogues", *range(1_000, 1_006)], ["utterances a dialogue", *[20.5] * 6]],
    ("A note.",),
)


def printed(table: ResultTable, width: int) -> str:
    console = Console(width=width, file=StringIO())
    console.print(to_rich(table.header, table.rows, thousands=True))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_table_that_fits_stays_whole() -> None:
    assert list(in_blocks(TABLE, 200)) == [TABLE]


def test_a_wide_one_is_parted_between_corpora() -> None:
    blocks = list(in_blocks(TABLE, 60))
    assert [block.header[1:] for block in blocks] == [NAMES[:3], NAMES[3:]]
    assert [block.title for block in blocks] == ["Side by side (1 of 2)", "Side by side (2 of 2)"]
    assert blocks[1].rows[0] == ["dialogues", 1_003, 1_004, 1_005]
    assert [block.notes for block in blocks] == [(), ("A note.",)]
    for block in blocks:
        assert max(map(len, printed(block, 60).splitlines())) <= 60
        for word in ("utterances", "schema-guided" if block is blocks[1] else "frames"):
            assert word in printed(block, 60)


def test_a_corpus_that_is_too_wide_is_alone() -> None:
    blocks = list(in_blocks(TABLE, 10))
    assert [block.header[1:] for block in blocks] == [
        NAMES[:2], NAMES[2:3], NAMES[3:5], NAMES[5:]
    ]  # fmt: skip
