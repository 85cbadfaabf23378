"""The request for the address of a study's admin page, while a server runs the study."""

from __future__ import annotations

import msgspec

from dialoom.collect.log.serving import served_at
from dialoom.studio.folder import StudioFolder
from dialoom.studio.routes import reads
from dialoom.studio.runs.recognising import place_of


class StudyAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request about a study: the path of its database in the folder."""

    path: str


def study(folder: StudioFolder, wanted: StudyAt) -> dict[str, str | None]:
    """Return the link of a study's admin; null if no program serves the study."""
    return {"admin": served_at(place_of(folder, wanted.path, "study"))}


ROUTES = [reads("/api/runs/study", StudyAt, study)]
