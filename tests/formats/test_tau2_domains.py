"""Domains of tau2-bench as tasks: a library of our own in tau2-bench's layout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.errors import FormatError, LeftOutWarning, SchemaError
from dialoom.formats.tau2.database import database, key_of
from dialoom.formats.tau2.domain import toolkit
from dialoom.schema.task import TaskSchema
from tests.formats.tau2_sample import POLICY, domain
from tests.make import refuses

__all__ = ["domain"]  # fixtures


@pytest.fixture
def task(domain: Path) -> TaskSchema:
    return formats.schemas(domain)["library"]


def test_tools_are_parsed_and_not_run(domain: Path) -> None:
    kit = toolkit(domain)
    assert kit is not None and kit[0].name == "tools.py"
    tools = {each["name"]: each for each in kit[1]}
    assert list(tools) == [
        *("get_loan_details", "find_reader_id_by_name", "get_fines_for_reader"),
        *("modify_reader_address", "create_loan", "calculate"),
    ]
    loan = tools["get_loan_details"]
    assert (loan["type"], loan["description"]) == ("READ", "Get the details of a loan.")
    loan_id = {"type": "string", "description": "The loan, such as 'L1'."}
    assert loan["parameters"]["properties"] == {"loan_id": loan_id}
    assert tools["get_fines_for_reader"]["parameters"]["required"] == ["reader_id"]
    assert tools["create_loan"]["type"] == "WRITE"
    assert tools["create_loan"]["parameters"]["properties"]["desk"]["enum"] == ["north", "south"]


def test_rows_become_columns_with_types(domain: Path) -> None:
    tables = database(domain / "db.json")
    readers = {column.name: column for column in tables["readers"].columns}
    kinds = {name: column.type for name, column in readers.items()}
    texts = dict.fromkeys(("reader_id", "first", "last", "street", "zip"), "short text")
    assert kinds == texts | {"cards": "long text", "active": "boolean"}
    first = tables["readers"].given[0]
    assert (first["street"], first["zip"], first["active"]) == ("0 Mill Lane", "0000", True)
    assert json.loads(first["cards"]) == {"c0": {"id": "c0", "kind": "adult"}}
    loans = {column.name: column for column in tables["loans"].columns}
    assert (loans["fee"].type, loans["fee"].maximum) == ("amount", 5.5)
    assert (loans["days"].type, loans["days"].minimum) == ("integer", 0)
    assert [key_of(tables[name]) for name in tables] == ["reader_id", "loan_id", "fine_id"]
    assert tables["loans"].given[3]["loan_id"] == "L3"


def test_objects_of_which_every_row_has_other_keys_are_data(tmp_path: Path) -> None:
    days = {f"d{n}": {"free": n} for n in range(30)}
    (tmp_path / "db.json").write_text(json.dumps({"rooms": [{"room": "a", "days": days}]}))
    (table,) = database(tmp_path / "db.json").values()
    assert [column.name for column in table.columns] == ["room", "days"]


def test_what_is_no_table_is_reported(tmp_path: Path) -> None:
    (tmp_path / "db.toml").write_text('now = "noon"\n[[plans]]\nplan = "basic"\nprice = 2\n')
    with pytest.warns(LeftOutWarning, match="now"):
        assert list(database(tmp_path / "db.toml")) == ["plans"]
    (tmp_path / "db.toml").write_text("[[")
    with refuses(FormatError, "not-toml"):
        database(tmp_path / "db.toml")


def test_tools_use_the_tables_that_their_names_and_inputs_point_to(task: TaskSchema) -> None:
    used = {c.name: (c.effect, c.table, c.key, c.drafted) for c in task.calls.values()}
    assert used == {
        "get_loan_details": ("find", "loans", ("loan_id",), False),
        "find_reader_id_by_name": ("search", "readers", (), False),
        "get_fines_for_reader": ("search", "fines", (), False),
        "modify_reader_address": ("update", "readers", ("reader_id",), True),
        # no tool says where a new loan goes
        "create_loan": ("book", "", ("reader_id", "days", "desk"), False),
        "calculate": ("search", "", (), False),
    }
    assert task.texts == {"policy": POLICY}


def test_a_domain_without_tools_is_refused(domain: Path, tmp_path: Path) -> None:
    (tmp_path / "src" / "tau2" / "domains" / "library" / "tools.py").unlink()
    with refuses(SchemaError, "no-file", "tools.py"):
        formats.schemas(domain)


def test_tools_of_several_domains_lie_next_to_their_folders(domain: Path, tmp_path: Path) -> None:
    (tmp_path / "src" / "tau2" / "domains" / "library" / "tools.py").unlink()
    room = {"name": "loan_id", "type": "string", "required": True}
    tool = {"name": "get_loan", "type": "READ", "parameters": [room]}
    other = {"name": "get_room", "parameters": []}
    domains = {"library": {"tools": [tool]}, "inn": {"tools": [other]}}
    (domain.parent / "tools-data.json").write_text(json.dumps(domains))
    tasks = formats.schemas(domain.parent)
    assert {name: list(each.calls) for name, each in tasks.items()} == {"library": ["get_loan"]}
