"""The registry of recruiters, and the recruiter of a study."""

from __future__ import annotations

from dialoom.collect.recruiters.recruiter import Recruiter
from dialoom.collect.settings import Settings
from dialoom.registry import Registry

RECRUITERS: Registry[Recruiter] = Registry(
    "recruiter",
    "dialoom.recruiters",
    {
        "mturk": "dialoom.collect.recruiters.mturk:RECRUITER",
        "prolific": "dialoom.collect.recruiters.prolific:RECRUITER",
    },
)


def recruiter_of(settings: Settings) -> Recruiter | None:
    """Return the recruiter of the settings, if any; `UnknownNameError` for another name."""
    return RECRUITERS.get(settings.recruiter) if settings.recruiter else None
