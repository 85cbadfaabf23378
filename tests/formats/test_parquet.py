"""Parquet tables hold everything, are the same for the same dialogues, and refuse what is wrong."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import dialoom.formats.parquet
from dialoom import formats
from dialoom.corpus.filters import split_of
from dialoom.dialogue import (
    Act,
    Dialogue,
    Layer,
    Origin,
    Part,
    Query,
    Result,
    Selected,
    Selection,
    Span,
    State,
    Utterance,
)
from dialoom.errors import DialoomError, FormatError, MissingDataError, MissingExtraError
from dialoom.formats.base.conversion import convert
from dialoom.formats.parquet import DIALOGUES, FORMAT, OTHER, PARTS, README, SCHEMAS, TURNS
from dialoom.schema import pack
from tests.make import refuses
from tests.strategies import dialogues, sampled

EXAMPLE = Dialogue(
    id="1",
    services=("Ferries_1", "Hotels_1"),
    origin=Origin("part.json", 3),
    events=(
        Utterance(
            agent="user",
            text="A ferry for two, please.",
            time=12,
            layers=(
                Layer(
                    "gold",
                    (
                        Part("Ferries_1", acts=(Act("INFORM"),), spans=(Span(12, 15, ("seats",)),)),
                        Part("Hotels_1", acts=(), state=State(values={"stars": (4,)})),
                    ),
                ),
                Layer("mine"),
            ),
        ),
        Query(id="1", api="Find", service="Ferries_1"),
        Result(query="1", items=({"name": "Grey Heron", "seats": 4.0},), total=1),
    ),
)


def write(folder: Path, *found: Dialogue) -> Path:
    folder.mkdir(exist_ok=True)
    FORMAT.write(found, {}, folder)
    return folder


def read(folder: Path) -> list[Dialogue]:
    return list(formats.load(folder).dialogues())


@sampled
@given(st.lists(dialogues(), max_size=3))
def test_any_dialogue_comes_back(
    tmp_path_factory: pytest.TempPathFactory, found: list[Dialogue]
) -> None:
    folder = tmp_path_factory.mktemp("parquet")
    assert sorted(read(write(folder, *found)), key=split_of) == sorted(found, key=split_of)


def test_each_part_of_a_corpus_is_a_split(tmp_path: Path) -> None:
    places = ("train/1.json", "dev/1.json", "train/2.json", "notes.json")
    dialogues = [replace(EXAMPLE, id=place, origin=Origin(place, 0)) for place in places]
    FORMAT.write(dialogues, {"weather": pack.load("weather")}, tmp_path)
    assert [each.id for each in read(tmp_path)] == [places[i] for i in (1, 3, 0, 2)]
    assert formats.detect(tmp_path).name == "parquet"
    assert list(formats.load(tmp_path / "train").schemas) == ["weather"]
    assert [each.id for each in read(tmp_path / "train")] == [places[0], places[2]]
    _, head, _ = (tmp_path / README).read_text().split("---\n")
    one, many, schemas = yaml.safe_load(head)["configs"]
    for table, config in ((DIALOGUES, one), (TURNS, many)):
        assert config["data_files"] == [
            {"split": part, "path": f"{part}/{table}"} for part in ("dev", "other", "train")
        ]
    assert (one["default"], schemas["data_files"]) == (True, SCHEMAS)


def test_more_parts_than_can_be_open_share_a_table(tmp_path: Path) -> None:
    dialogues = [
        replace(EXAMPLE, id=f"{n}", origin=Origin(f"part-{n:03d}/1.json", 0))
        for n in range(PARTS + 3)
    ]
    assert len(read(write(tmp_path, *dialogues))) == len(dialogues)
    assert len(pq.read_table(tmp_path / OTHER / DIALOGUES)) == 3


def test_nothing_is_lost_and_the_bytes_are_the_same(tmp_path: Path) -> None:
    tasks = {name: pack.load(name) for name in ("bank_balance", "hotel_book")}
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        assert not convert(lambda: iter([EXAMPLE, EXAMPLE]), tasks, FORMAT, folder)
    for name in (DIALOGUES, TURNS, SCHEMAS):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    assert formats.load(folders[0]).schemas == tasks


def test_other_tools_find_values_in_columns(tmp_path: Path) -> None:
    folder = write(tmp_path, EXAMPLE)
    [one] = pq.read_table(folder / DIALOGUES).to_pylist()
    assert (one["id"], one["services"], one["events"]) == ("1", ["Ferries_1", "Hotels_1"], 3)
    utterance, query, answer = pq.read_table(folder / TURNS).to_pylist()
    assert (utterance["agent"], utterance["type"], utterance["time"]) == ("user", "utterance", 12)
    assert utterance["services"] == ["Ferries_1", "Hotels_1"]
    assert utterance["acts"] == '[[{"name":"INFORM"}],[]]'
    assert utterance["states"] == '[null,{"values":{"stars":[4]}}]'
    assert (query["api"], query["service"]) == ("Find", "Ferries_1")
    assert (answer["query"], answer["items"]) == ("1", '[{"name":"Grey Heron","seats":4.0}]')


@pytest.mark.parametrize(
    "event",
    [
        Utterance(agent="user", text="", time=10**30),
        Utterance(agent="user", text="", selected=Selected()),
        Utterance(agent="user", text="", layers=(Layer("mine"), Layer("gold"))),
        Utterance(agent="user", text="", layers=(Layer("gold", extra={"a": 1}),)),
        Utterance(agent="user", text="", layers=(Layer("gold", (Part(extra={"a": 1}), Part())),)),
        Selection(kind="task", task="ferries"),
    ],
)
def test_what_no_column_fits_comes_back(tmp_path: Path, event: Utterance | Selection) -> None:
    dialogue = Dialogue(id="", events=(event,), origin=Origin("a", 10**30))
    assert read(write(tmp_path, dialogue)) == [dialogue]


def test_a_cell_changed_by_another_tool_is_changed(tmp_path: Path) -> None:
    folder = write(tmp_path, EXAMPLE)
    table = pq.read_table(folder / TURNS)
    column = table.schema.get_field_index("text")
    table = table.set_column(column, "text", pa.array(["Hello.", None, None]))
    time = table.schema.get_field_index("time")
    table = table.set_column(time, "time", table["time"].cast(pa.float64()))  # as pandas would
    pq.write_table(table, folder / TURNS)
    first = read(folder)[0].events[0]
    assert isinstance(first, Utterance)
    assert (first.text, first.time) == ("Hello.", 12)


def test_the_table_of_dialogues_names_its_turns() -> None:
    other = Dialogue(id="1", events=(Utterance(agent="user", text="b"),))
    assert FORMAT.render_file([EXAMPLE]) != FORMAT.render_file([other])
    assert FORMAT.render_file([EXAMPLE]) == FORMAT.render_file([EXAMPLE])


def _drop(table: pa.Table) -> pa.Table:
    return table.drop_columns(["text"])


def _retype(table: pa.Table) -> pa.Table:
    column = table.schema.get_field_index("text")
    return table.set_column(column, "text", pa.array([1] * len(table)))


def _spoil(table: pa.Table) -> pa.Table:
    column = table.schema.get_field_index("acts")
    return table.set_column(column, "acts", pa.array(["[["] + [None] * (len(table) - 1)))


def _shorten(table: pa.Table) -> pa.Table:
    column = table.schema.get_field_index("acts")
    return table.set_column(column, "acts", pa.array(["[[]]"] + [None] * (len(table) - 1)))


def _swap(table: pa.Table) -> pa.Table:
    return table.take(list(reversed(range(len(table)))))


def _cut(table: pa.Table) -> pa.Table:
    return table.slice(0, len(table) - 1)


def _double(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table, table])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_drop, ("no-key", "column text")),
        (_retype, ("wrong-type", "text", "string")),
        (_spoil, ("not-json", "acts")),
        (_shorten, ("mismatch", "acts", "2")),
        (_swap, ("out-of-order", "dialogue_index")),
        (_cut, ("truncated", "turn 2", "dialogue 1")),
        (_double, ("mismatch", "turns")),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path, change: Callable[[pa.Table], pa.Table], words: tuple[str, ...]
) -> None:
    folder = write(tmp_path, EXAMPLE, EXAMPLE)
    pq.write_table(change(pq.read_table(folder / TURNS)), folder / TURNS)
    with refuses(FormatError, *words):
        read(folder)


def test_a_damaged_file_is_refused_or_read_as_it_was(tmp_path: Path) -> None:
    folder = write(tmp_path, EXAMPLE)
    choose = random.Random(7)
    for _ in range(60):
        file = folder / choose.choice([DIALOGUES, TURNS])
        whole = file.read_bytes()
        damaged = bytearray(whole)
        damaged[choose.randrange(len(whole))] ^= 1 << choose.randrange(8)
        end = choose.choice([len(whole), choose.randrange(len(whole))])
        file.write_bytes(bytes(damaged[:end]))
        try:
            dialogues = list(FORMAT.read_file(folder / DIALOGUES, folder))
        except DialoomError:
            pass
        else:
            assert dialogues == [EXAMPLE]
        file.write_bytes(whole)


def test_both_tables_must_be_there(tmp_path: Path) -> None:
    folder = write(tmp_path, EXAMPLE)
    assert formats.detect(folder / DIALOGUES).name == "parquet"
    with refuses(MissingDataError, "no-file", "dialogues.parquet"):
        FORMAT.files(folder / TURNS)
    (folder / TURNS).unlink()
    assert not FORMAT.detect(folder)
    with refuses(MissingDataError, "no-file", "turns.parquet"):
        FORMAT.files(folder)


def test_without_the_library_the_command_that_brings_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, EXAMPLE)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "dialoom.formats.parquet.tables")
    monkeypatch.delattr(dialoom.formats.parquet, "tables")
    assert FORMAT.detect(folder)
    with refuses(MissingExtraError, "no-library", "dialoom[scale]"):
        read(folder)
