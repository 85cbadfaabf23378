"""The application of the studio: its routes, its errors as JSON, the built pages, and its guard.

Every request needs the token, and requests for other hosts are refused. The link that the command
prints has the token; opening it sets a cookie. Programs send the token as `Authorization: Bearer
TOKEN`. A page of another site that points its own name at this machine (DNS rebinding) sends that
name as Host, which is refused.
"""

from __future__ import annotations

import hashlib
import hmac
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
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from dialoom.collect.message import Refused
from dialoom.errors import DialoomError
from dialoom.serve.headers import SecurityHeaders, policy
from dialoom.serve.pages import Pages
from dialoom.serve.responses import refusal
from dialoom.studio import corpora, runs, studies, tasks
from dialoom.studio.corpora.indexing import Indexing
from dialoom.studio.folder import FolderListing, StudioFolder
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


HOSTS = ("127.0.0.1", "localhost", "::1")
"""The names by which this machine may be addressed."""

PARAMETER = "token"
"""The parameter of the link that holds the token."""

BEARER = "Bearer "


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


class TokenGuard:
    """Lets requests through that are for this machine and carry the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self._token = app, token
        # named by the token, for browsers send cookies to all ports of a host
        self._cookie = "dialoom_studio_" + hashlib.sha256(token.encode()).hexdigest()[:12]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        answer = self._answer(request)
        await (self.app if answer is None else answer)(scope, receive, send)

    def _answer(self, request: Request) -> Response | None:
        if _host(request) not in HOSTS:
            return PlainTextResponse("The studio answers only at its own address.\n", 421)
        if PARAMETER in request.query_params and request.url.path == "/":
            if not self._same(request.query_params[PARAMETER]):
                return _unknown()
            arrived = RedirectResponse("/", 303)
            arrived.set_cookie(self._cookie, self._token, httponly=True, samesite="lax")
            return arrived
        bearer = request.headers.get("authorization", "")
        token = bearer.removeprefix(BEARER) if bearer.startswith(BEARER) else ""
        valid = self._same(token or request.cookies.get(self._cookie, ""))
        return None if valid else _unknown()

    def _same(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(errors="replace"), self._token.encode())


def _host(request: Request) -> str:
    host = request.headers.get("host", "").lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _unknown() -> Response:
    what = "Open the link that `dialoom studio` printed: it has the token that this page needs.\n"
    return PlainTextResponse(what, 401)
