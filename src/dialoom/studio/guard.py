"""Middleware that refuses every request without the token, and those for other hosts.

The link that the command prints has the token; opening it sets a cookie. Programs send the token as
`Authorization: Bearer TOKEN`. A page of another site that points its own name at this machine (DNS
rebinding) sends that name as Host, which is refused.
"""

from __future__ import annotations

import hashlib
import hmac

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost", "::1")
"""The names by which this machine may be addressed."""

PARAMETER = "token"
"""The parameter of the link that holds the token."""

BEARER = "Bearer "


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
        """Return the answer to a request that is not let through; None for one that is."""
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
