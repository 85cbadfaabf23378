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
    content = await data(request, largest(hub.study.settings.speech))
    sound = Sound(digest, media, content)
    await hub.write(lambda study, now: sounds.receive(study, number, sound, now))
    return answer({"ok": True})


@answered
async def get(request: Request) -> Response:
    """Serve a sound to a person who may hear it."""
    site, digest = context_of(request), request.path_params["digest"]
    number = site.assignment(request)
    units = list(sounds.audible(site.hub.study, number))
    gold = sounds.of_gold(site.hub.study, number, digest)
    if gold is not None:
        return Response(gold.data, media_type=gold.media)
    return await _found(site.hub, units, digest)


async def get_any(request: Request) -> Response:
    """Serve a sound to the admin."""
    hub, fields = context_of(request).hub, request.path_params
    return await _found(hub, [fields["unit"]], fields["digest"])


async def _found(hub: Hub, units: list[int], digest: str) -> Response:
    def read() -> Blob | None:
        blobs = (hub.store.blob(unit, digest) for unit in units)
        return next((each for each in blobs if each is not None), None)

    sent = await asyncio.to_thread(read)
    if sent is None:
        raise Refused("unknown", "There is no such sound for you.")
    return Response(sent.data, media_type=sent.media)
