"""Makes a route of a function that takes the folder and a message, and returns a JSON value.

ROUTES = [reads("/api/tasks/file", FileOf, read), acts("/api/tasks/save", Save, save)]

`reads` takes the message from the address, `acts` from the body of a POST. The function runs in a
thread, so that it may take long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom.collect.message import Refused
from dialoom.serve.responses import answer, body
from dialoom.studio.folder import StudioFolder

LARGEST = 8_000_000
"""Bytes of a message: a task file as JSON, all of whose characters are escaped."""

T = TypeVar("T")
Work = Callable[[StudioFolder, T], Any]


def reads(path: str, wanted: type[T], work: Work[T]) -> Route:
    """Return a GET route whose message is made of the address's parameters."""

    async def endpoint(request: Request) -> Response:
        try:
            asked = msgspec.convert(dict(request.query_params), wanted, strict=False)
        except msgspec.ValidationError as error:
            raise Refused("malformed", f"{path}: {error}") from error
        return await _done(request, work, asked)

    return Route(path, endpoint)


def acts(path: str, wanted: type[T], work: Work[T]) -> Route:
    """Return a POST route whose message is its JSON body."""

    async def endpoint(request: Request) -> Response:
        return await _done(request, work, await body(request, wanted, LARGEST))

    return Route(path, endpoint, methods=["POST"])


async def _done(request: Request, work: Work[T], message: T) -> Response:
    folder: StudioFolder = request.app.state.folder
    return answer(await run_in_threadpool(work, folder, message))
