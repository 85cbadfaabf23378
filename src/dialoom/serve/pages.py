"""The built pages (web/ in the repository), read once and served from memory.

Only files that are in the folder when the server starts are served: paths of requests are looked up
in memory, never in the file system. Names do not change with content, so browsers must revalidate.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

FOLDER = Path(__file__).parent / "pages"

INDEX, FRONT = "index.html", ""
"""The names of the page of all addresses, and of the one at `/`."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Ending to media type; files with other endings are not served."""

HEADERS = {"Cache-Control": "no-cache"}


class BuiltPage(msgspec.Struct, frozen=True):
    """A file, its type and the tag of its content."""

    data: bytes
    type: str
    tag: str


class Pages:
    """The files of a folder by their paths.

    Args:
        folder: The folder of the built files.
        index: The file that answers all addresses without a file's name.
    """

    def __init__(self, folder: Path = FOLDER, index: str = INDEX) -> None:
        self._index = index
        self._pages = {
            path.relative_to(folder).as_posix(): _page(path.read_bytes(), path)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix in TYPES
        }
        if index in self._pages:
            self._pages[FRONT] = self._pages[index]

    def lead(self, link: str, tasks: Sequence[Mapping[str, str]]) -> None:
        """Show the front page at `/`: a choice of tasks, and the link to join with one of them."""
        index = self._pages.get(INDEX)
        if index is None:  # the pages are not built
            return
        data = escape(msgspec.json.encode(tasks).decode())
        opened = f'<html data-link="{escape(link)}" data-tasks="{data}"'
        text = index.data.decode().replace("<html", opened, 1)
        self._pages[FRONT] = _page(text.encode(), Path(INDEX))

    async def serve(self, request: Request) -> Response:
        """Serve the file that an address names, or the page of all others.

        Opening the page does not use up a single-use link.
        """
        front = FRONT if request.url.path == "/" else self._index
        name = request.path_params.get("name", front)
        page = self._pages.get(name)
        if page is None:
            if name in (self._index, FRONT):
                return PlainTextResponse("The pages are not built: see web/README.md.\n", 503)
            return PlainTextResponse("There is no such page.\n", 404)
        headers = {**HEADERS, "ETag": page.tag}
        if page.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(page.data, media_type=page.type, headers=headers)


def _page(data: bytes, path: Path) -> BuiltPage:
    return BuiltPage(data, TYPES[path.suffix], f'"{hashlib.sha256(data).hexdigest()[:32]}"')
