"""Listens, serves, and stops well: what is under way is written and told, then all is closed."""

from __future__ import annotations

import gc
import os
import signal
import socket

import uvicorn
from fastapi import FastAPI

from dialoom.errors import UsageError, clip
from dialoom.serve.limits import LARGEST

STOPPING = (signal.SIGINT, signal.SIGTERM)

STOP_SECONDS = 10
"""How long requests under way are waited for."""

PING_SECONDS = 20.0


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes any that is free.

    Raises:
        UsageError: The port is taken, or the host is none of this machine.
    """
    if not 0 <= port <= 65535:
        raise UsageError(f"--port {port}: a port is a number from 0 to 65535")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except (socket.gaierror, UnicodeError) as error:
        raise UsageError(f"--host {clip(host)}: there is no such address") from error
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise UsageError(f"cannot listen on {host}:{port}: {why}; choose another --port") from error


def address(listening: socket.socket) -> str:
    """Return the address of a listening socket for browsers of this machine."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{host}:{port}"


def server(app: FastAPI) -> uvicorn.Server:
    """Return the server of an application.

    Links are credentials and part of addresses, so requests are not logged.
    """
    return uvicorn.Server(
        uvicorn.Config(
            app,
            ws="websockets-sansio",
            ws_max_size=LARGEST,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            ws_per_message_deflate=False,
            access_log=False,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
    )


def serve(app: FastAPI, listening: socket.socket) -> None:
    """Serve until a signal to stop comes, however early."""
    gc.freeze()  # what the log told stays: looking through it again and again would stop the world
    running = server(app)
    before = {number: signal.signal(number, running.handle_exit) for number in STOPPING}
    try:
        running.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
