"""The ranker: learnt from simulated bookings, tried on other words, items, values and slots."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom.bench.core.protocol import Target, examples, questions
from dialoom.bench.dstc6.knowledge import schemas_of
from dialoom.bench.protocols.dstc6_history import (
    HistorySettings,
    after_histories,
    within_histories,
)
from dialoom.dialogue import Choice, Dialogue
from dialoom.errors import UsageError
from dialoom.formats.babi.lists import read_kb
from dialoom.models.ranker import Ranker
from dialoom.schema.source import ListsSource
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import PRESETS, Request
from dialoom.sim.presets.dstc6 import BookingPlan
from tests.make import refuses

OTHERS = {
    "hello": "ahoy, what shall it be",
    "on_it": "working on it",
    "ask.atmosphere": "which mood",
    "ask.cuisine": "which food",
    "ask.location": "which town",
    "ask.number": "what party size",
    "ask.price": "what price",
    "ask.restrictions": "any diet",
    "look": "let me rummage",
    "ready": "take your time",
    "more": "done, more changes",
    "offer": "would you like {name}",
    "another": "here comes the next",
    "sorry": "no idea",
    "was": "it was {name}",
    "reserve": "your table is waiting",
    "tell.phone": "dial {phone}",
    "tell.address": "walk to {address}",
    "anything": "what more",
    "welcome": "gladly done",
}
"""What another bot says."""


NUMBER = 40
"""Items of a file: enough to learn all lines, few enough to be quick."""

FEW = 20
"""Items of a file that are asked about."""

Part = list[list[Target]]
"""The turns of each of five files."""


@cache
def plan() -> BookingPlan:
    return reworded(None, seed=3)


def reworded(wording: Path | None, seed: int = 4) -> BookingPlan:
    request = Request(number=NUMBER, seed=seed, wording=None if wording is None else str(wording))
    booking = PRESETS.get("dstc6").plan(request)
    assert isinstance(booking, BookingPlan)
    return booking


def files(made: BookingPlan, part: int, number: int = NUMBER) -> list[list[Dialogue]]:
    source = made.source()
    starts = range(part * 5 * NUMBER, (part + 1) * 5 * NUMBER, NUMBER)
    return [[source(n) for n in range(start, start + number)] for start in starts]


def asked(made: BookingPlan, part: int, number: int = NUMBER) -> Part:
    settings = HistorySettings(last=False)
    return [list(within_histories(file, settings)) for file in files(made, part, number)]


def items(made: BookingPlan, part: int, number: int = NUMBER) -> Part:
    return [list(after_histories(file, HistorySettings())) for file in files(made, part, number)]


def facts(made: BookingPlan) -> dict[str, TaskSchema]:
    (lists,) = made.schemas.values()
    assert isinstance(lists.source, ListsSource)
    return stated(*lists.source.files.items())


@cache
def stated(*files: tuple[str, str]) -> dict[str, TaskSchema]:
    return schemas_of(read_kb(text.encode(), Path(name)) for name, text in files)


def share(ranker: Ranker, part: Part, schemas: dict[str, TaskSchema]) -> float:
    """Return the share of a part's turns that are ranked first; each file is asked about alone."""
    hits: list[bool] = [
        prediction.answer == target.gold
        for file in part
        for target, prediction in zip(file, ranker.predict(questions(file), schemas), strict=True)
    ]
    return sum(hits) / len(hits)


@pytest.fixture(scope="module")
def ranker() -> Ranker:
    booking, model = plan(), Ranker(adapt=True)
    learnt = [*asked(booking, 0), *items(booking, 0)]
    model.fit(examples(t for file in learnt for t in file), facts(booking))
    return model


@pytest.mark.parametrize("part", [1, 2, 3, 4], ids=["same", "other kb", "one more slot", "both"])
def test_it_ranks_right_with_other_items_values_and_slots(ranker: Ranker, part: int) -> None:
    booking = plan()
    assert share(ranker, asked(booking, part, FEW), facts(booking)) > 0.98  # 0.993 to 0.997


def test_without_facts_types_come_from_calls_and_results(ranker: Ranker) -> None:
    assert share(ranker, asked(plan(), 4, FEW), {}) > 0.97  # 0.995


def test_another_wording_of_the_bot_is_read_by_places_and_words(
    ranker: Ranker, tmp_path: Path
) -> None:
    file = tmp_path / "wording.json"
    file.write_text(json.dumps(OTHERS))
    booking = reworded(file)
    part, schemas = asked(booking, 3, FEW // 2), facts(booking)
    assert share(ranker, part, schemas) > 0.97  # 0.993
    alone = Ranker()
    alone._learnt = ranker._learnt
    assert share(alone, part[:3], schemas) > 0.7  # 0.79, each question without the others


def test_lines_of_several_bots_that_mean_the_same_are_one_template(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(json.dumps(OTHERS))
    booking, model = plan(), Ranker()
    bots = booking, reworded(file)
    less = FEW // 2
    learnt = [
        t for one in bots for part in (*asked(one, 0, less), *items(one, 0, less)) for t in part
    ]
    model.fit(examples(learnt), facts(booking))
    assert model._learnt is not None
    wording = model._learnt.wording
    own = json.loads(resources.files("dialoom.lang").joinpath("en-booking.json").read_bytes())
    lines = own["lines"]
    for name in ("hello", "look", "ask.number", "sorry"):
        pair = {OTHERS[name], lines[name]}
        assert pair in [{*tied} for tied in wording.variants], name
        assert len(pair & wording.templates) == 1, name


def test_short_files_in_another_wording_with_another_slot_and_other_facts(
    ranker: Ranker, tmp_path: Path
) -> None:
    file = tmp_path / "wording.json"
    file.write_text(json.dumps(OTHERS))
    booking = reworded(file)
    assert share(ranker, items(booking, 4, 20), facts(booking)) > 0.95  # 0.98


def test_the_order_of_candidates_and_their_ids_tell_nothing(ranker: Ranker) -> None:
    booking = plan()
    one = questions(asked(booking, 1)[4])[:50]
    turned = [replace(q, asked=Choice(tuple(reversed(q.asked.candidates)))) for q in one]
    before, after = (ranker.predict(each, facts(booking)) for each in (one, turned))
    assert [a.answer for a in before] == [a.answer for a in after]


def test_it_must_be_fitted_and_on_something() -> None:
    with refuses(UsageError, "not-fitted"):
        Ranker().predict([], {})
    with refuses(UsageError, "nothing-to-learn"):
        Ranker().fit([], {})
