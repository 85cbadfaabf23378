"""Requests to a remote participant over HTTP: limited in time, repeated on failure, and metered.

A request that fails for the moment is repeated after growing waits, or after the wait that the
server asks for; its header `Idempotency-Key` stays the same, so that a server does nothing twice.
The last failure raises `NoAnswerError` with the server's own words.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import finalize

from dialoom.errors import MissingExtraError, UsageError, clip
from dialoom.http.failure import REFUSALS, NoAnswerError, answered, words
from dialoom.http.metering import Meter

if TYPE_CHECKING:
    import httpx

LONGEST = 1 << 26
"""Most bytes of an answer."""

WAITS = (0.5, 2.0, 8.0)
"""Seconds to wait before each repetition of a request that failed for the moment."""

_SECRET = re.compile(r"https?://[^/?#]*@")
"""The beginning of an address with a name or a password."""

_OPENING = Lock()
"""Held while a client is made: threads that load certificates at the same time can crash Python."""


class WebClient:
    """Makes requests to one address.

    Attributes:
        waits: Seconds to wait before each repetition.
        wait: Waits so many seconds.
        transport: The httpx transport, for tests; None for the network.
    """

    def __init__(self, url: str, option: str) -> None:
        if not url.startswith(("http://", "https://")):
            what = f"should be an http address, such as http://localhost:8000, not {clip(url)!r}"
            raise UsageError(f"{option}: {what}", code="no-address")
        if (
            _SECRET.match(url) is not None
        ):  # never quoted: runs and messages would keep the password
            what = "leave name and password out of the address; a header may have them, such as"
            raise UsageError(
                f"{option}: {what} headers.Authorization=$VARIABLE in the settings of requests",
                code="wrong-value",
            )
        self._url, self._who = url, f"{option} {url}"
        self.waits: tuple[float, ...] = WAITS
        self.wait: Callable[[float], Any] = time.sleep
        self.transport: httpx.BaseTransport | None = None
        self._client: httpx.Client | None = None
        self._reached = False

    def ready(self) -> None:
        """Raise `MissingExtraError` unless httpx is installed."""
        if find_spec("httpx") is None:
            raise MissingExtraError("a participant over HTTP", "llm")

    def post(
        self,
        path: str,
        message: dict[str, Any],
        meter: Meter,
        headers: dict[str, str] | None = None,
    ) -> bytes:
        """Return the body of the answer; `NoAnswerError` after the last try, or `BudgetError`."""
        import httpx

        sent = {"Idempotency-Key": uuid4().hex, **(headers or {}), **meter.settings.sent}

        def ask() -> httpx.Response:
            with meter.request():
                return self._ask(path, message, meter, sent)

        try:
            answer = answered(ask, self.waits, self.wait)
        except httpx.TimeoutException:
            raise self.failed(f"no answer within {meter.timeout:g} s", code="too-late") from None
        except httpx.ConnectError as error:
            raise self._unreached(error) from error
        except httpx.RequestError as error:
            raise self.failed(clip(str(error) or type(error).__name__)) from error
        if not answer.is_success:
            raise self.failed(words(answer.content), answer.status_code)
        return answer.content

    def failed(self, what: str, status: int | None = None, *, code: str = "") -> NoAnswerError:
        """Return the error of a request that failed."""
        final = status in REFUSALS
        return NoAnswerError(self._who, what, status, final=final, code=code)

    def _ask(
        self, path: str, message: dict[str, Any], meter: Meter, headers: dict[str, str]
    ) -> httpx.Response:
        import httpx

        with _OPENING:
            if self._client is None:
                self._client = httpx.Client(transport=self.transport)
                finalize(self, self._client.close)
        base, mark, rest = self._url.partition("?")
        url = f"{base.rstrip('/')}{path}{mark}{rest}" if path else self._url
        deadline = time.monotonic() + meter.timeout
        try:
            query, address = meter.settings.query, httpx.URL(url)
            address = address.copy_merge_params(query) if query else address
            with self._client.stream(
                "POST", address, json=message, headers=headers, timeout=meter.timeout
            ) as answer:
                response = self._whole(answer, deadline)
        except httpx.LocalProtocolError:  # its words quote the header, which may be a key
            what = "the request has a header that HTTP does not allow"
            raise NoAnswerError(self._who, what, final=True, code="wrong-value") from None
        except httpx.InvalidURL as error:
            raise self._unreached(error) from error
        except httpx.ConnectError as error:
            if self._reached:  # the server may be starting again
                raise
            raise self._unreached(error) from error
        self._reached = True
        return response

    def _whole(self, answer: httpx.Response, deadline: float) -> httpx.Response:
        """Return an answer with its body; httpx limits only the time of each piece."""
        import httpx

        body = bytearray()
        for piece in answer.iter_bytes():
            body += piece
            if len(body) > LONGEST:
                raise self.failed(f"answers more than {LONGEST} bytes", code="over-limit")
            if time.monotonic() > deadline:
                raise httpx.ReadTimeout("late", request=answer.request)
        headers = {"Retry-After": answer.headers.get("Retry-After", "")}
        return httpx.Response(answer.status_code, headers=headers, content=bytes(body))

    def _unreached(self, error: Exception) -> NoAnswerError:
        what = f"nobody answers: {clip(str(error))}"
        return NoAnswerError(self._who, what, final=True, code="unreachable")
