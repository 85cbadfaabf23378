"""Failures of participants behind a wire: what went wrong, in the words of the server.

Such a failure is no answer: the dialogue has no result, and no figure counts it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from dialoom.errors import DialoomError, clip

if TYPE_CHECKING:
    from httpx import Response

T = TypeVar("T")

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
        pause = 0.0
        try:
            answer = ask()
        except RequestError:
            pass
        else:
            if answer.status_code not in PASSING:
                return answer
            after = answer.headers.get("Retry-After", "")
            pause = min(float(after), LONGEST_WAIT) if after.isdecimal() else 0.0
        wait(max(seconds, pause))
    return ask()


def decoded(data: bytes, kind: type[T]) -> T | None:
    """Return what a message in JSON says, or None where it is no message of this kind."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


REFUSALS = frozenset({401, 403, 404})
"""HTTP statuses after which every later request would fail alike."""

KEYS = ("error", "message", "detail")
"""Keys under which servers put their words, the outer ones first."""

MOST = 10_000
"""Most bytes of a body that are looked at."""

_TAGS = re.compile(r"(?s)<(style|script|head)\b.*?</\1>|<[^<>]*>")


class NoAnswerError(DialoomError):
    """A participant behind a wire did not answer.

    Args:
        status: The HTTP status of the answer; None where there is none.
        final: Whether every later request would fail alike, so that the run ends.
        code: The fault for programs, one of `dialoom.errors.CODES`.
    """

    code = "no-answer"

    def __init__(
        self,
        who: str,
        what: str,
        status: int | None = None,
        *,
        final: bool = False,
        code: str = "",
    ) -> None:
        self.what = ": ".join(filter(None, (_phrase(status), what)))
        super().__init__(f"{who}: {self.what}", code=code)
        self.status, self.final = status, final


def _phrase(status: int | None) -> str:
    if status is None:
        return ""
    return f"{status} {HTTPStatus(status).phrase}" if status in list(HTTPStatus) else str(status)


def unreadable(answer: bytes, kind: type = object) -> str:
    """Return that an answer cannot be read, with its beginning, and why it is none of a kind."""
    why = ""
    try:
        msgspec.json.decode(answer, type=kind)
    except msgspec.ValidationError as error:
        why = f": {error}"
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass
    return f"cannot be read: {clip(answer[:MOST].decode(errors='replace'))!r}{why}"


def words(body: bytes) -> str:
    """Return what a server says in the body of an error, shortened: the message in JSON or HTML."""
    error: Any = decoded(body, object)
    while isinstance(error, dict):
        error = next((error[key] for key in KEYS if error.get(key)), None)
    text = error if isinstance(error, str) else _TAGS.sub(" ", body[:MOST].decode(errors="replace"))
    return clip("".join(filter(_shown, text)))


def _shown(letter: str) -> bool:
    return letter.isprintable() or letter.isspace()
