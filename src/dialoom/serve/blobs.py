"""Receives and serves the sounds of spoken dialogues over HTTP, by the SHA-256 of their bytes."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from dialoom.collect.kinds.room.sounds import Sound
from dialoom.collect.kinds.room.speech import largest
from dialoom.collect.log.change import Blob
from dialoom.collect.message import Refused
from dialoom.collect.study import sounds
from dialoom.serve.context import context_of
from dialoom.serve.hub import Hub
from dialoom.serve.responses import answer, check_rate, data, refusal


async def put(request: Request) -> Response:
    """Receive a sound, and answer when it is stored on the disk."""
    site = context_of(request)
    try:
        number = site.assignment(request)
        check_rate(site.uploads, request, site.hub.now())
        await _take(site.hub, request, number)
    except Refused as refused:
        return refusal(refused)
    return answer({"ok": True})


async def _take(hub: Hub, request: Request, number: int) -> None:
    digest = request.path_params["digest"]
    hub.check_writable()
    sounds.check(hub.study, number, digest)
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    held = await data(request, largest(hub.study.settings.speech))
    sound = Sound(digest, media, held)
    await hub.write(lambda study, now: sounds.receive(study, number, sound, now))


async def get(request: Request) -> Response:
    """Serve a sound to a person who may hear it."""
    site = context_of(request)
    try:
        number = site.assignment(request)
        units, digest = list(sounds.audible(site.hub.study, number)), request.path_params["digest"]
        known = sounds.of_gold(site.hub.study, number, digest)
        if known is not None:
            return Response(known.data, media_type=known.media)
        return await _found(site.hub, units, digest)
    except Refused as refused:
        return refusal(refused)


async def get_any(request: Request) -> Response:
    """Serve a sound to the admin."""
    hub, asked = context_of(request).hub, request.path_params
    return await _found(hub, [asked["unit"]], asked["digest"])


async def _found(hub: Hub, units: list[int], digest: str) -> Response:
    def read() -> Blob | None:
        found = (hub.store.blob(unit, digest) for unit in units)
        return next((each for each in found if each is not None), None)

    sent = await asyncio.to_thread(read)
    if sent is None:
        raise Refused("unknown", "There is no such sound for you.")
    return Response(sent.data, media_type=sent.media)
