"""Whether settings that were asked for make sense, told before anything is made.

check_names({"guard": "warm"})      # unknown guard 'warm': did you mean warn? known: …
check(settings)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

from dialoom.collect.books.stages import TUTORIALS
from dialoom.collect.room.questions import questions
from dialoom.collect.settings import Settings
from dialoom.dialogue.annotation import Struct
from dialoom.errors import UnknownNameError, UsageError, clip

AT_LEAST_ONE = ("target", "scenarios", "pair_cap")
"""Settings that count something there has to be."""


def check_names(named: Mapping[str, Any], of: type[Struct] = Settings) -> None:
    """Check the names of settings, and the values that are names themselves.

    Raises:
        UnknownNameError: There is no such setting, or a choice has no such value.
    """
    kinds = get_type_hints(of)
    for name, value in named.items():
        if name not in kinds:
            raise UnknownNameError("setting", str(name), kinds)
        kind = kinds[name]
        if get_origin(kind) is Literal and isinstance(value, str) and value not in get_args(kind):
            raise UnknownNameError(name, value, get_args(kind))
        if isinstance(kind, type) and issubclass(kind, Struct) and isinstance(value, Mapping):
            check_names(value, kind)


def check(settings: Settings) -> None:
    """Check what settings say, but for tasks and scenarios, which are checked as they are read.

    Raises:
        UsageError: A study cannot be run with them.
    """
    questions("user", (), settings.language)
    numbers = {name: getattr(settings, name) for name in AT_LEAST_ONE}
    numbers |= {"suggestions": min(settings.suggestions)}
    for name, number in numbers.items():
        if number < 1:
            raise UsageError(f"{name}: {number}: at least 1 is needed")
    for group in ("times", "pay", "quiz"):
        for name, number in _numbers(getattr(settings, group)):
            if not 0 <= number < float("inf"):
                raise UsageError(f"{group}.{name}: {number}: right would be 0 or more")
    for stage, address in settings.video.items():
        if stage not in TUTORIALS:
            raise UnknownNameError("stage of video", stage, TUTORIALS)
        check_address(address, f"video.{stage}:")
    if settings.present_wizard_as == "automated" and not settings.debriefing.strip():
        why = "users who are told of a machine have to be told of the person afterwards"
        raise UsageError(f"present_wizard_as: automated needs a `debriefing`: {why}")


def check_address(address: str, what: str) -> None:
    """Check that an address is one of the web.

    Raises:
        UsageError: It is not.
    """
    scheme, _, rest = address.partition("://")
    if scheme not in ("http", "https") or not rest.strip("/") or any(map(str.isspace, address)):
        raise UsageError(f"{what} {clip(address)!r}: an address begins with http:// or https://")


def _numbers(group: Struct) -> list[tuple[str, float]]:
    return [(name, getattr(group, name)) for name in group.__struct_fields__]
