"""The web application of a served agent: its page, its API, and its chat completions.

app = create_chat_app(Chats(store, tasks, settings, agent))
"""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom.serve.chat import api, completions
from dialoom.serve.chat.chats import Chats
from dialoom.serve.headers import SecurityHeaders, policy
from dialoom.serve.hub import now_ms
from dialoom.serve.limits import Buckets, Rate
from dialoom.serve.pages import FOLDER, INDEX, Pages

OWN = Path(__file__).parent / "page"

RATE = Rate(5.0, 60.0)
"""The rate limit of requests of one host."""


class HostRates:
    """The rate limits of hosts."""

    def __init__(self, rate: Rate) -> None:
        self._buckets = Buckets(rate)

    def take(self, host: str) -> float:
        """Count a request of a host; return 0.0, or the seconds until the next one is allowed."""
        return self._buckets.take(host, now_ms())


def create_chat_app(chats: Chats, *, public: str | None = None, rate: Rate = RATE) -> Starlette:
    """Return the application that serves an agent; `public` is its address behind a proxy."""
    pages = Pages(FOLDER, OWN)

    async def index(request: Request) -> Response:
        return pages.answer(INDEX, request)

    async def page(request: Request) -> Response:
        return pages.answer(request.path_params["name"], request)

    app = Starlette(
        routes=[
            Route("/", index),
            Route("/pages/{name:path}", page),
            *api.ROUTES,
            *completions.ROUTES,
        ],
        middleware=[Middleware(SecurityHeaders, policy(), public)],
    )
    app.router.redirect_slashes = False
    app.state.chats, app.state.rates = chats, HostRates(rate)
    app.state.conversations = completions.Conversations(chats)
    return app
