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
from dialoom.serve.responses import answer, answered, check_rate, data


@answered
async def put(request: Request) -> Response:
    """Receive a sound, and answer when it is stored on the disk."""
    site, digest = context_of(request), request.path_params["digest"]
    hub, number = site.hub, site.assignment(request)
    check_rate(site.uploads, request, hub.now())
    hub.check_writable()
    sounds.check(hub.study, number, digest)
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    held = await data(request, largest(hub.study.settings.speech))
    sound = Sound(digest, media, held)
    await hub.write(lambda study, now: sounds.receive(study, number, sound, now))
    return answer({"ok": True})


@answered
async def get(request: Request) -> Response:
    """Serve a sound to a person who may hear it."""
    site, digest = context_of(request), request.path_params["digest"]
    number = site.assignment(request)
    units = list(sounds.audible(site.hub.study, number))
    known = sounds.of_gold(site.hub.study, number, digest)
    if known is not None:
        return Response(known.data, media_type=known.media)
    return await _found(site.hub, units, digest)


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
