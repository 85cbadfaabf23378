"""Decides which worker ids need proof, since anybody can type an id or put it into an address.

docs/explanation/threat-model.md lists what counts as proof; serve/joining.py asks for it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from dialoom.collect.log.record import is_named
from dialoom.collect.recruiters.recruiter import recruiter_of
from dialoom.collect.settings import Settings
from dialoom.collect.study.stages import study_stages
from dialoom.collect.study.state import StudyState


def plain_id(worker: str) -> str:
    """Return a worker's id without spaces around it, in the normal form NFC of Unicode."""
    return unicodedata.normalize("NFC", worker.strip())


def needs_proof(state: StudyState, worker: str) -> bool:
    """True if an id is of a worker who took part, was granted a stage, or is in the settings."""
    record = state.workers.get(worker)
    if record is not None and (record.last is not None or True in record.granted.values()):
        return True
    return worker in listed_workers(state.settings)


def listed_workers(settings: Settings) -> tuple[str, ...]:
    """Return the workers whom settings name and who are not erased: wizards, `only` of stages."""
    names = [*settings.wizards, *(name for each in study_stages(settings) for name in each.only)]
    return tuple(dict.fromkeys(filter(is_named, names)))


def is_first_submission(state: StudyState, worker: str, source: Mapping[str, str]) -> bool:
    """True if a recruiter's parameters are those with which a worker's submission came."""
    recruiter = recruiter_of(state.settings)
    if recruiter is None:
        return False
    number = state.submissions.get(source.get(recruiter.submission, ""))
    first = None if number is None else state.assignments[number]
    return (
        first is not None
        and first.worker == worker
        and all(first.source.get(name) == source.get(name) for name in recruiter.required)
    )
