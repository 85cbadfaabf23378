"""Frames' search over travel packages (El Asri et al. 2017), as one more task of a wizard.

Its one API has every field of the search, and returns the cheapest packages that fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue import Constraint
from dialoom.dialogue.annotation import Value
from dialoom.kb.effects import Answer
from dialoom.schema.task import Api, Parameter, TaskSchema
from dialoom.sim.policies.frames.packages import (
    DAYS,
    FIRST,
    FLEXIBLE,
    LIMIT,
    MOST,
    Packages,
    day,
)
from dialoom.sim.policies.frames.packages import packages as packages_of
from dialoom.sim.policies.frames.travel import TRAVEL

FUNCTION = "packages"
"""What an API's `function` says where it is this search."""

MOST_SHOWN = 50
"""Packages that a search returns at most."""


HIGHEST = 100_000
"""The highest price that may be asked for."""


def _api() -> Api:
    return Api(
        name="search_packages",
        function=FUNCTION,
        returns_count=True,
        inputs=(
            Parameter(name="ORIGIN_CITY", type="ShortString"),
            Parameter(name="DESTINATION_CITY", type="ShortString"),
            Parameter(name="COUNTRY", type="ShortString"),
            Parameter(name="START_TIME", type="Date", minimum=FIRST.isoformat(), maximum=_last()),
            Parameter(name="END_TIME", type="Date", minimum=FIRST.isoformat(), maximum=_last()),
            Parameter(name=FLEXIBLE, type="Boolean", readable="Dates are flexible"),
            Parameter(name="NUM_ADULTS", type="Integer", minimum=1, maximum=20),
            Parameter(name="PRICE_MIN", type="Integer", minimum=0, maximum=HIGHEST),
            Parameter(name="PRICE_MAX", type="Integer", minimum=0, maximum=HIGHEST),
            Parameter(name="MIN_DURATION", type="Integer", minimum=1, maximum=60),
            Parameter(name="MAX_DURATION", type="Integer", minimum=1, maximum=60),
            Parameter(name="NAME", type="ShortString", readable="Hotel"),
            Parameter(name="CATEGORY_MIN", type="Integer", minimum=0, maximum=5),
            Parameter(name="GST_RATING_MIN", type="Integer", minimum=0, maximum=10),
            Parameter(name="SEAT", type="Categorical", categories=list(TRAVEL.seats)),
            *(Parameter(name=feature.upper(), type="Boolean") for feature in TRAVEL.features),
            Parameter(name=MOST, type="Integer", minimum=1, maximum=MOST_SHOWN),
        ),
    )


def _last() -> str:
    return day(DAYS).isoformat()


TASK = TaskSchema(id="packages", apis=(_api(),))
"""The task, as the wizard's tools have it: no flow, no replies."""


def search(seed: int, constraints: Sequence[Constraint]) -> Answer:
    """Return what a search finds among the packages of a seed, cheapest first."""
    base = packages_of(seed)
    fields = {each.slot: _name(base, each.value) for each in constraints}
    found = tuple(package.item for package in base.search(fields))
    return Answer("found" if found else "nothing", found, len(found))


def _name(base: Packages, value: Value) -> Value:
    """A city, country or hotel as the packages spell it, however it was typed."""
    if not isinstance(value, str):
        return value
    slots = ("or_city", "dst_city", "country", "name")
    names = {str(package.row[slot]) for package in base.packages for slot in slots}
    return {name.casefold(): name for name in names}.get(value.casefold(), value)


__all__ = ["FUNCTION", "LIMIT", "TASK", "search"]
