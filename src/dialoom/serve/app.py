"""The web application of one study: HTTP and WebSocket (docs/reference/wire-protocol.md)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Route, WebSocketRoute
from starlette.types import Lifespan, Receive, Scope, Send
from starlette.websockets import WebSocket

import dialoom
from dialoom.collect.kinds.bot import BotKind
from dialoom.collect.log.record import RoomRole
from dialoom.collect.settings import SPOKEN
from dialoom.collect.settings_check import pictures
from dialoom.collect.studies import StudyHandle
from dialoom.play.agents.base import Agent
from dialoom.schema.flowchart import draw
from dialoom.serve import admin, blobs
from dialoom.serve.blobs import Recognising
from dialoom.serve.bot_talks import BotTalks
from dialoom.serve.bots import Bots
from dialoom.serve.chat import api, completions
from dialoom.serve.chat.chats import Chats
from dialoom.serve.context import AppContext, context_of
from dialoom.serve.erasing import retain, withdraw
from dialoom.serve.headers import SecurityHeaders, policy
from dialoom.serve.hub import Hub, now_ms
from dialoom.serve.joining import framing_sites, join
from dialoom.serve.limits import Limits
from dialoom.serve.links import Signer
from dialoom.serve.pages import Pages
from dialoom.serve.responses import answer, unserved
from dialoom.serve.socket import participate


class StudyApp(Starlette):
    """The application of a study.

    WebSockets bypass the middleware, whose state would stay in memory as long as they are open.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a WebSocket."""
        if scope["type"] == "websocket":
            matched, child = SOCKETS.matches(scope)
            if matched is Match.FULL:
                scope.update(child, app=self)
                await participants(WebSocket(scope, receive, send))
                return
        await super().__call__(scope, receive, send)


def create_app(
    opened: StudyHandle,
    *,
    public: str | None = None,
    limits: Limits | None = None,
    clock: Callable[[], int] = now_ms,
    bot: RoomRole | None = None,
    prepared: Mapping[str, Agent] | None = None,
) -> Starlette:
    """Return the application of a study.

    Args:
        public: The server's address behind a proxy.
        bot: The role that a program plays; None without one.
        prepared: Bots of its talks that are ready, by their names.
    """
    signer = Signer(opened.store.secret())
    hub = Hub(opened, signer, clock)
    bots = None if bot is None else Bots(hub, opened.library, bot)
    pages = Pages()
    app = StudyApp(
        routes=_routes(pages),
        middleware=[_headers(opened, public)],
        exception_handlers={HTTPException: unserved},
        lifespan=_running(hub, bots, prepared),
    )
    app.router.redirect_slashes = False
    app.state.context = AppContext(hub, signer, public, limits or Limits())
    if opened.study.settings.open:
        _open(app, hub, signer, pages)
    return app


def _open(app: Starlette, hub: Hub, signer: Signer, pages: Pages) -> None:
    """Let anybody into a study by its front page, and programs talk with its bot."""
    tasks: list[dict[str, str]] = []
    if any(isinstance(kind, BotKind) for kind in hub.study.state.kinds.values()):
        app.state.chats = Chats(hub, signer)
        app.state.conversations = completions.Conversations(app.state.chats)
        app.router.routes.extend((*api.ROUTES, *completions.ROUTES))
        tasks = api.listed(app.state.chats)
    pages.lead(signer.study_link(None), tasks)


def _routes(pages: Pages) -> list[BaseRoute]:
    addresses = ("/", "/admin", "/join/{link}", "/pages/{name:path}")
    return [
        *(Route(path, pages.serve) for path in addresses),
        Route("/charts/{task}.svg", chart),
        Route("/healthz", health),
        Route("/api/join/{link}", join, methods=["POST"]),
        Route("/api/withdraw/{link}", withdraw, methods=["POST"]),
        Route("/api/blobs/{link}/{digest}", blobs.put, methods=["PUT"]),
        Route("/api/blobs/{link}/{digest}", blobs.get),
        *admin.routes(),
        SOCKETS,
    ]


def _headers(opened: StudyHandle, public: str | None) -> Middleware:
    """Return the middleware that sets security headers, as the study's stages and pages need them.

    Videos and pictures come from their hosts, microphones are allowed where a stage is spoken, and
    a recruiter's site may frame the page where people join.
    """
    settings = opened.study.settings
    speaks = any(stage.kind == SPOKEN for stage in opened.study.state.stages)
    video, sites = settings.video.values(), framing_sites(settings)
    images = [address for _, address in pictures(settings)]
    guarded = policy(video, pictures=images, speaks=speaks)
    joining = policy(video, sites, pictures=images, speaks=speaks) if sites else None
    return Middleware(SecurityHeaders, guarded, public, joining, speaks=speaks)


def _running(
    hub: Hub, bots: Bots | None, prepared: Mapping[str, Agent] | None
) -> Lifespan[Starlette]:
    helpers: list[Bots | BotTalks | Recognising] = [BotTalks(hub, prepared), Recognising(hub)]
    if bots is not None:
        helpers.insert(0, bots)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await hub.start()
        for helper in helpers:
            helper.start()
        retaining = asyncio.ensure_future(retain(hub))
        yield
        retaining.cancel()
        for helper in reversed(helpers):
            helper.stop()
        await hub.stop()

    return lifespan


async def chart(request: Request) -> Response:
    """Serve the flow chart of a task, to wizards of the task and to the admin."""
    site, task = context_of(request), request.path_params["task"]
    visible = site.admin(request) is not None or any(
        task in site.hub.charts(number) for number in site.sessions(request)
    )
    if not visible:
        return PlainTextResponse("There is no such chart for you.\n", 403)
    schema = site.hub.tasks.get(task)
    if schema is None or not schema.flow.complete:
        return PlainTextResponse("There is no such chart.\n", 404)
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(draw(schema), media_type="image/svg+xml", headers=headers)


async def health(request: Request) -> Response:
    """Report whether the store can write, and numbers of the study."""
    hub = context_of(request).hub
    state = hub.study.state
    report = {
        "status": "ok" if hub.failure is None else "failed",
        "study": hub.study.settings.name,
        "rooms": len(state.open),
        "units": len(state.units),
        "records": state.records,
        "version": dialoom.__version__,
    }
    if hub.failure is None:
        return answer(report)
    return answer({**report, "what": hub.failure}, 503)


async def participants(socket: WebSocket) -> None:
    """Serve a participant's WebSocket."""
    await participate(socket, socket.path_params["link"], context_of(socket))


SOCKETS = WebSocketRoute("/ws/{link}", participants)
