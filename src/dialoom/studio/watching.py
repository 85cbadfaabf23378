"""Server-sent events about the files of the folder that a page shows.

    GET /api/events?path=pizza.yaml&path=shop.csv

The page gets `changed` with the path of each file that was written, made or removed since.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from dialoom.studio.folder import StudioFolder

SECONDS, BEATS = 0.4, 25
"""Seconds between two looks at the files; looks between comments that keep the line open."""

Stamp = tuple[int, int] | None

State = TypeVar("State")


async def events(request: Request) -> Response:
    """Send an event for each change of the files that the address names."""
    folder: StudioFolder = request.app.state.folder
    places = [folder.inside(path) for path in request.query_params.getlist("path")]
    return _streamed(_changes(folder, places, _stopping_of(request)))


def polled(
    request: Request, name: str, look: Callable[[], State], pause: Callable[[State], float]
) -> StreamingResponse:
    """Return an answer that sends a state whenever it is another one, until the server stops.

    `pause` returns the seconds until the next look.
    """

    async def states() -> AsyncIterator[str]:
        last = None
        stopping = _stopping_of(request)
        while not stopping():
            state = await run_in_threadpool(look)
            if state != last:
                last = state
                yield f"event: {name}\ndata: {msgspec.json.encode(state).decode()}\n\n"
            await asyncio.sleep(pause(state))

    return _streamed(states())


def _stopping_of(request: Request) -> Callable[[], bool]:
    check: Callable[[], bool] = getattr(request.app.state, "stopping", lambda: False)
    return check


def _streamed(events: AsyncIterator[str]) -> StreamingResponse:
    return StreamingResponse(events, media_type="text/event-stream")


async def _changes(
    folder: StudioFolder, places: Sequence[Path], stopping: Callable[[], bool]
) -> AsyncIterator[str]:
    before = {place: stamp(place) for place in places}
    yield ": watching\n\n"
    looks = 0
    while not stopping():
        await asyncio.sleep(SECONDS)
        looks += 1
        for place in places:
            now = stamp(place)
            if now != before[place]:
                before[place] = now
                data = msgspec.json.encode({"path": folder.name(place), "there": now is not None})
                yield f"event: changed\ndata: {data.decode()}\n\n"
        if looks % BEATS == 0:
            yield ": still here\n\n"


def stamp(place: Path) -> Stamp:
    """Return the time and size of a file; None if it is not there."""
    try:
        status = place.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
