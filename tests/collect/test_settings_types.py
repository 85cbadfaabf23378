from __future__ import annotations

from typing import Any

import pytest

from dialoom.collect.settings_types import type_mistakes


@pytest.mark.parametrize(
    ("named", "spelled"),
    [
        ({"times": 3}, "times: a whole number; right would be names with values"),
        ({"tasks": "weather"}, "tasks: a text; right would be a list"),
        ({"pilot": "yes"}, "pilot: a text; right would be true or false"),
        ({"pay": {"single": 1.5}}, "pay.single: a number; right would be a whole number"),
        ({"approved": "many"}, "approved: a text; right would be a whole number or nothing"),
        ({"guide": {"multi": ["a"]}}, "guide.multi[0]: a text; right would be a whole number"),
        ({"target": 0}, "target: right would be a whole number of at least 1"),
        ({"suggestions": [3, 0]}, "suggestions[1]: right would be a whole number of at least 1"),
    ],
)
def test_values_of_another_type(named: dict[str, Any], spelled: str) -> None:
    assert list(map(str, type_mistakes(named))) == [spelled]


def test_all_mistakes_are_found() -> None:
    gold = {"items": "gold.jsonl", "right": 2, "evry": 5}
    stage = {"name": "a", "workers": 0, "asks": [{"id": 7}], "gold": gold}
    settings = {"gard": "warn", "pilot": "yes", "stages": [stage, {"kind": "room"}]}
    here = ("stages", 0)
    assert {mistake.pointer for mistake in type_mistakes(settings)} == {
        *(("gard",), ("pilot",), ("stages", 1, "name")),
        *((*here, "workers"), (*here, "asks", 0, "id"), (*here, "asks", 0, "text")),
        *((*here, "gold", "right"), (*here, "gold", "evry")),
    }
