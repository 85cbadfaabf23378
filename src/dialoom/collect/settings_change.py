"""Changes of a study's settings after its start: which are allowed, and why others are not.

A setting that participants have read, or that earlier records depend on, may not be changed: a
log is always replayed with the study's latest settings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from dialoom.collect.settings import Settings
from dialoom.collect.settings_types import spelled
from dialoom.errors import UsageError, clip
from dialoom.schema.places import Pointer

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


class SettingsEdit(NamedTuple):
    """A difference between the settings that a study has and those of an edited file.

    Attributes:
        pointer: The place of the setting, as deep as the values differ: `("stages", 0, "pay")`.
        was: The study's value; None where it has none.
        wants: The file's value; None where it has none.
        refusal: The reason why it cannot be changed; empty where it applies at the next start.
    """

    pointer: Pointer
    was: Any
    wants: Any
    refusal: str = ""

    @property
    def effect(self) -> str:
        """The effect of the edit at the next start, in words."""
        if self.refusal:
            return f"refused: {self.refusal}"
        batch = self.pointer[0] in BATCH
        return "begins a new batch at the next start" if batch else "applies at the next start"

    def __str__(self) -> str:
        return f"{spelled(self.pointer)}: {_shown(self.was)} -> {_shown(self.wants)}: {self.effect}"


def edits(
    base: Settings, target: Settings, fields: Collection[str] | None
) -> Iterator[SettingsEdit]:
    """Yield the differences of settings that are asked for from those of a study that has begun.

    Args:
        fields: The names of the settings to take from `target`; all where None.
    """
    for name in Settings.__struct_fields__:
        has, wants = getattr(base, name), getattr(target, name)
        if has == wants or (fields is not None and name not in fields):
            continue
        refusal = FIXED.get(name, "")
        if name in GROWING and wants < has:
            refusal = "it can only be raised"
        pairs = (msgspec.to_builtins(each) for each in (has, wants))
        for pointer, was, now in _differences((name,), *pairs):
            yield SettingsEdit(pointer, was, now, refusal)


def _differences(pointer: Pointer, was: Any, now: Any) -> Iterator[tuple[Pointer, Any, Any]]:
    keys: Iterable[str | int] = ()
    if isinstance(was, dict) and isinstance(now, dict):
        keys = {**was, **now}
    elif isinstance(was, list | tuple) and isinstance(now, list | tuple) and len(was) == len(now):
        keys = range(len(was))
    elif was != now:
        yield pointer, was, now
    for key in keys:
        pair = (each.get(key) if isinstance(each, dict) else each[key] for each in (was, now))
        yield from _differences((*pointer, key), *pair)


def changed(base: Settings, target: Settings, fields: Collection[str] | None) -> Settings:
    """Return a study's settings with the changes that are asked for.

    Args:
        fields: The names of the settings to take from `target`; all where None.

    Raises:
        UsageError: Settings may not be changed in this way; the message has a line for each.
    """
    changes = list(edits(base, target, fields))
    if refused := [str(edit) for edit in changes if edit.refusal]:
        raise UsageError("\n".join(refused))
    names = {str(edit.pointer[0]) for edit in changes} - {*BATCH}
    return replace(base, **{name: getattr(target, name) for name in names})


def _shown(value: Any) -> str:
    return clip(msgspec.json.encode(value).decode(), 80)
