"""The words of every vertical fit its ontology, and those of any ontology read well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.errors import SchemaError, UnknownNameError
from dialoom.quality.lint import lint
from dialoom.sim.core.grammar import Grammar
from dialoom.sim.core.plan import Request
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.outline.labels import STATUS
from dialoom.sim.policies.outline.verticals import Vertical, lines, named, texts
from dialoom.sim.presets.taskmaster import PRESET
from tests.found import some

VERTICALS = texts().verticals

LAUNDRY = {
    "id": "laundry_pickup",
    "vertical": "laundry_pickup",
    "required": ["name.store", "date.pickup", "num.bags", "location.from", "location.to"],
    "optional": ["date.return", "type.soap", "price.total", "perfume"],
}


def _drawn(grammar: Grammar, line: str, values: dict[str, str]) -> set[frozenset[str]]:
    """Return the sets of placeholders in texts of a line."""
    rng = SeededRng(bytes(32), line.encode())
    texts = [grammar.say(line, rng, values) for _ in range(40)]
    return {frozenset(place.slot for place in each.places) for each in texts}


def test_there_are_the_six_verticals_of_the_corpus() -> None:
    assert len({vertical.id for vertical in VERTICALS}) == 6


@pytest.mark.parametrize("vertical", VERTICALS, ids=lambda vertical: vertical.id)
def test_every_argument_has_values_and_lines(vertical: Vertical) -> None:
    names = {*vertical.required, *vertical.optional}
    assert {*vertical.asked, *vertical.reported} == names
    assert len(vertical.asked) + len(vertical.reported) == len(names)
    assert set(vertical.refused) <= set(vertical.asked)
    grammar = lines(vertical)
    for argument in names:
        if argument != vertical.wish:
            assert len(set(vertical.options(argument))) > 1
    for argument in vertical.asked:
        assert _drawn(grammar, f"ask.{argument}", {}) == {frozenset()}
        assert _drawn(grammar, f"answer.{argument}", {argument: "x"}) == {frozenset((argument,))}
    for argument in vertical.refused:
        assert _drawn(grammar, f"refuse.{argument}", {argument: "x"}) == {frozenset((argument,))}
    for kind in ("done", "fail"):
        assert _drawn(grammar, kind, {STATUS: "x"}) == {frozenset((STATUS,))}


@pytest.mark.parametrize("vertical", VERTICALS, ids=lambda vertical: vertical.id)
def test_a_summary_names_all_that_is_wanted(vertical: Vertical) -> None:
    for names in (vertical.required, (*vertical.required, *vertical.optional)):
        values = dict.fromkeys(names, "x")
        assert _drawn(lines(vertical), "sum", values) == {frozenset(names)}
    wishes = dict.fromkeys(vertical.asked, "x")
    assert _drawn(lines(vertical), "open", wishes) == {frozenset(wishes)}


def test_something_can_be_put_in_the_place_of_every_part() -> None:
    for vertical, parts in some(
        (each, parts) for each in VERTICALS for parts in each.menus.values()
    ):
        others = vertical.extras or vertical.values[vertical.part]
        assert not parts or set(others) - set(parts)


def test_another_language_is_named() -> None:
    with pytest.raises(UnknownNameError):
        texts("xx")


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    vertical = VERTICALS[0]
    pizza = {name: getattr(vertical, name) for name in ("id", "vertical", "required", "optional")}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"laundry": LAUNDRY, "pizza": pizza}))
    return file


def test_verticals_of_any_ontology(ontology: Path, tmp_path: Path) -> None:
    laundry, pizza = named(ontology)
    assert pizza == VERTICALS[0]
    assert laundry.options("num.bags")
    plan = PRESET.plan(Request(number=40, seed=7, tasks=str(ontology)))
    dialogues = [plan.source()(index) for index in range(40)]
    formats.get(PRESET.format).write(dialogues, plan.schemas, tmp_path / "out")
    corpus = formats.load(tmp_path / "out")
    assert list(corpus.schemas) == ["laundry_pickup", "pizza_ordering"]
    assert list(lint(corpus)) == []


def test_arguments_of_one_kind_are_told_apart(ontology: Path) -> None:
    laundry, _ = named(ontology)
    rng = SeededRng(bytes(32), b"sum")
    values = {"date.pickup": "5 March", "date.return": "7 March", "name.store": "Ox"}
    text = lines(laundry).say("thing", rng, values).text
    assert "with Ox" in text
    assert "5 March as the pickup date" in text
    assert "7 March as the return date" in text


@pytest.mark.parametrize("text", ["[]", '{"a": {"id": "a"}}', "{"])
def test_a_file_that_is_no_ontology(tmp_path: Path, text: str) -> None:
    file = tmp_path / "ontology.json"
    file.write_text(text)
    with pytest.raises(SchemaError) as error:
        named(file)
    assert str(error.value).startswith(str(file))
