"""Computed columns, other tables, weights and dates told from today: what the checks find."""

from __future__ import annotations

from collections import Counter

import pytest

from dialoom.kb import KnowledgeBase
from dialoom.schema.outline import outline
from dialoom.schema.rewording import vary_file
from dialoom.schema.yaml.reading import check_text, make, read_text
from dialoom.schema.yaml.today import resolve
from tests.make import ORDER_CANCEL as FILE
from tests.make import order_cancel

TASK = order_cancel()
TEXT = FILE.read_text(encoding="utf-8")


def found(old: str, new: str) -> list[str]:
    """Return the codes of the errors in the file with something changed."""
    assert old in TEXT
    return [each.code for each in check_text(TEXT.replace(old, new)) if each.code < "W"]


def test_the_file_has_no_errors() -> None:
    assert found("G1", "G1") == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Total: Total - 5", "Totl: Total - 5", "E403"),
        ("Total: Total - 5", "Total: Totl - 5", "E403"),
        ("Total: Total - 5", "Total: Status - 5", "E408"),
        ("Status: cancelled, Total", "Status", "E408"),
        ("Total: Total - 5", "Ordered: Ordered * 5", "E408"),
        ("Total: Total - 5", "Order: O9", "E308"),
        ("{table: cards, key", "{table: card, key", "E401"),
        ("{table: cards, key", "{table: orders, key", "E408"),
        ("key: {Card: Card}", "key: {Crd: Card}", "E403"),
        ("effect: update", "effect: find", "E408"),
        ('today: "2026-11-27"', 'today: "2026-02-30"', "E308"),
        ("today - 60", "today minus 60", "E105"),
        ("from: today - 60", 'from: "17:30"', "E308"),
        ("Card: {slot: card}\n", "Card: {slot: card, weights: {G9: 2}}\n", "E308"),
        ("maximum: 500}", "maximum: 500, weights: {20: 2}}", "E408"),
        ("maximum: 500}", "maximum: 500, weights: {20: 0}}", "E106"),
        ("Total: 20.5", "Total: 900", "E308"),
        ("Total: 20.5", "Total: lots", "E308"),
        ("Total: 20.5", "Total: 2_0", "E308"),
        ("Status: pending, Total: 30", "Status: lost, Total: 30", "E308"),
        ("Ordered: today - 3", "Ordered: soon", "E308"),
        ("Ordered: today - 3", "Ordered: 2026-11-31", "E308"),
        (
            "rows: 0\n    columns:",
            "given: [{A: 1}]\n    columns:\n      A: {type: boolean}",
            "E308",
        ),
        ("{Status: cancelled", "{Status: shredded", "E308"),
        ("Total: Total - 5", "Total: 3 / 0", "E308"),
        ("{Paid: Total", "{Paid: all of it", "E308"),
        ("Status is not pending", "Status is not lost", "E308"),
        ("Status is not pending", "Status is at least pending", "E310"),
        ("Status is not pending", "Status is Ordered", "E310"),
    ],
)
def test_what_cannot_be_is_reported(old: str, new: str, code: str) -> None:
    assert code in found(old, new)


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ("{order: O2}", []),
        ("{order: order two}", []),
        ("{ordr: O2}", ["E304"]),
        ("{order: O9}", ["E308"]),
    ],
)
def test_goals_have_slots_and_values_of_the_task(values: str, codes: list[str]) -> None:
    assert found("flow:\n", f"goals: [{{id: a, values: {values}}}]\nflow:\n") == codes


def test_an_unknown_effect_is_one_mistake() -> None:
    assert found("effect: update", "effect: delete") == ["E104"]


def test_days_are_added_to_a_column_of_dates() -> None:
    assert found("Total: Total - 5", "Ordered: Ordered + 5") == []


def test_dates_are_told_from_the_day_of_the_task() -> None:
    ordered = [row["Ordered"] for row in TASK.tables["orders"].given]
    assert ordered == ["2026-11-24", "2026-10-18", "2026-11-22"]
    assert "2026-10-28" in str(TASK.calls["cancel"].refuses[1])
    assert resolve("today", "2026-03-01") == "2026-03-01"
    assert resolve("today - 1", "2026-03-01") == "2026-02-28"
    assert resolve("today + 99999", "9999-01-01") == "today + 99999"
    assert resolve("not today", "2026-03-01") == "not today"


def test_without_a_day_nothing_is_told_from_it() -> None:
    assert "E308" in found('today: "2026-11-27"\n', "")


def test_values_with_weights_are_drawn_more_often() -> None:
    text = TEXT.replace(
        "    given:\n      - {Card: G1, Balance: 100}\n", "    rows: 600\n    given:\n", 1
    )
    columns = "Card: {slot: card, weights: {G1: 5}}\n"
    task = read_text(text.replace("Card: {slot: card}\n", columns, 1))
    base = KnowledgeBase()
    base.populate(task, 3)
    cards = Counter(row["Card"] for row in base.rows("cards"))
    assert 0.78 < cards["G1"] / cards.total() < 0.88  # 5 of 6, four standard errors to each side


def test_the_outline_says_what_a_call_computes() -> None:
    assert "Total becomes Total - 5" in outline(TASK)
    assert "in cards, where Card is Card: Balance becomes Balance + Total" in outline(TASK)


def test_a_variant_renames_what_is_computed() -> None:
    from dialoom.schema.yaml.including import read_file

    document = read_file(FILE)
    value, names = vary_file(document.value, 0.9, 1)
    varied = make(document._replace(value=value))
    call = varied.calls[names.get("cancel", "cancel")]
    total = names.get("Total", "Total")
    assert call.sets[total] == f"{total} - 5"
