"""What may be changed of a study that has begun, and why the rest may not.

    changed(begun, Settings(…, target=3), {"target"})       # the study's settings from now on

What people were promised stays, and what earlier records follow from: a log is read with the
settings that the study has last.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.settings import Settings
from dialoom.errors import UsageError, clip

BATCH = ("batch", "pilot")
"""Settings of the next batch, which begins whenever others are given."""

FREE = (
    *("name", "purpose", "debriefing", "video", "consent", "translations", "retention", "paused"),
    *("codes", "redirects", "require_id", "approval", "approved", "country"),
    *("wizards", "pair_cap", "spare", "times", "reward", "call", "speech"),
)
"""Settings that may have any other value."""

GROWING = ("target", "scenarios", "renewed")
"""Settings that may be more than they were."""

_GIVEN_OUT = "the scenarios that were given out follow from it"
_ALIKE = "dialogues of one study are collected alike"
FIXED = {
    "tasks": _GIVEN_OUT,
    "scenario": _GIVEN_OUT,
    "seed": _GIVEN_OUT,
    "guide": _GIVEN_OUT,
    "stages": "people are on their way through them",
    "language": "people read it",
    "guard": _ALIKE,
    "suggestions": _ALIKE,
    "encoder": _ALIKE,
    "rating": _ALIKE,
    "present_wizard_as": _ALIKE,
    "worker_from": "people are known by it",
    "recruiter": "people are known by its ids",
    "currency": "payments are booked in it",
    "quiz": "people were told these limits",
    "pay": "people agreed to it",
}
"""Settings that stay, and why."""


def changed(begun: Settings, asked: Settings, given: Collection[str] | None) -> Settings:
    """Return a study's settings with those changed that are asked for.

    Args:
        begun: Those that it has.
        asked: Those that are asked for.
        given: The names of those that count; all where None.

    Raises:
        UsageError: One of them may not be changed so; the message says why.
    """
    more: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        has, wants = getattr(begun, name), getattr(asked, name)
        if has == wants or name in BATCH or (given is not None and name not in given):
            continue
        if name in FIXED:
            raise UsageError(
                f"{name} = {_shown(wants)}: the study was started with {_shown(has)}, which stays:"
                f" {FIXED[name]}"
            )
        if name in GROWING and wants < has:
            raise UsageError(f"{name} = {wants}: the study has {has}; right would be more")
        more[name] = wants
    return replace(begun, **more)


def _shown(value: Any) -> str:
    return clip(msgspec.json.encode(value).decode(), 80)
