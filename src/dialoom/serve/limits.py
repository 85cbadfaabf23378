"""Limits on clients: sizes, times, and token buckets for rates.

A bucket holds `burst` tokens and gets `rate` new ones a second; what is sent takes one.
"""

from __future__ import annotations

import math
from collections import OrderedDict

import msgspec

LARGEST = 65_536
"""Bytes of a frame, and of a request's body.

Any two texts of `LONGEST_TEXT` characters fit: a character takes at most 12 bytes, as an escaped
surrogate pair.
"""

LARGEST_HEAD = 16_384
"""Bytes of a request's head."""

REQUEST_SECONDS = 10.0
"""Seconds within which a request must have arrived."""

UPLOAD_SECONDS = 60.0
"""Seconds within which a sound must have arrived."""

PIECES = 16
"""The most fragments of a WebSocket message; browsers send one."""

UNREAD = 2**20
"""The most bytes in a client's send buffer; beyond it no more are written."""

UNREAD_SECONDS = 40
"""Seconds after which a client that reads nothing, or does not answer, is disconnected."""

QUEUED = 256
"""The most frames queued for a client; beyond it the client is disconnected as too slow."""

REFUSED_IN_A_ROW = 100
"""Messages in a row over the rate after which the connection is closed."""

HELLO_SECONDS = 10.0
"""Seconds within which a connection must send its first frame."""

ROUNDING = 1e-6
"""Tolerance for rounding errors when a wait is rounded up to hundredths of a second."""

REMEMBERED = 10_000
"""The most hosts whose buckets are kept; the least recently seen one is dropped first."""


class Rate(msgspec.Struct, frozen=True):
    """A rate limit: tokens a second, and the most at once."""

    rate: float
    burst: float


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Rates of messages per connection, and of joins, logins, sounds and talks per host.

    Many people may share a host, such as a class behind one address.
    """

    messages: Rate = Rate(10.0, 30.0)
    joins: Rate = Rate(20.0, 200.0)
    logins: Rate = Rate(5.0 / 60.0, 5.0)
    uploads: Rate = Rate(20.0, 200.0)
    talks: Rate = Rate(5.0, 60.0)


class Bucket:
    """The token bucket of one client."""

    __slots__ = ("_last", "_rate", "_tokens")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._last: int | None = None

    def take(self, now: int) -> float:
        """Take a token at `now` (ms since 1970); return 0.0, or the seconds until there is one."""
        passed = 0 if self._last is None else max(0, now - self._last)
        self._last = now
        self._tokens = min(self._rate.burst, self._tokens + self._rate.rate * passed / 1000)
        if self._tokens >= 1:
            self._tokens -= 1
            return 0.0
        wait = (1 - self._tokens) / self._rate.rate
        return math.ceil(wait * 100 - ROUNDING) / 100


class Buckets:
    """A bucket for each host, as many as `REMEMBERED`."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, host: str, now: int) -> float:
        """Take a token of a host at `now` (ms); return 0.0, or the seconds until there is one."""
        bucket = self._buckets.get(host)
        if bucket is None:
            bucket = self._buckets[host] = Bucket(self._rate)
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(host)
        return bucket.take(now)
