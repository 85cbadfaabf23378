"""What can be said, searched and asked about trips: `travel.json`, and a language's words for it.

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
        amenities: What a hotel may offer: slots that are true or false.
        vicinity: What may be near it, likewise.
        together: Name of a part of a wish to the slots that are said together, in order.
        offered: The parts that an offer tells besides name and price, each once in how many offers.
        asked: What users want to know besides, and what a hotel has.
        compared: What users compare packages by, and what a hotel has.
        unknown: Slots that no package tells about.
        wished: Field of a search to the slot of a wish.
        fields: Field of a search to the slot of a package and how they compare.
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
        """What a hotel has or has not."""
        return (*self.amenities, *self.vicinity)


TRAVEL = msgspec.json.decode(
    resources.files("dialoom.sim.policies.frames").joinpath("travel.json").read_bytes(), type=Travel
)


class TravelTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-packages.json`.

    Attributes:
        language: Its code.
        months: The names of the months.
        city_starts: Beginnings of cities' names.
        city_ends: Their ends.
        countries: Names of countries.
        hotel_firsts: First words of hotels' names.
        hotel_seconds: Second words.
        hotel_kinds: Last words.
        cheapest: How users say that the price matters, as acts have it.
        joiner: What stands before the last of several names.
        assistant: What wizards are told.
        tasks: Kind of task to the text that users are given.
        limit: The sentence of such a text about the budget.
        system: Beginnings of the ids of lines that the system says.
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
    """Return the words of a language.

    Raises:
        UnknownNameError: There are none for it.
    """
    return texts_of(language, "packages", "packages", TravelTexts)


@lru_cache(maxsize=8)
def lines(side: str, language: str = "en") -> Grammar:
    """Return the grammar of a language's lines, in the manner of users or of systems."""
    return Grammar(texts(language).lines, manner(language, f"packages-{side}-manner"))


@lru_cache(maxsize=1024)
def side_of(line: str, language: str = "en") -> str:
    """Return who says a line: "user" or "system"."""
    said = any(line == each or line.startswith(f"{each}.") for each in texts(language).system)
    return SYSTEM if said else USER
