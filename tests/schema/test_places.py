from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dialoom.errors import MissingDataError, SchemaError
from dialoom.schema import places
from dialoom.schema.places import MOST_BYTES, Place, parse, read_document
from tests.make import refuses


def test_words_are_words() -> None:
    document = parse(
        "a: no\nb: [on, Yes, true, 17:30, 2021-05-03, 007, 1_000, 0x1F, .5, '3']\n"
        "c: [false, null, ~, 3, -4, 2.5, 1e3]\nd:\n",
        "t",
    )
    assert document.value == {
        "a": "no",
        "b": ["on", "Yes", True, "17:30", "2021-05-03", "007", "1_000", "0x1F", ".5", "3"],
        "c": [False, None, None, 3, -4, 2.5, 1000.0],
        "d": None,
    }


def test_places_are_those_of_keys_and_elements() -> None:
    document = parse(
        "a: 1\nslots:\n  size: {type: category,\n         values: [x]}\n- b\n"[:-4], "t"
    )
    assert document.place(("slots", "size")) == Place(3, 3)
    assert document.place(("slots", "size", "values")) == Place(4, 10)
    assert document.place(("slots", "size", "values", 0)) == Place(4, 19)
    assert document.place(("slots", "size", "values", 0, "deeper")) == Place(4, 19)
    assert document.place(("nowhere",)) == Place(1, 1)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: &x 1", 1, ("bad-yaml", "anchor")),
        ("a: 1\nb: &x [*x]", 2, ("bad-yaml", "anchor")),
        ("a: *x", 1, ("bad-yaml", "alias")),
        ("a: !!python/object/apply:os.system [ls]", 1, ("bad-yaml", "tag")),
        ("a: !!int '3'", 1, ("bad-yaml", "tag")),
        ("a: {b: 1}\nc:\n  <<: {d: 1}", 3, ("bad-yaml", "<<")),
        ("a: 1\nb: 2\na: 3", 3, ("twice", "line 1")),
        ("? [a]\n: b", 1, ("bad-yaml",)),
        ("a: 1\n---\nb: 2", 2, ("bad-yaml",)),
        ("[" * 500_000, 1, ("too-deep",)),
        ("{a: " * 100_000, 1, ("too-deep",)),
        ("".join(" " * n + "a:\n" for n in range(500)), 21, ("too-deep",)),
        ("\n".join(f"k{n}: 1" for n in range(60_000)), 20_000, ("too-large", "20,000")),
        ("a: 'b", 1, ("bad-yaml",)),
        ("a: 1\n b: 2", 2, ("bad-yaml",)),
        ("a: 1\nb: x\0", 2, ("bad-yaml", "U+0000")),
    ],
)
def test_what_is_more_than_plain_values_is_refused_where_it_stands(
    text: str, line: int, what: tuple[str, ...]
) -> None:
    with refuses(SchemaError, *what, f"line {line}, column"):
        parse(text, "t.yaml")


@pytest.mark.parametrize("text", ["", "# only a comment\n", "a: \x00"])
def test_no_document_at_all_is_refused(text: str) -> None:
    with pytest.raises(SchemaError):
        parse(text, "t.yaml")


def test_a_large_text_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(text: str) -> None:
        raise AssertionError("was read")

    monkeypatch.setattr(places, "_events", never)
    with refuses(SchemaError, "too-large"):
        parse("a" * (MOST_BYTES + 1), "t.yaml")


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: caf\xc3\xa9\n")
    assert read_document(file).value == {"a": "café"}
    file.write_bytes(b"a: 1\nb: \xff\n")
    with refuses(SchemaError, "not-utf-8", "line 2"):
        read_document(file)
    file.write_bytes(b"x" * 10_000_000)
    with refuses(SchemaError, "too-large"):
        read_document(file)
    for path in (tmp_path, tmp_path / "none.yaml", tmp_path / ("n" * 300), Path("a\x00b")):
        with pytest.raises(MissingDataError):
            read_document(path)


@pytest.mark.parametrize(
    "text", ["a: &x [" + "*x, " * 200_000, "[" * 900_000, "!!x [" + "a, " * 90_000]
)
def test_refusing_reads_no_further(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    real = places._events

    def counted(text: str) -> Iterator[Any]:
        nonlocal count
        for event in real(text):
            count += 1
            yield event

    monkeypatch.setattr(places, "_events", counted)
    with pytest.raises(SchemaError):
        parse(text, "t.yaml")
    assert count < 30
