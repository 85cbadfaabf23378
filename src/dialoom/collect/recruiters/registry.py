"""The recruiters there are, and that of a study.

RECRUITERS.get("prolific").worker           # "PROLIFIC_PID"
recruiter_of(settings)                      # None where people come by the links alone
"""

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
    """Return the recruiter that a study names, if any.

    Raises:
        UnknownNameError: There is no such recruiter.
    """
    return RECRUITERS.get(settings.recruiter) if settings.recruiter else None
