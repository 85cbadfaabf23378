"""Workers whom a recruiter sends."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tests.serve.conftest import SINGLE

PROLIFIC = replace(SINGLE, recruiter="prolific", codes={"left": "C LEFT", "waited": "C-WAIT"})


def coming(worker: str = "p1", session: str = "s1") -> dict[str, Any]:
    """Return what the page sends of somebody whom Prolific sends."""
    return {
        "source": {"PROLIFIC_PID": worker, "STUDY_ID": "st", "SESSION_ID": session},
        "key": "0123456789abcdef",
    }
