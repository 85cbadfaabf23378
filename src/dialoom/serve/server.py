"""The HTTP server: listens, serves, and finishes what is under way before it stops.

A connection is closed if a request is not complete after `REQUEST_SECONDS` (`UPLOAD_SECONDS` for a
sound), if the client does not read what it is sent while more is written, or if it sends a message
in too many fragments. All that is written to a connection in one iteration of the event loop is
sent with one system call, instead of one for each frame of an answer.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import resource
import signal
import socket
from collections.abc import Iterable
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from dialoom.errors import UsageError, clip
from dialoom.serve.limits import (
    LARGEST,
    LARGEST_HEAD,
    PIECES,
    REQUEST_SECONDS,
    UNREAD,
    UNREAD_SECONDS,
    UPLOAD_SECONDS,
)

if TYPE_CHECKING:
    from h11 import Request

log = logging.getLogger("dialoom.serve")

STOPPING = (signal.SIGINT, signal.SIGTERM)

STOP_SECONDS = 10
"""Seconds that open requests have to finish when the server stops."""

PING_SECONDS = 20.0
"""Seconds between pings of a WebSocket, and until one without an answer is closed."""

GARBAGE = (5_000, 4, 25)
"""Thresholds of the garbage collector: Python's defaults cause pauses of 0.1 s with 500 rooms."""


UPLOADS = "/api/blobs/"
"""Prefix of the addresses of sounds."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, on a free port for 0; `UsageError` if it cannot."""
    if not 0 <= port <= 65535:
        raise UsageError(f"--port {port}: a port is a number from 0 to 65535", code="out-of-range")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except (socket.gaierror, UnicodeError) as error:
        raise UsageError(
            f"--host {clip(host)}: there is no such address", code="no-address"
        ) from error
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        option, code = ("port", "busy")
        if error.errno == errno.EADDRNOTAVAIL:
            option, code = ("host", "no-address")
        what = f"cannot listen on {host}:{port}: {why}; choose another --{option}"
        raise UsageError(what, code=code) from error
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections have it from here
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
    return listening


def address(listening: socket.socket) -> str:
    """Return the address of a listening socket for browsers of this machine."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{host}:{port}"


def proxies(addresses: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses of trusted proxies; `UsageError` for a wrong or too wide one."""
    for each in addresses:
        try:
            everybody = ip_network(each, strict=False).prefixlen == 0
        except ValueError:
            everybody = True
        if everybody:
            right = "right would be the proxy's address, such as 127.0.0.1 or 10.0.0.0/24"
            raise UsageError(f"--trust-proxy {clip(each)}: {right}")
    return tuple(addresses)


class BatchingTransport:
    """A transport that joins writes and sends them once per iteration of the event loop."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Add bytes to those that are sent at the end of the iteration."""
        if not self._held:
            self._loop.call_soon(self._flush)
        self._held.append(data)

    def close(self) -> None:
        """Send what was written, and close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        chunks, self._held = self._held, []
        if not chunks or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() > UNREAD:
            self._transport.abort()
        else:
            self._transport.write(b"".join(chunks))


class HttpProtocol(H11Protocol):
    """HTTP/1.1 with a time limit for each request to arrive."""

    _late: asyncio.TimerHandle | None = None
    _extended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Set up a new connection, and start the time limit of its first request."""
        gathered = BatchingTransport(transport, self.loop)
        super().connection_made(cast(asyncio.Transport, gathered))
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time limit of a connection that was closed."""
        self._expect_nothing()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Start the time limit of the next request."""
        self._extended = False
        self._expect()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Request) -> None:
        """Stop the time limit, and pass the connection on to `WebSocketProtocol`."""
        self._expect_nothing()
        super().handle_websocket_upgrade(event)

    def _expect(self) -> None:
        self._expect_nothing()
        self._late = self.loop.call_later(REQUEST_SECONDS, self.look)

    def _expect_nothing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def look(self) -> None:
        """Close the connection if a request has not arrived in full; a sound has longer."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            self.transport.abort()
        elif cycle.more_body and cycle.scope["path"].startswith(UPLOADS) and not self._extended:
            self._extended = True
            self._late = self.loop.call_later(UPLOAD_SECONDS - REQUEST_SECONDS, self.look)
        elif cycle.more_body:
            self.transport.abort()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSockets with a limit on a message's fragments; a text that is not UTF-8 closes them."""

    _pieces = 0

    def handle_cont(self, event: Frame) -> None:
        """Handle one more fragment of a message."""
        self._pieces = 0 if event.fin else self._pieces + 1
        if self._pieces < PIECES:
            super().handle_cont(event)
        else:  # empty fragments are not caught by uvicorn's limit on the size
            self._fail(CloseCode.MESSAGE_TOO_BIG)

    def send_receive_event_to_app(self) -> None:
        """Pass a complete message to the application."""
        if self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self.frames = []
            self._fail(CloseCode.INVALID_DATA)  # uvicorn would log it as an error of the server
        else:
            super().send_receive_event_to_app()

    def _fail(self, code: CloseCode) -> None:
        self.conn.fail(code)
        self.handle_parser_exception()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class Unproxied:
    """An application whose clients connect directly, so that a proxy's headers are ignored."""

    def __init__(self, app: Starlette) -> None:
        self.app, self._noticed = app, False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, and name the first proxy in the log."""
        if not self._noticed and any(k == b"x-forwarded-for" for k, _ in scope.get("headers", ())):
            self._noticed = True
            peer = (scope.get("client") or ("its address",))[0]
            log.warning(
                "what %s says about other addresses is ignored; if it is your proxy, and all"
                " requests come through it, start with --trust-proxy %s",
                *(peer, peer),
            )
        await self.app(scope, receive, send)


def server(app: Starlette, trusted: Iterable[str] = ()) -> uvicorn.Server:
    """Return the server of an application.

    Links are credentials and part of addresses, so requests are not logged.
    """
    trusted = list(trusted)
    return uvicorn.Server(
        uvicorn.Config(
            app if trusted else Unproxied(app),
            proxy_headers=bool(trusted),
            forwarded_allow_ips=trusted,
            http=HttpProtocol,
            ws=WebSocketProtocol,
            h11_max_incomplete_event_size=LARGEST_HEAD,
            ws_max_size=LARGEST,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            ws_per_message_deflate=False,
            access_log=False,
            log_config=None,  # uvicorn's would close all log handlers that the process has
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
    )


def _raise_limits() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gc.freeze()  # the study's state is never garbage
    gc.set_threshold(*GARBAGE)


def serve(app: Starlette, listening: socket.socket, trusted: Iterable[str] = ()) -> None:
    """Serve until SIGINT or SIGTERM, even one that comes during the start.

    `app.state.stopping` is a function that returns true from then on, for answers without an end.
    """
    _raise_limits()
    running = server(app, trusted)
    app.state.stopping = lambda: running.should_exit
    before = {number: signal.signal(number, running.handle_exit) for number in STOPPING}
    try:
        running.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
