"""What users and wizards say about trips, and the words that names are made of.

said = texts().lines["ask.gst_rating"]          # lang/en-packages.json
line_of(said[0]).fill({})
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

import msgspec

from dialoom.errors import UnknownNameError


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
        unknown: Slots that no package tells about.
        joiner: What stands before the last of several names.
        assistant: What wizards are told.
        tasks: Kind of task to the text that users are given.
        lines: Line id to its texts.
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
    unknown: tuple[str, ...]
    joiner: str
    assistant: str
    tasks: dict[str, tuple[str, ...]]
    lines: dict[str, tuple[str, ...]]


@lru_cache(maxsize=8)
def texts(language: str = "en") -> Texts:
    """Return the words of a language.

    Raises:
        UnknownNameError: There are none for it.
    """
    folder, ending = resources.files("dialoom").joinpath("lang"), "-packages.json"
    known = [e.name.removesuffix(ending) for e in folder.iterdir() if e.name.endswith(ending)]
    if language not in known:
        raise UnknownNameError("language of packages", language, known)
    return msgspec.json.decode(folder.joinpath(f"{language}{ending}").read_bytes(), type=Texts)
