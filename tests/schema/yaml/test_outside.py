"""Task files that name an environment, in which their calls are made."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.errors import MissingDataError, SchemaError
from dialoom.schema.environment import EnvironmentSpec, ExpectedCall
from dialoom.schema.yaml.grammar import json_schema
from dialoom.schema.yaml.reading import check_text, read_task, read_text
from tests.make import refuses

LEAST = "task: shop\nenvironment: mcp:python shop.py\n"


def test_a_task_may_have_a_name_and_an_environment_alone() -> None:
    assert check_text(LEAST) == []
    task = read_text(LEAST)
    assert task.environment == EnvironmentSpec(at="mcp:python shop.py")
    assert (task.domain, task.language, bool(task.flow)) == ("shop", "en", False)


def test_keys_of_an_environment_and_goals_are_kept() -> None:
    text = """task: shop
environment: {at: "http:https://shop.example/hook", reset: /new, state: /all, writes: [pay]}
goals:
  - {id: a, says: Pay., calls: [{name: pay, arguments: {to: [1, {x: null}]}}], reported: [paid]}
"""
    assert check_text(text) == []
    task = read_text(text)
    assert task.environment is not None
    assert (task.environment.kind, task.environment.is_url) == ("http", True)
    assert (task.environment.reset, task.environment.writes) == (ExpectedCall("/new"), ("pay",))
    assert task.goals[0]["calls"] == [{"name": "pay", "arguments": {"to": [1, {"x": None}]}}]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("task: shop\n", "E103"),
        ("task: shop\nenvironment: python shop.py\n", "E105"),
        ("task: shop\nenvironment: {reset: again}\n", "E103"),
        ("task: shop\nenvironment: http:shop.example\n", "E105"),
        (LEAST + "goals: [{says: Hello.}]\n", "E103"),
        (LEAST + "goals: [{id: a, call: []}]\n", "E101"),
    ],
)
def test_what_is_wrong_is_reported(text: str, code: str) -> None:
    assert code in {finding.code for finding in check_text(text)}
    with pytest.raises(SchemaError):
        read_text(text)


def test_the_json_schema_demands_a_flow_or_an_environment() -> None:
    schema = json_schema()
    assert schema["required"] == ["task"]
    assert schema["anyOf"][0] == {"required": ["environment"]}
    assert "flow" in schema["anyOf"][1]["required"]


def test_the_policy_may_be_in_a_file(tmp_path: Path) -> None:
    text = LEAST + "briefing: {policy: {file: policy.md}}\n"
    file = tmp_path / "shop.yaml"
    file.write_text(text)
    with pytest.raises(MissingDataError):
        read_task(file)
    (tmp_path / "policy.md").write_text("# Be kind\n" + "x" * 7000)
    assert read_task(file).texts["policy"].startswith("# Be kind")
    with refuses(SchemaError, "no-folder"):
        read_text(text)
