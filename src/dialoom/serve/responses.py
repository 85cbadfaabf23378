"""Reads JSON bodies of HTTP requests within a size limit; makes JSON responses and refusals."""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address
from typing import Any, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response

from dialoom.collect.message import Refused
from dialoom.serve.limits import LARGEST, Buckets

STATUS = {
    "malformed": 400,
    "id_wanted": 400,
    "language_wanted": 400,
    "too_long": 400,
    "login": 401,
    "wrong_token": 401,
    "not_allowed": 403,
    "unknown": 404,
    "already_in": 409,
    "too_large": 413,
    "bad_media": 415,
    "bad_digest": 422,
    "slow_down": 429,
    "failed": 502,
    "unavailable": 503,
    "internal": 500,
}
"""Code of a refusal to its HTTP status; the caller of `refusal` gives that of other codes."""

OPENAI = "/v1/"
"""Prefix of the addresses whose clients read the reason of a refusal in `error`."""

_HALF = re.compile(rb"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]")
"""Half of a pair of escapes (UTF-16 surrogates), which is no character."""

T = TypeVar("T")

Handler = Callable[[Request], Awaitable[Response]]


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty body."""


def answer(value: Any, status: int = 200) -> Response:
    """Return a response with a value as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def refusal(refused: Refused, other: int = 403, path: str = "") -> Response:
    """Return a response with a refusal as JSON, with the status of its code, or else `other`.

    Args:
        path: The address of the request; those of OpenAI's format have the reason also in `error`.
    """
    body = {**refused.detail, "code": refused.code, "what": refused.what}
    if path.startswith(OPENAI):
        body["error"] = {"message": refused.what, "code": refused.code}
    response = answer(body, STATUS.get(refused.code, other))
    if "retry_after" in refused.detail:
        response.headers["Retry-After"] = str(math.ceil(refused.detail["retry_after"]))
    return response


def answered(handler: Handler, other: int = 403) -> Handler:
    """Return a handler whose refusals are answered as `refusal` does."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            return refusal(refused, other, request.url.path)

    return endpoint


async def unserved(request: Request, error: Exception) -> Response:
    """Return the response for an unknown address or a wrong method; JSON in the APIs."""
    if not isinstance(error, HTTPException):
        raise error
    path, status, headers = request.url.path, error.status_code, error.headers
    if not path.startswith(("/api/", OPENAI)):
        return PlainTextResponse(error.detail, status, headers)
    code = {404: "unknown", 405: "wrong_method"}.get(status, "malformed")
    response = refusal(Refused(code, f"{request.method} {path}: {error.detail}"), status, path)
    response.headers.update(headers or {})
    return response


async def data(request: Request, largest: int) -> bytes:
    """Return a body's bytes; `Refused` if over `largest` (`too_large`) or cut off."""
    sent = bytearray()
    try:
        async for chunk in request.stream():
            sent += chunk
            if len(sent) > largest:
                raise Refused("too_large", f"A body has at most {largest} bytes.")
    except ClientDisconnect as error:  # the answer goes nowhere, but the request has to end
        raise Refused("malformed", "The request was broken off.") from error
    return bytes(sent)


async def body(request: Request, kind: type[T], largest: int = LARGEST) -> T:
    """Return a body as JSON of a type; `Refused` if over `largest` (`too_large`) or `malformed`."""
    sent = await data(request, largest)
    try:
        return msgspec.json.decode(sent or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        what = "a text has half of a surrogate pair" if _HALF.search(sent) else error
        raise Refused("malformed", f"not what is described: {what}") from error


def check_rate(buckets: Buckets, connection: HTTPConnection, now: int) -> None:
    """Raise `Refused` (`slow_down`) for a host with too many requests; `now` is in ms."""
    if wait := buckets.take(host(connection), now):
        raise Refused("slow_down", "Too many requests at once.", retry_after=wait)


def host(connection: HTTPConnection) -> str:
    """Return the client's host, for limits; "" where it is unknown.

    A network of IPv6 (64 bits) is one host: its owner may take any address in it.
    """
    text = connection.client.host if connection.client is not None else ""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if not isinstance(address, IPv6Address):
        return text
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"
