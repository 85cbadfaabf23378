"""Plays a study for its pages, and serves each as one document that is shown in a frame.

A page runs in an origin of its own (`sandbox`), so that no text of a study reaches the studio.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from dialoom.collect.message import Refused
from dialoom.collect.settings import Settings
from dialoom.schema.yaml.editing import read_edited
from dialoom.studio.folder import StudioFolder
from dialoom.studio.studies.settings import EditedStudy, check, rooted

FRAMES = "/study/"
"""The prefix of the addresses of pages in frames."""

POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' data:; "
    "style-src 'unsafe-inline'; img-src data: http: https:; media-src blob: http: https:; "
    "frame-ancestors 'self'"
)

MOST = 3
"""Studies whose pages are kept."""

_ENDS = re.compile("<(?=!--|/script)", re.IGNORECASE)
"""The "<" of "<!--" and of "</script", which would end the script that they are part of."""

KeptPages = OrderedDict[str, dict[str, str]]
"""Key to the pages of a study, by file."""


def played(folder: StudioFolder, study: EditedStudy, cache: KeptPages) -> dict[str, Any]:
    """Return the list of a study's pages, and the key in their addresses."""
    from dialoom.serve.preview import preview

    if findings := check(folder, study)["findings"]:
        raise Refused("unfit", f"line {findings[0].line}: {findings[0].message}")
    value = rooted(folder, read_edited(study.text, study.path).value, [])
    settings = msgspec.convert({"tasks": (), **value}, Settings)
    with TemporaryDirectory() as scratch:
        pages = preview(settings, Path(scratch))
        texts = {each.name: each.read_text("utf-8") for each in Path(scratch).iterdir()}
    key = token_urlsafe(16)
    cache[key] = {page.file: _whole(page.file, texts) for page in pages}
    while len(cache) > MOST:
        cache.popitem(last=False)
    return {"key": key, "pages": [page._asdict() for page in pages]}


async def framed(request: Request) -> Response:
    """Serve a page."""
    pages: KeptPages = request.app.state.study_pages
    text = pages.get(request.path_params["key"], {}).get(request.path_params["name"])
    if text is None:
        raise Refused("unknown", "the pages are shown no more; show them again")
    return HTMLResponse(text)


def _whole(name: str, texts: dict[str, str]) -> str:
    page = re.sub(
        r'<link rel="stylesheet" href="([\w.]+)">',
        lambda match: f"<style>{texts[match[1]]}</style>",
        texts[name],
    )
    return re.sub(
        r"<script src=([\w.]+)>",
        lambda match: "<script>" + _ENDS.sub(r"<\\", texts[match[1]]),
        page,
    )
