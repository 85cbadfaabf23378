"""Quotes of simulated dialogues that readers found absurd; each cannot be made again, by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from dialoom.dialogue import SYSTEM, USER, Dialogue, Utterance
from dialoom.dialogue.views import parts
from dialoom.flow.omissible import Omissible
from dialoom.flow.program import compile_task
from dialoom.kb import KnowledgeBase
from dialoom.schema import pack
from dialoom.sim.policies.flow.kinds import value_kind
from dialoom.sim.presets.star import StarPlan

PLURAL = re.compile(r"^(?:two|three|four|some|new|itchy|dizzy|fresh|extra)? ?\w+s\b")
"""How a value begins that is of several things."""


@cache
def dialogues() -> tuple[Dialogue, ...]:
    tasks = tuple(pack.load(name) for name in pack.names())
    plan = StarPlan(tasks=tasks, seed=5, dialogues=240, scenario="mixed")
    return tuple(map(plan.source(), range(plan.dialogues)))


def spoken(agent: str = USER) -> Iterator[Utterance]:
    for dialogue in dialogues():
        yield from (e for e in dialogue.events if isinstance(e, Utterance) and e.agent == agent)


def test_an_offer_is_answered() -> None:
    """ "Do you want to see more places?" and nobody answers."""
    courtesies = {name for task in pack.names() for name in Omissible(pack.load(task)).courtesies}
    for dialogue in dialogues():
        last = [event for event in dialogue.events if isinstance(event, Utterance)][-1]
        acts = {act.name for part in parts(last) for act in part.acts or ()}
        assert not last.text.endswith("?") or acts <= courtesies, last.text


@pytest.mark.parametrize("name", pack.names())
def test_names_are_put_down_as_names(name: str) -> None:
    """ "You can put Georgia Pell." """
    program = compile_task(pack.load(name))
    for slot in program.schema.slots.values():
        for line in program.sentences.get(slot.name, ()):
            if value_kind(slot, program) == "name":
                assert not re.search(r"\bput $", line.literals[0]), line.literals


def test_flats_are_as_large_as_their_bedrooms_need() -> None:
    """Five bedrooms in 33 square metres."""
    base = KnowledgeBase()
    base.populate(pack.load("apartment_search"), 3)
    for row in base.snapshot().tables["apartments"].values():
        assert int(row["FloorSquareMeters"]) >= 20 * row["NumRooms"]


@pytest.mark.parametrize("name", pack.names())
def test_there_are_several_things(name: str) -> None:
    """ "There is three withdrawals" """
    task = pack.load(name)
    program = compile_task(task)
    for slot in task.slots.values():
        if any(PLURAL.match(str(each)) for each in slot.examples):
            for line in program.sentences.get(slot.name, ()):
                assert not re.search(r"(?i)\bthere is $", line.literals[0]), line.literals


def test_dates_of_birth_have_a_year() -> None:
    """No date ever has a year."""
    born = [
        utterance.text[span.start : span.end]
        for utterance in spoken()
        for part in parts(utterance)
        for span in part.spans or ()
        if span.labels == ("birth_date",)
    ]
    assert born
    assert all(re.search(r"(?:19|20)\d\d", text) for text in born)


def test_nobody_rules_out_a_name() -> None:
    """ "My name is Amira Sefton. I really don't want Kofi Lambourne" """
    programs = [compile_task(pack.load(name)) for name in pack.names()]
    names = {
        str(example).casefold()
        for program in programs
        for slot in program.schema.slots.values()
        if value_kind(slot, program) == "name"
        for example in slot.examples
    }
    assert names
    for utterance in spoken():
        said = re.findall(
            r"(?i)(?:don'?t want|anything but|hates|just not) ([^.!?]+)", utterance.text
        )
        assert names.isdisjoint(each.strip().casefold() for each in said), utterance.text


@pytest.mark.parametrize("agent", [USER, SYSTEM])
def test_no_number_of_a_plural_is_one_thing(agent: str) -> None:
    """ "My guests is 82", "can you try a different guests?" """
    for utterance in spoken(agent):
        assert not re.search(r"(?i)\b(?:my|the) (?:guests|bedrooms) is\b", utterance.text)
        assert not re.search(r"(?i)\b(?:a|another|different) (?:guests|bedrooms)\b", utterance.text)


@pytest.mark.parametrize("agent", [USER, SYSTEM])
def test_a_space_follows_a_mark(agent: str) -> None:
    """ "Oh no.the ice rink" """
    for utterance in spoken(agent):
        assert not re.search(r"[a-z][.,!?](?=[a-z])", utterance.text), utterance.text
