"""A study of Prolific that leads to a link, with its completion codes and conditions.

    draft(settings, WorkOffer(address="https://study.example.org/join/…", reward=150, …), ids)
    # {"name": …, "reward": 150, "external_study_url": "https://…", …}, a request to create a study

`codes` of the settings become completion codes whose submissions wait for `dialoom collect settle`.
Conditions are the settings `approval` and `approved`. Workers have three times the expected
minutes, at least an hour.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dialoom.collect.recruiters.recruiter import WorkOffer
from dialoom.collect.settings import Settings
from dialoom.errors import UsageError

DEVICES = ("desktop", "tablet", "mobile")

REVIEW = {"action": "MANUALLY_REVIEW"}


def draft(settings: Settings, offer: WorkOffer, ids: Iterable[str]) -> dict[str, Any]:
    """Return the request that creates an unpublished study.

    Args:
        ids: The parameters that Prolific fills in the link.

    Raises:
        UsageError: The settings have no code of completed work, or a `country`, whose value at
            Prolific is no code.
    """
    if "completed" not in settings.codes:
        raise UsageError("codes: Prolific needs one of completed work, such as {completed: C1AB2}")
    if settings.country is not None:
        raise UsageError("country: choose it in the draft at Prolific, and leave the setting out")
    named = "&".join(f"{name}={{{{%{name}%}}}}" for name in ids)
    return {
        "name": settings.name,
        "internal_name": settings.batch,
        "description": settings.purpose or settings.name,
        "external_study_url": f"{offer.address}?{named}",
        "prolific_id_option": "url_parameters",
        "completion_codes": _codes(settings),
        "total_available_places": offer.number,
        "estimated_completion_time": offer.minutes,
        "maximum_allowed_time": max(60, 3 * offer.minutes),
        "reward": offer.reward,
        "device_compatibility": list(DEVICES),
        "peripheral_requirements": _peripherals(settings),
        "filters": _filters(settings),
    }


def _codes(settings: Settings) -> list[dict[str, Any]]:
    """Return each completion code once; outcomes may share one."""
    kinds = dict.fromkeys(settings.codes.values(), "OTHER")
    kinds[settings.codes["completed"]] = "COMPLETED"
    return [{"code": code, "code_type": kind, "actions": [REVIEW]} for code, kind in kinds.items()]


def _peripherals(settings: Settings) -> list[str]:
    stages = () if isinstance(settings.stages, str) else settings.stages
    spoken = any(stage.kind == "spoken" for stage in stages)
    heard = any(stage.kind == "transcription" for stage in stages)
    return [name for name, on in (("microphone", spoken), ("audio", spoken or heard)) if on]


def _filters(settings: Settings) -> list[dict[str, Any]]:
    least = {"approval_rate": settings.approval, "approval_numbers": settings.approved}
    return [
        {"filter_id": name, "selected_range": {"lower": int(value)}}
        for name, value in least.items()
        if value is not None
    ]
