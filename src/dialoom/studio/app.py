"""The application of the studio: its routes, its errors as JSON, and the built pages."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from types import ModuleType

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom.collect.message import Refused
from dialoom.errors import DialoomError
from dialoom.serve.headers import SecurityHeaders, policy
from dialoom.serve.pages import Pages
from dialoom.serve.responses import refusal
from dialoom.studio import corpora, runs, studies, tasks
from dialoom.studio.corpora.indexing import Indexing
from dialoom.studio.folder import FolderListing, StudioFolder
from dialoom.studio.guard import TokenGuard
from dialoom.studio.routes import reads, warm
from dialoom.studio.runs.making import RunMaker
from dialoom.studio.studies.pages import FRAMES, POLICY, KeptPages
from dialoom.studio.watching import events

log = logging.getLogger("dialoom.studio")

PAGES, INDEX = Path(__file__).parent / "pages", "studio.html"

VIEWS: dict[str, ModuleType] = {
    "tasks": tasks,
    "studies": studies,
    "runs": runs,
    "corpora": corpora,
}
"""Name to package; the first that recognises an entry of the folder gets it."""

FIRST_LOOK = 0.3
"""Seconds of a search of the folder after which the page gets what is found so far."""

UNFIT = 422
"""HTTP status of a refusal that is about the user's files or words."""


class FolderSearch(msgspec.Struct, frozen=True):
    """The number of the search of the folder that is waited for; 0 for one that begins now."""

    search: int = 0


def create_app(folder: Path, token: str) -> Starlette:
    """Return the application for a folder; `MissingDataError` if there is no such folder."""
    pages = Pages(PAGES, INDEX)
    app = Starlette(
        routes=[
            Route("/", pages.serve),
            Route("/pages/{name:path}", pages.serve),
            Route("/api/events", events),
            reads("/api/folder", FolderSearch, _listing),
            *(route for view in VIEWS.values() for route in view.ROUTES),
        ],
        middleware=[
            Middleware(SecurityHeaders, policy(), joining=POLICY, framed=FRAMES),
            Middleware(TokenGuard, token),
        ],
        exception_handlers={Refused: _refused, DialoomError: _unfit, Exception: _broken},
        lifespan=_running,
    )
    app.router.redirect_slashes = False
    app.state.folder = StudioFolder(folder, {name: view.recognise for name, view in VIEWS.items()})
    app.state.run_maker, app.state.indexing = RunMaker(), Indexing()
    app.state.study_pages = KeptPages()
    return app


@asynccontextmanager
async def _running(app: Starlette) -> AsyncIterator[None]:
    Thread(target=warm, daemon=True).start()
    yield
    app.state.run_maker.stop()


def _listing(folder: StudioFolder, query: FolderSearch) -> FolderListing:
    return folder.listing(FIRST_LOOK, query.search)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error, UNFIT)


async def _unfit(request: Request, error: Exception) -> Response:
    return refusal(Refused("unfit", str(error)), UNFIT)


async def _broken(request: Request, error: Exception) -> Response:
    log.error("%s fails", request.url.path, exc_info=error)
    return refusal(Refused("internal", f"{type(error).__name__}: {error}"))
