"""The search over travel packages of Frames (El Asri et al. 2017) as a task of the wizard.

Its only API has every field of the search and returns the cheapest packages that match.
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue import Constraint
from dialoom.dialogue.annotation import Value
from dialoom.kb.effects import Answer
from dialoom.schema.call import Call, Column
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.frames.packages import DAYS, FIRST, FLEXIBLE, MOST, Packages, day
from dialoom.sim.policies.frames.packages import packages as packages_of
from dialoom.sim.policies.frames.travel import TRAVEL

MOST_SHOWN = 50
"""The most packages that a search may be asked to return."""

HIGHEST = 100_000
"""The highest price that may be entered."""


def _count(name: str, least: int, most: int) -> Slot:
    return Slot(name=name, type="integer", minimum=least, maximum=most)


def _date(name: str) -> Slot:
    return Slot(name=name, type="date", minimum=FIRST.isoformat(), maximum=day(DAYS).isoformat())


_SLOTS = (
    Slot(name="ORIGIN_CITY", type="short text"),
    Slot(name="DESTINATION_CITY", type="short text"),
    Slot(name="COUNTRY", type="short text"),
    _date("START_TIME"),
    _date("END_TIME"),
    Slot(name=FLEXIBLE, type="boolean"),
    _count("NUM_ADULTS", 1, 20),
    _count("PRICE_MIN", 0, HIGHEST),
    _count("PRICE_MAX", 0, HIGHEST),
    _count("MIN_DURATION", 1, 60),
    _count("MAX_DURATION", 1, 60),
    Slot(name="NAME", type="short text"),
    _count("CATEGORY_MIN", 0, 5),
    _count("GST_RATING_MIN", 0, 10),
    Slot(name="SEAT", type="category", values=dict.fromkeys(TRAVEL.seats, ())),
    *(Slot(name=feature.upper(), type="boolean") for feature in TRAVEL.features),
    _count(MOST, 1, MOST_SHOWN),
)

_TITLES = {
    "ORIGIN_CITY": "From",
    "DESTINATION_CITY": "To",
    "START_TIME": "Leaving on or after",
    "END_TIME": "Back on or before",
    FLEXIBLE: "Dates are flexible",
    "NUM_ADULTS": "Adults",
    "PRICE_MIN": "Price at least",
    "PRICE_MAX": "Price at most",
    "MIN_DURATION": "Days at least",
    "MAX_DURATION": "Days at most",
    "NAME": "Hotel",
    "CATEGORY_MIN": "Stars at least",
    "GST_RATING_MIN": "Guest rating at least",
    MOST: "Packages listed at most",
}

_CALL = Call(
    name="search_packages",
    inputs=tuple(
        Column(name=slot.name, slot=slot.name, title=_TITLES.get(slot.name, "")) for slot in _SLOTS
    ),
)

TASK = TaskSchema(
    id="packages", slots={slot.name: slot for slot in _SLOTS}, calls={_CALL.name: _CALL}
)
"""The task for the wizard's tools; it has no flow chart and no suggested replies."""


def search(seed: int, constraints: Sequence[Constraint]) -> Answer:
    """Return the packages of a seed that match the constraints, cheapest first, and their total."""
    base = packages_of(seed)
    fields = {each.slot: _name(base, each.value) for each in constraints}
    items = tuple(package.item for package in base.search(fields))
    total = len(base.search({**fields, MOST: len(base.packages)}))
    return Answer("found" if items else "nothing", items, total)


def _name(base: Packages, value: Value) -> Value:
    if not isinstance(value, str):
        return value
    slots = ("or_city", "dst_city", "country", "name")
    names = {str(package.row[slot]) for package in base.packages for slot in slots}
    return {name.casefold(): name for name in names}.get(value.casefold(), value)
