"""Values, searches and questions about trips: `travel.json`, and a language's words for them.

TRAVEL.fields["PRICE_MAX"]                      # ("price", "at_most")
lines("user").template("ask.gst_rating", rng)   # lang/en-packages.json
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

import msgspec

from dialoom.dialogue import SYSTEM, USER
from dialoom.dialogue.constraint import Operator
from dialoom.schema.lexicon import texts_of
from dialoom.sim.core.grammar import Grammar
from dialoom.sim.core.manner import manner


class Travel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The slots of packages and the fields of their search.

    Attributes:
        seats: The classes of flights, the cheaper one first.
        amenities: Amenities of hotels: slots that are true or false.
        vicinity: Places near hotels, likewise.
        together: Name of a part of a wish to the slots that are said together, in order.
        offered: The parts of an offer besides name and price, each once in how many offers.
        asked: Slots that users ask about, besides a hotel's features.
        compared: Slots that users compare packages by, besides a hotel's features.
        unknown: Slots that no package has.
        wished: Field of a search to the slot of a wish.
        fields: Field of a search to the slot of a package and the comparison.
    """

    seats: tuple[str, str]
    amenities: tuple[str, ...]
    vicinity: tuple[str, ...]
    together: dict[str, tuple[str, ...]]
    offered: dict[str, int]
    asked: tuple[str, ...]
    compared: tuple[str, ...]
    unknown: tuple[str, ...]
    wished: dict[str, str]
    fields: dict[str, tuple[str, Operator]]

    @property
    def features(self) -> tuple[str, ...]:
        """The possible features of a hotel."""
        return (*self.amenities, *self.vicinity)


TRAVEL = msgspec.json.decode(
    resources.files("dialoom.sim.policies.frames").joinpath("travel.json").read_bytes(), type=Travel
)


class TravelTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-packages.json`.

    Attributes:
        city_starts: Beginnings of cities' names.
        hotel_firsts: First words of hotels' names.
        hotel_kinds: Last words.
        cheapest: Values of acts for a wish for a low price.
        joiner: Text before the last of several names.
        assistant: Instruction of wizards.
        tasks: Kind of task to the user's instruction.
        limit: Its sentence about the budget.
        system: Prefixes of the ids of the system's lines.
        lines: Line id to the ways to say it (`sim/core/grammar.py`).
    """

    language: str
    months: tuple[str, ...]
    city_starts: tuple[str, ...]
    city_ends: tuple[str, ...]
    countries: tuple[str, ...]
    hotel_firsts: tuple[str, ...]
    hotel_seconds: tuple[str, ...]
    hotel_kinds: tuple[str, ...]
    cheapest: str
    joiner: str
    assistant: str
    tasks: dict[str, tuple[str, ...]]
    limit: str
    system: tuple[str, ...]
    lines: dict[str, dict[str, int] | list[str]]


@lru_cache(maxsize=8)
def texts(language: str = "en") -> TravelTexts:
    """Return the words of a language; `UnknownNameError` if there are none."""
    return texts_of(language, "packages", "packages", TravelTexts)


@lru_cache(maxsize=8)
def lines(side: str, language: str = "en") -> Grammar:
    """Return the grammar of a language's lines, in the manner of users or of systems."""
    return Grammar(texts(language).lines, manner(language, f"packages-{side}-manner"))


@lru_cache(maxsize=1024)
def side_of(line: str, language: str = "en") -> str:
    """Return the speaker of a line: "user" or "system"."""
    is_system = any(line == each or line.startswith(f"{each}.") for each in texts(language).system)
    return SYSTEM if is_system else USER
