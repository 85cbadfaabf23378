"""Tables of utterances: columns by their names, quotation marks, and rows that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Utterance
from dialoom.errors import FormatError
from tests.formats.star_json import DATA
from tests.make import refuses

HEAD = "dialogue_id,turn,speaker,text\n"


def loaded(file: Path, text: str) -> dict[str, list[Utterance]]:
    file.write_bytes(text.encode())
    corpus = formats.load(file)
    assert corpus.format == "table"
    return {
        each.id: [event for event in each.events if isinstance(event, Utterance)]
        for each in corpus.dialogues()
    }


def texts(file: Path, text: str) -> dict[str, list[str]]:
    return {key: [each.text for each in turns] for key, turns in loaded(file, text).items()}


def test_tables_by_the_names_of_their_columns() -> None:
    dialogues = {each.id: each.events for each in formats.load(DATA / "table").dialogues()}
    assert {name: len(events) for name, events in dialogues.items()} == {"1": 2, "f1": 2, "f2": 1}
    first, second = dialogues["1"]
    assert isinstance(first, Utterance) and isinstance(second, Utterance)
    assert (first.agent, first.text) == (USER, "To Ostby, please.")
    assert second.extra == {"Message.ID": "2", "further columns": ["request(day)"]}


def test_a_quotation_mark_between_tabs_joins_no_rows(tmp_path: Path) -> None:
    rows = 'a\t"Hello\tuser\na\tHi\tagent\nb\tBye{}\tuser\nb\tCiao\tagent\n'
    for end in ('" then', '"', ""):
        contents = texts(tmp_path / "a.tsv", "dialogue_id\ttext\tspeaker\n" + rows.format(end))
        assert contents == {"a": ['"Hello', "Hi"], "b": [f"Bye{end}", "Ciao"]}


def test_cells_that_are_all_quoted_between_tabs_are_read_without_the_marks(tmp_path: Path) -> None:
    rows = '"a"\t"One\n\nor\ttwo"\t"user"\n"a"\t"The ""Ada"" at\tsix"\t"agent"\n'
    contents = texts(tmp_path / "a.tsv", '"dialogue_id"\t"text"\t"speaker"\n' + rows)
    assert contents == {"a": ["One\n\nor\ttwo", 'The "Ada" at\tsix']}


@pytest.mark.parametrize("text", ['"Hello', '"Hello" there', 'Hi\nb,0,user,"Bye'])
def test_open_quotation_marks_between_commas_are_refused(text: str, tmp_path: Path) -> None:
    with refuses(FormatError, "damaged", f"line {2 + text.count(chr(10))}:"):
        loaded(tmp_path / "a.csv", f"{HEAD}a,0,user,{text}\nb,1,agent,Ciao\n")


@pytest.mark.parametrize(
    ("text", "code", "names"),
    [
        ("dialogue_id,speaker,text,text\n1,user,Hi,Ho\n", "twice", ("line 1", "'text'")),
        ("\n\ndialogue_id,speaker,text,Text\n1,user,Hi,Ho\n", "twice", ("line 3", "'text'")),
        ("dialogue_id,speaker,text,a,a\n1,user,Hi,1,2\n", "twice", ("line 1", "'a'")),
        (f"{HEAD}1,0,user,Hi\n,1,agent,Ho\n", "no-key", ("line 3", "'dialogue_id'")),
        (f"{HEAD}1,1,user,Hi\n2,0,user,Hi\n1,0,user,Hi\n", "out-of-order", ("line 4", "'turn'")),
        ("dialogue_id,speaker,text\n1,cook,Hello.\n", "wrong-type", ("dialogue 1", "'cook'")),
        ("dialogue_id,speaker,text\n1,user\n", "wrong-type", ("dialogue 1", "'text'")),
        ("dialogue_id,speaker,text1,text2\n1,user,Hi,Ho\n", "unknown-format", ()),
    ],
)
def test_a_faulty_table_is_refused(
    text: str, code: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    with refuses(FormatError, code, str(tmp_path / "a.csv"), *names):
        loaded(tmp_path / "a.csv", text)


@pytest.mark.parametrize(
    "change", [("\n", "\r"), ("\n", "\r\n"), (",", ";"), ("Ho\n", "Ho\n,,,\n")]
)
def test_line_ends_separators_and_blank_rows_make_no_difference(
    change: tuple[str, str], tmp_path: Path
) -> None:
    text = f"\n{HEAD}1,0,user,Hi\n1,0,user,Ho\n1,2,agent,Hey\n"
    (turns,) = loaded(tmp_path / "a.csv", text.replace(*change)).values()
    assert [(each.agent, each.text) for each in turns] == [
        (USER, "Hi"),
        (USER, "Ho"),
        (SYSTEM, "Hey"),
    ]


def test_cells_without_a_name_are_kept(tmp_path: Path) -> None:
    (turns,) = loaded(tmp_path / "a.csv", "dialogue_id,speaker,text,,\n1,user,Hi,,x\n").values()
    assert turns[0].extra == {"further columns": ["", "x"]}
