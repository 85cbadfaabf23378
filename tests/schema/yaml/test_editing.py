"""Changes of single values of a YAML text keep everything else as it is written."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dialoom.errors import SchemaError, UsageError
from dialoom.schema.places import parse
from dialoom.schema.yaml.editing import Change, edited

STUDY = """\
# A study.
name: pizza  # for now
tasks: [a, b]   # two

stages:  # in order
  # the rules
  - name: rules   # first
    kind: quiz
    guidelines: |  # read it
      One.

      Two.
    questions:
    - text: "Which?"
      options: {a: Yes, b: 'no'}
      right: a
      hint: It says so.
  # the talk
  - {name: talk, gate: quiz}
pay:
  single: 120  # cents

# the end
"""


def put(pointer: str, value: Any, text: str = STUDY) -> str:
    return edited(text, [Change(place(pointer), value)])


def place(pointer: str) -> tuple[str | int, ...]:
    return tuple(int(key) if key.isdecimal() else key for key in pointer.split("."))


def changed(after: str, before: str = STUDY) -> tuple[list[str], list[str]]:
    """Return the lines that went and those that came."""
    old, new = before.splitlines(), after.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


@pytest.mark.parametrize(
    ("pointer", "value", "went", "came"),
    [
        ("name", "taxi", ["name: pizza  # for now"], ["name: taxi  # for now"]),
        ("tasks", ["x"], ["tasks: [a, b]   # two"], ["tasks: [x]   # two"]),
        ("pay.single", 90, ["  single: 120  # cents"], ["  single: 90  # cents"]),
        ("pay.multi", 5, [], ["  multi: 5"]),
        ("stages.0.name", "r", ["  - name: rules   # first"], ["  - name: r   # first"]),
        ("stages.0.questions.0.right", "b", ["      right: a"], ["      right: b"]),
        ("stages.1.gate", None, ["  - {name: talk, gate: quiz}"], ["  - name: talk"]),
        ("pilot", True, [], ["pilot: true"]),
        ("pay", None, ["pay:", "  single: 120  # cents"], []),
        ("purpose", "One.\n\nTwo.\n", [], ["purpose: |", "  One.", "  Two."]),
    ],
)
def test_only_the_lines_of_the_value_change(
    pointer: str, value: Any, went: list[str], came: list[str]
) -> None:
    assert changed(put(pointer, value)) == (went, came)


def test_a_block_of_text_keeps_the_comment_of_its_key() -> None:
    assert "guidelines: One line.  # read it\n" in put("stages.0.guidelines", "One line.")
    assert "name: |-  # for now\n  a\n  b\n" in put("name", "a\nb")


def test_items_of_lists_come_go_and_change_places() -> None:
    third = put("stages.2", {"name": "end", "kind": "bot"})
    assert "  - name: end\n    kind: bot\n" in third
    swapped = edited(STUDY, [Change(("stages", 0), after=True)])
    names = [stage["name"] for stage in parse(swapped, "").value["stages"]]
    assert names == ["talk", "rules"]
    assert sorted(swapped.splitlines()) == sorted(STUDY.splitlines())
    rest = put("stages.0", None)
    assert [stage["name"] for stage in parse(rest, "").value["stages"]] == ["talk"]
    assert "# the talk" in rest


def test_a_text_of_nothing_or_comments_gets_its_first_key() -> None:
    assert put("name", "x", "") == "name: x\n"
    assert put("pay.single", 1, "# mine") == "# mine\npay: {single: 1}\n"
    assert put("name", None, "name: x # y\n") == ""


def test_hostile_texts_are_values() -> None:
    for value in ("no", "a: b # c", "- x", "'", "*a", "|\n x", " \n", "\t", "\u2028", "é\n\nü\n"):
        assert (
            parse(put("stages.0.questions.0.hint", value), "").value["stages"][0]["questions"][0][
                "hint"
            ]
            == value
        )


def test_what_is_not_there_is_removed_already() -> None:
    assert put("nothing", None) == put("consent.text", None) == STUDY


def test_places_that_there_are_not_are_refused() -> None:
    for pointer, value in (("name.x", "y"), ("stages.7.name", "x"), ("stages.7", None)):
        with pytest.raises(UsageError):
            put(pointer, value)
    with pytest.raises(SchemaError):
        put("name", "x", "name: [")


@pytest.mark.parametrize("seed", range(40))
def test_any_changes_give_the_values_wanted(seed: int) -> None:
    rng = random.Random(seed)
    text, value = STUDY, parse(STUDY, "").value
    values: list[Any] = ["x", "a\nb\n", 3, None, [], {}, ["p", "q"], {"k": {"l": [1, {"m": "n"}]}}]
    for _ in range(12):
        holder, pointer = value, []
        while True:
            keys: list[Any] = (
                [*holder, "new"] if isinstance(holder, dict) else [*range(len(holder) + 1)]
            )
            key = rng.choice(keys)
            pointer.append(key)
            inner = holder[key] if key in keys[:-1] else None
            if not isinstance(inner, dict | list) or not inner or rng.random() < 0.3:
                break
            holder = inner
        target = rng.choice(values)
        if target is None:
            if key == keys[-1]:
                continue
            del holder[key]
        elif isinstance(holder, list) and key == len(holder):
            holder.append(target)
        else:
            holder[key] = target
        text = edited(text, [Change(tuple(pointer), target)])
        assert (parse(text, "").value if value else {}) == value
        value = parse(text, "").value if value else {}
