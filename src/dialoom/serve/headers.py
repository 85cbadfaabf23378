"""Security headers of every response, and the same-origin check of every request that acts.

The pages have no inline script and no inline style; the flow charts' own style sheet is allowed by
its digest. Links are credentials, so no address is passed on to other sites.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dialoom.collect.message import Refused
from dialoom.schema.flowchart import STYLE
from dialoom.serve.responses import refusal

SAFE = ("GET", "HEAD", "OPTIONS")

FIXED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

JOINING = "/join/"
"""The prefix of the addresses of pages that a recruiter may show in a frame."""


def policy(
    videos: Iterable[str] = (),
    sites: Iterable[str] = (),
    *,
    pictures: Iterable[str] = (),
    speaks: bool = False,
) -> str:
    """Return the Content-Security-Policy of a study's pages.

    Args:
        sites: Origins that may show the pages in a frame, and that their forms may be posted to.
        speaks: Whether the study has spoken dialogues, whose recordings are played from memory.
    """
    others = " ".join(sites) or "'none'"
    hosts, images = (
        sorted({_origin(each) for each in addresses} - {""}) for addresses in (videos, pictures)
    )
    style = b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    frames = " ".join(("'self'", *hosts))
    media = f"{frames} blob:" if speaks else frames
    return "; ".join(
        (
            "default-src 'self'",
            "script-src 'self'",
            f"style-src 'self' 'sha256-{style}'",
            " ".join(("img-src 'self' data:", *images)),
            "font-src 'self'",
            "connect-src 'self'",
            f"media-src {media}",
            f"frame-src {frames}",
            "object-src 'none'",
            "base-uri 'none'",
            f"form-action {others}",
            f"frame-ancestors {others}",
        )
    )


def _origin(address: str) -> str:
    parts = urlsplit(address)
    ours = parts.scheme in ("http", "https") and parts.netloc.isprintable()
    safe = ours and not set(parts.netloc) & set(" ;,'\"*@")
    return f"{parts.scheme}://{parts.netloc}" if safe and parts.netloc else ""


def same_origin(headers: Headers, public: str | None = None) -> bool:
    """True if a request is from a page of this host (`public` behind a proxy) or from no page."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    host = urlsplit(origin).netloc.lower()
    hosts = {headers.get("host", "").lower()}
    if public is not None:
        hosts.add(urlsplit(public).netloc.lower())
    return bool(host) and host in hosts


class SecurityHeaders:
    """Middleware that adds security headers and refuses requests caused by other sites.

    Args:
        public: The public address of the server, if it is behind a proxy.
        joining: The policy of pages that may be shown in a frame, if another.
        framed: The prefix of the addresses of those pages.
        speaks: Whether pages may use the microphone.
    """

    def __init__(
        self,
        app: ASGIApp,
        policy: str,
        public: str | None = None,
        joining: str | None = None,
        *,
        speaks: bool = False,
        framed: str = JOINING,
    ) -> None:
        self.app, self.public, self.joining, self.framed = app, public, joining, framed
        self.headers = {**FIXED, "Content-Security-Policy": policy}
        if speaks:
            allowed = FIXED["Permissions-Policy"].replace("microphone=()", "microphone=(self)")
            self.headers["Permissions-Policy"] = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        joining = self.joining if scope["path"].startswith(self.framed) else None

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                if joining is not None:
                    del headers["X-Frame-Options"]  # the policy says by whom
                    headers["Content-Security-Policy"] = joining
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        if scope["method"] in SAFE or same_origin(Headers(scope=scope), self.public):
            await self.app(scope, receive, guarded)
        else:
            refused = Refused("cross_origin", "The request comes from a page of another site.")
            await refusal(refused, path=scope["path"])(scope, receive, guarded)
