"""Makes a route of a function that takes the folder and a message, and returns a JSON value.

ROUTES = [reads("/api/tasks/file", FileOf, read), acts("/api/tasks/save", Save, save)]

`reads` takes the message from the address, `acts` from the body of a POST. The function runs in a
thread, so that it may take long. One that needs much is named ("dialoom.studio.tasks.trying:talk"),
and imported soon after the server has started.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Concatenate, TypeVar

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
Work = Callable[Concatenate[StudioFolder, T, ...], Any] | str

NAMED: set[str] = set()
"""Functions of routes that are imported later."""


def reads(path: str, kind: type[T], work: Work[T]) -> Route:
    """Return a GET route whose message is made of the address's parameters."""

    _noted(work)

    async def endpoint(request: Request) -> Response:
        try:
            message = msgspec.convert(dict(request.query_params), kind, strict=False)
        except msgspec.ValidationError as error:
            raise Refused("malformed", f"{path}: {error}") from error
        return await _done(request, work, message)

    return Route(path, endpoint)


def acts(path: str, kind: type[T], work: Work[T], state: str = "") -> Route:
    """Return a POST route whose message is its JSON body.

    Args:
        state: The name of a state of the application, which the function gets as well.
    """

    _noted(work)

    async def endpoint(request: Request) -> Response:
        states = [getattr(request.app.state, state)] if state else []
        return await _done(request, work, await body(request, kind, LARGEST), *states)

    return Route(path, endpoint, methods=["POST"])


async def _done(request: Request, work: Work[T], message: T, *states: Any) -> Response:
    folder: StudioFolder = request.app.state.folder
    return answer(await run_in_threadpool(lambda: _called(work)(folder, message, *states)))


def warm() -> None:
    """Import the functions of routes that are named, so that the first request does not wait."""
    for name in NAMED:
        _called(name)


def _called(work: Work[Any]) -> Callable[..., Any]:
    if not isinstance(work, str):
        return work
    module, _, name = work.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def _noted(work: Work[Any]) -> None:
    if isinstance(work, str):
        NAMED.add(work)
