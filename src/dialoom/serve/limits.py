"""Limits on clients: sizes, times, and token buckets for rates.

    bucket = Bucket(Limits().messages)
    bucket.take(now)            # seconds to wait; 0.0 where it is allowed

A bucket holds `burst` tokens and gets `rate` new ones a second; what is sent takes one.
"""

from __future__ import annotations

import math
from collections import OrderedDict

import msgspec

LARGEST = 4096
"""Bytes of a frame, and of a request's body."""

LARGEST_HEAD = 16_384
"""Bytes of a request's head."""

REQUEST_SECONDS = 10.0
"""How long a request may take to come."""

UPLOAD_SECONDS = 60.0
"""How long a sound may take to come."""

PIECES = 16
"""Pieces that a message may come in; browsers send it in one."""

UNREAD = 2**20
"""Bytes a client has not taken, from which on nothing more is sent to it."""

UNREAD_SECONDS = 40
"""How long a client may take nothing of what it is sent, or be gone without a word."""

QUEUED = 256
"""Frames that wait for a client before it is taken to be too slow."""

REFUSED_IN_A_ROW = 100
"""Messages over the rate, one after the other, after which the connection is closed."""

HELLO_SECONDS = 10.0
"""How long a connection may be silent before its first frame."""

ROUNDING = 1e-6
"""What numbers may be off by: a wait is told in whole hundredths of a second, never too short."""

REMEMBERED = 10_000
"""Hosts whose buckets are kept; the one longest unseen goes first."""


class Rate(msgspec.Struct, frozen=True):
    """A rate limit: tokens a second, and the most at once."""

    rate: float
    burst: float


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Rates of messages per connection; of joins, logins and sounds per host (perhaps a class)."""

    messages: Rate = Rate(10.0, 30.0)
    joins: Rate = Rate(20.0, 200.0)
    logins: Rate = Rate(5.0 / 60.0, 5.0)
    uploads: Rate = Rate(20.0, 200.0)


class Bucket:
    """One client's bucket. Times are milliseconds."""

    __slots__ = ("_last", "_rate", "_tokens")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._last: int | None = None

    def take(self, now: int) -> float:
        """Take a token; return 0.0, or in how many seconds there is one."""
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
        """Take a token of this host; return 0.0, or in how many seconds there is one."""
        bucket = self._buckets.get(host)
        if bucket is None:
            bucket = self._buckets[host] = Bucket(self._rate)
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(host)
        return bucket.take(now)
