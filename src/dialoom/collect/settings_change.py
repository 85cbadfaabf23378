"""Changes of a study's settings after its start: which are allowed, and why others are not.

    changed(begun, Settings(…, target=3), {"target"})       # the study's new settings

A setting that participants have read, or that earlier records depend on, may not be changed: a
log is always replayed with the study's latest settings.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.settings import Settings
from dialoom.errors import UsageError, clip

BATCH = ("batch", "pilot")
"""The settings of a batch; a restart with other values begins a new batch."""

FREE = (
    *("name", "purpose", "debriefing", "video", "consent", "translations", "retention", "paused"),
    *("codes", "redirects", "require_id", "approval", "approved", "country"),
    *("wizards", "pair_cap", "spare", "times", "reward", "budget", "call", "speech"),
    "per_address",
)
"""The settings that may be changed to any valid value."""

GROWING = ("target", "scenarios", "renewed")
"""The settings that may be increased only."""

_GIVEN_OUT = "scenarios drawn with it have been given to participants"
_ALIKE = "all dialogues of a study are collected under the same conditions"
FIXED = {
    "tasks": _GIVEN_OUT,
    "story": _GIVEN_OUT,
    "scenario": _GIVEN_OUT,
    "seed": _GIVEN_OUT,
    "guide": _GIVEN_OUT,
    "stages": "participants are part way through them",
    "language": "participants have read the study's pages in it",
    "guard": _ALIKE,
    "suggestions": _ALIKE,
    "encoder": _ALIKE,
    "rating": _ALIKE,
    "present_wizard_as": _ALIKE,
    "worker_from": "workers are identified by it",
    "recruiter": "workers are identified by the recruiter's ids",
    "currency": "payments are recorded in it",
    "attention": "participants agreed to what is recorded",
    "quiz": "participants have read its limits",
    "pay": "participants agreed to it",
    "open": "participants have read about their pay, or had none",
}
"""Each setting that may not be changed after the start, and the reason."""


def changed(begun: Settings, asked: Settings, given: Collection[str] | None) -> Settings:
    """Return a study's settings with the changes that are asked for.

    Args:
        given: The names of the settings to take from `asked`; all where None.

    Raises:
        UsageError: A setting may not be changed in this way; the message says why.
    """
    more: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        has, wants = getattr(begun, name), getattr(asked, name)
        if has == wants or name in BATCH or (given is not None and name not in given):
            continue
        if name in FIXED:
            raise UsageError(
                f"{name} = {_shown(wants)}: the study was started with {_shown(has)}, which "
                f"cannot be changed: {FIXED[name]}"
            )
        if name in GROWING and wants < has:
            raise UsageError(f"{name} = {wants}: the study has {has}, and it can only be raised")
        more[name] = wants
    return replace(begun, **more)


def _shown(value: Any) -> str:
    return clip(msgspec.json.encode(value).decode(), 80)
