"""Differences of two states that a server reports."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.play.environments.remote import state_changes

CASES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "same": ({"a": {"1": {"x": 1}}}, {"a": {"1": {"x": 1}}}, {}),
    "rows by key": (
        {"a": {"1": {"x": 1}, "2": {"x": 2}}, "b": {}},
        {"a": {"1": {"x": 3}, "3": {"x": 4}}, "b": {}},
        {
            "a": {
                "added": [{"x": 4}],
                "removed": [{"x": 2}],
                "changed": [[{"x": 1}, {"x": 3}]],
            }
        },
    ),
    "rows in a list": (
        {"a": [{"x": 1}]},
        {"a": [{"x": 1}, {"x": 2}]},
        {"a": {"added": [{"x": 2}]}},
    ),
    "a list of texts": ({"a": []}, {"a": ["x"]}, {"a": {"added": [{"value": "x"}]}}),
    "no tables": ({"x": 1}, {"x": 2}, {"state": {"changed": [[{"x": 1}, {"x": 2}]]}}),
    "one value": (3, 4, {"state": {"changed": [[{"value": 3}, {"value": 4}]]}}),
    "another table": (
        {"a": {}},
        {"a": {}, "b": [{"x": 1}]},
        {"b": {"added": [{"x": 1}]}},
    ),
    "another form": (
        {"a": {}},
        "lost",
        {"state": {"changed": [[{"a": {}}, "lost"]]}},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_changes_are_those_of_rows(case: str) -> None:
    before, after, changes = CASES[case]
    assert state_changes(before, after) == changes
