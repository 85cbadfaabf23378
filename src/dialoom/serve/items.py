"""The admin's interface to the items of a running study."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from dialoom.collect.log.change import Change
from dialoom.collect.study import administration
from dialoom.collect.study.study import Study
from dialoom.serve.context import context_of
from dialoom.serve.responses import answer, body


class Arrangement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that withdraws an item or sets its priority; what is left out is unchanged."""

    priority: int | None = None
    withdrawn: bool | None = None


class NewItems(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that adds items: lines of a file of outputs, or native dialogues."""

    items: tuple[dict[str, Any], ...]


async def list_items(request: Request) -> Response:
    """Answer with the items of people who work alone."""
    return answer(list(administration.listed(context_of(request).hub.study)))


async def arrange(request: Request) -> Response:
    """Withdraw an item, or set its priority."""
    order, item = await body(request, Arrangement), request.path_params["item"]
    return await act(
        request, lambda study, now: administration.arrange(study, item, now, **asdict(order))
    )


async def add_items(request: Request) -> Response:
    """Add items to a stage."""
    batch, stage = await body(request, NewItems), request.path_params["stage"]
    return await act(request, lambda study, now: administration.add(study, stage, batch.items, now))


async def act(request: Request, command: Callable[[Study, int], Change]) -> Response:
    """Carry out a command, and answer once it is written."""
    await context_of(request).hub.write(command)
    return answer({"ok": True})
