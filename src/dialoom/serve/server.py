"""The HTTP server: listens, serves, and finishes what is under way before it stops."""

from __future__ import annotations

import errno
import gc
import logging
import os
import resource
import signal
import socket
from collections.abc import Iterable
from ipaddress import ip_network

import uvicorn
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from dialoom.errors import UsageError, clip
from dialoom.serve.limits import LARGEST, LARGEST_HEAD, UNREAD_SECONDS
from dialoom.serve.transport import HttpProtocol, WebSocketProtocol

log = logging.getLogger("dialoom.serve")

STOPPING = (signal.SIGINT, signal.SIGTERM)

STOP_SECONDS = 10
"""Seconds that open requests have to finish when the server stops."""

PING_SECONDS = 20.0
"""Seconds between pings of a WebSocket, and until one without an answer is closed."""

GARBAGE = (5_000, 4, 25)
"""Thresholds of the garbage collector: Python's defaults cause pauses of 0.1 s with 500 rooms."""


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
    """Raise the limit of open connections, and make the garbage collector run less often."""
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
