"""Every rendering of a value, alone and in a sentence, is found as that value at that place."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import dialoom
from dialoom.schema import pack
from dialoom.schema.services import to_task
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import find, kind, parse, render, samples
from dialoom.sim.policies.agenda.services import named
from tests.schema.values.sentences import misses

PACKAGE = Path(dialoom.__file__).parent
MOST = 12
"""Values of each slot that are tried one by one; Hypothesis draws from all."""


OTHERS = {
    file.stem: file
    for file in sorted((PACKAGE / "tasks").glob("*/*.yaml"))
    if file.parent.name not in ("parts", "stories")
}
"""Name of a task in another language to its file."""


@cache
def task_of(name: str) -> TaskSchema:
    """Return a bundled task, one in another language, or a service as a task."""
    if name in OTHERS:
        return pack.resolve(OTHERS[name])
    services = named("all")
    return to_task(services[name][0]) if name in services else pack.load(name)


@pytest.mark.parametrize("name", [*pack.names(), *OTHERS, *named("all")])
def test_what_is_said_is_found_again(name: str) -> None:
    task = task_of(name)
    for slot in task.slots.values():
        for value in samples(slot, MOST):
            assert not list(misses(slot, value, task.slots, task.language))


TYPED = [
    Slot(name="time", type="time"),
    Slot(name="end", type="time", minimum="22:00", maximum="02:00", step=15),
    Slot(name="day", type="date", minimum="2020-12-20", maximum="2021-02-10"),
    Slot(name="born", type="date", minimum="1948-01-01", maximum="2002-12-31"),
    Slot(name="when", type="date"),
    Slot(name="size", type="integer", minimum=-20, maximum=1200),
    Slot(name="cost", type="amount", minimum=0, maximum=100, step=0.5, unit="dollars"),
    Slot(name="fee", type="amount", minimum=1, maximum=2000, unit="Euro"),
    Slot(name="truth", type="boolean"),
    Slot(name="stars", type="category", values={"1": (), "2": ("a pair",), "3": (), "4": ()}),
    Slot(name="hour", type="category", values={"10 am": (), "12 pm": (), "9 pm": ()}),
    Slot(name="nth", type="category", values={"1st": (), "2nd": (), "3rd": (), "21st": ()}),
    Slot(name="price", type="category", values={"$": ("cheap",), "$$": (), "$$$": ("dear",)}),
    Slot(name="show", type="category", values={"Who, me?": (), "Who": (), "(500) Days": ()}),
]


@pytest.mark.parametrize("language", ["en", "de"])
@given(st.data())
def test_every_type_in_every_language(language: str, data: st.DataObject) -> None:
    slot = data.draw(st.sampled_from(TYPED))
    value = data.draw(st.sampled_from([*samples(slot)]))
    every = {each.name: each for each in TYPED}
    assert not list(misses(slot, value, every, language))
    plain = render(slot, value, language)[0]
    assert parse(slot, plain, language) == value


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4, unique=True))
def test_listed_values_of_any_letters(texts: list[str]) -> None:
    values = {text.strip(): () for text in texts if text.strip() and text.isprintable()}
    slot = Slot(name="any", type="category", values={**values, "else": ()})
    for value in values:
        assert not list(misses(slot, value, {"any": slot}, "en"))


@example("2200000000", "en")  # a day that no C integer holds
@given(st.text(max_size=80), st.sampled_from(["en", "de"]))
def test_any_text_is_read(text: str, language: str) -> None:
    for mention in find(text, TYPED, language):
        assert 0 <= mention.start < mention.end <= len(text)
        assert 0 < mention.confidence <= 1
    for slot in TYPED:
        parse(slot, text, language)
        assert kind(slot, language)
