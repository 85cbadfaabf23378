"""uvicorn's protocols with limits for slow clients, and with writes joined per loop iteration.

A connection is closed if a request is not complete after `REQUEST_SECONDS` (`UPLOAD_SECONDS` for a
sound), if the client does not read what it is sent while more is written, or if it sends a message
in too many fragments. All that is written to a connection in one iteration of the event loop is
sent with one system call, instead of one for each frame of an answer.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from dialoom.serve.limits import PIECES, REQUEST_SECONDS, UNREAD, UPLOAD_SECONDS

if TYPE_CHECKING:
    from h11 import Request

UPLOADS = "/api/blobs/"
"""Prefix of the addresses of sounds."""


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
