"""Erasure of people while a study is served: by themselves, by the admin, or after retention."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from dialoom.collect.account import person
from dialoom.collect.log.change import Change
from dialoom.collect.log.record import is_named
from dialoom.collect.message import Refused
from dialoom.collect.study import administration
from dialoom.collect.study.study import Study
from dialoom.errors import DialoomError
from dialoom.serve.context import context_of
from dialoom.serve.hub import Hub
from dialoom.serve.responses import Nothing, answer, answered, body, check_rate

log = logging.getLogger("dialoom.serve")

ROUND_SECONDS = 3600.0
"""Seconds between two checks for workers whose retention period is over."""


async def erase(hub: Hub, workers: Sequence[str]) -> None:
    """End the assignments of some workers, and erase the workers.

    Raises:
        Refused: `unknown`: no worker has such an id; `unavailable`: the store cannot write;
            `not_erased`: another program holds the database, so that traces are left in its files.
    """

    def leave(study: Study, now: int) -> Change:
        change = Change()
        for worker in workers:
            change += administration.withdraw(study, worker, now)
        return change

    try:
        await hub.rebuild(leave, lambda: hub.store.erase(workers).result())
    except DialoomError as error:
        raise Refused("not_erased", str(error)) from error


@answered
async def withdraw(request: Request) -> Response:
    """Erase the worker who sends the request, known by the cookie of their link."""
    site = context_of(request)
    check_rate(site.joins, request, site.hub.now())
    await body(request, Nothing)
    worker = site.hub.study.assignment(site.assignment(request)).worker
    if is_named(worker):  # else they are erased already
        await erase(site.hub, [worker])
    return answer({"ok": True})


async def erase_worker(request: Request) -> Response:
    """Erase a worker by the admin's decision."""
    await body(request, Nothing)
    await erase(context_of(request).hub, [request.path_params["worker"]])
    return answer({"ok": True})


async def records(request: Request) -> Response:
    """Answer with all data of a worker."""
    hub, worker = context_of(request).hub, request.path_params["worker"]
    record = await asyncio.to_thread(person, hub.study, hub.store, worker)
    response = answer(record)
    response.headers["Content-Disposition"] = 'attachment; filename="person.json"'
    return response


async def retain(hub: Hub) -> None:
    """Erase workers whose retention period is over, every `ROUND_SECONDS`, until cancelled."""
    while True:
        workers = [] if hub.failure is not None else administration.expired(hub.study, hub.now())
        if workers:
            try:
                await erase(hub, workers)
            except Refused as refused:
                log.error("workers could not be erased: %s", refused.what)
        await asyncio.sleep(ROUND_SECONDS)
