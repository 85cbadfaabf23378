"""The view of corpora."""

from __future__ import annotations

from pathlib import Path

from starlette.routing import Route

ROUTES: list[Route] = []


def recognise(path: Path) -> str | None:
    """Return what a file or folder is that this view opens; None for others."""
    return None
