"""Answers of servers: asked for again after failures that may pass, and decoded.

answer = answered(lambda: client.post("chat/completions", json=request), (0.5, 2.0, 8.0))
decoded(answer.content, ChatCompletion)      # None where it is no such message
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from httpx import Response

PASSING = frozenset({408, 409, 429, 500, 502, 503, 504})
"""HTTP statuses of failures that may pass, after which a request is made again."""

LONGEST_WAIT = 60.0
"""Upper limit (s) of a wait that a server asks for by `Retry-After`."""


def answered(
    ask: Callable[[], Response],
    waits: Iterable[float],
    wait: Callable[[float], Any] = time.sleep,
) -> Response:
    """Return a request's answer, asked again after `waits` (s) or as the server says."""
    from httpx import RequestError

    for seconds in waits:
        asked = 0.0
        try:
            answer = ask()
        except RequestError:
            pass
        else:
            if answer.status_code not in PASSING:
                return answer
            after = answer.headers.get("Retry-After", "")
            asked = min(float(after), LONGEST_WAIT) if after.isdecimal() else 0.0
        wait(max(seconds, asked))
    return ask()


def decoded(data: bytes, kind: Any) -> Any:
    """Return what a message in JSON says, or None where it is no message of this kind."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
