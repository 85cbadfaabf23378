"""The WebSocket of a participant: `hello` first, then messages in and frames out.

Size, rate and form of every frame from a client are checked before the hub gets it.
"""

from __future__ import annotations

import asyncio
import logging
import re
from functools import partial
from typing import Any, Literal

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from dialoom.collect.kinds.decoding import decode
from dialoom.collect.message import Refused
from dialoom.serve.connection import (
    FAULT,
    NO_HELLO,
    NO_SESSION,
    NOT_THEIRS,
    TOO_FAST,
    TOO_LARGE,
    Connection,
    refused,
)
from dialoom.serve.context import AppContext
from dialoom.serve.headers import same_origin
from dialoom.serve.hub import Hub
from dialoom.serve.limits import HELLO_SECONDS, LARGEST, REFUSED_IN_A_ROW
from dialoom.serve.responses import host
from dialoom.serve.updates import Hello

log = logging.getLogger("dialoom.serve")


class _Head(msgspec.Struct):
    type: Any = ""
    client_msg_id: Any = None


NO_JSON = (msgspec.DecodeError, UnicodeError, RecursionError)
"""The errors of decoding a frame; the last one is for JSON that is nested too deep."""

_HEAD = msgspec.json.Decoder(_Head)


class _HelloFrame(Hello, frozen=True, kw_only=True):
    type: Literal["hello"]


_HELLO = msgspec.json.Decoder(_HelloFrame)

_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.")
"""An escape of JSON: a surrogate pair, half of one, or any other."""


async def participate(socket: WebSocket, link: str, site: AppContext) -> None:
    """Serve one WebSocket, not accepted yet, until it is closed."""
    hub, number = site.hub, site.session(socket, link)
    if not same_origin(socket.headers, site.public):
        await socket.close()  # before it is accepted: answered with 403
        return
    await socket.accept()
    ours = site.signer.read_link(link)
    if number is None or ours is None:
        await socket.close(NO_SESSION)  # accepted first: scripts cannot see an HTTP status
        return
    site.see(number, ours, host(socket))
    acknowledged = partial(hub.store.reached, "after_acknowledgement", None)
    connection = Connection(socket, number, site.limits.messages, acknowledged)
    reading = asyncio.ensure_future(_read(socket, connection, hub))
    reading.add_done_callback(lambda _: _leave(connection, hub))
    try:
        await connection.write()
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


def _leave(connection: Connection, hub: Hub) -> None:
    hub.detach(connection)
    connection.left()


async def _read(socket: WebSocket, connection: Connection, hub: Hub) -> None:
    try:
        first = await asyncio.wait_for(_receive(socket, connection), HELLO_SECONDS)
        if first is None or not _greet(first, connection, hub):
            return
        while not connection.closing:
            text = await _receive(socket, connection)
            if text is not None:
                await _frame(text, connection, hub)
    except TimeoutError:
        connection.close(NO_HELLO)
    except WebSocketDisconnect:
        pass
    except Exception:  # a bug must end this connection only, and is logged
        log.exception("a connection ended by a fault of ours")
        connection.close(FAULT)


async def _receive(socket: WebSocket, connection: Connection) -> str | None:
    """Return the next frame; None where the connection must be closed because of it."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text: str | None = message.get("text")
    if text is None:
        connection.close(NO_HELLO)
        return None
    if len(text) > LARGEST or len(text.encode()) > LARGEST:
        connection.close(TOO_LARGE)
        return None
    return text


def _greet(text: str, connection: Connection, hub: Hub) -> bool:
    try:
        hello = _HELLO.decode(text)
    except NO_JSON:
        connection.close(NO_HELLO)
        return False
    if not 0 <= (hello.generation or 0) < 2**53:
        connection.close(NO_HELLO)
        return False
    if hello.seat_token is not None and not hub.is_seat_token(connection, hello.seat_token):
        connection.close(NOT_THEIRS)
        return False
    return hub.attach(connection, hello)


async def _frame(text: str, connection: Connection, hub: Hub) -> None:
    try:
        head, text = _head(text)
    except NO_JSON:
        connection.close(NO_HELLO)
        return
    wait = connection.bucket.take(hub.now())
    if wait:
        _throttle(connection, head, wait)
        return
    connection.refused_in_a_row = 0
    if head.type == "hello":
        connection.close(NO_HELLO)
    elif head.type == "ping":
        connection.send({"type": "pong", "now": hub.now()})
    else:
        await _message(text, head, connection, hub)


def _head(text: str) -> tuple[_Head, str]:
    """Return a frame's head, and the frame as it can be read.

    A browser's script writes half of a surrogate pair, as a cut emoji leaves it, as an escape that
    is no text in UTF-8. Were such a frame not taken, its client would send it for ever.
    """
    try:
        return _HEAD.decode(text), text
    except NO_JSON:
        text = _ESCAPE.sub(_replaced, text)
        return _HEAD.decode(text), text


def _replaced(escape: re.Match[str]) -> str:
    """Return an escape, or that of U+FFFD for half of a surrogate pair."""
    text = escape[0]
    return r"\ufffd" if len(text) == 6 else text


async def _message(text: str, head: _Head, connection: Connection, hub: Hub) -> None:
    try:
        await hub.handle(connection, decode(text))
    except Refused as refusal:
        hub.refuse(connection, _client(head), refusal)
    except Exception:  # a bug must not take the connection, and is not to be sent again
        log.exception("a message of type %.20r failed", head.type)
        fault = Refused("internal", "The server could not carry this out.")
        hub.refuse(connection, _client(head), fault)


def _throttle(connection: Connection, head: _Head, wait: float) -> None:
    connection.refused_in_a_row += 1
    if connection.refused_in_a_row >= REFUSED_IN_A_ROW:
        connection.close(TOO_FAST)
        return
    seconds: dict[str, Any] = {"retry_after": wait}
    slow = Refused("slow_down", "Too many messages at once.", **seconds)
    connection.send(refused(_client(head), slow))


def _client(head: _Head) -> str | None:
    client = head.client_msg_id
    return client if isinstance(client, str) and len(client) <= 64 else None
