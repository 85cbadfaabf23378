"""Receives and serves the sounds of spoken dialogues over HTTP, and drafts their transcripts.

A sound is addressed by the SHA-256 of its bytes. A local recogniser, a command that reads a sound
file and prints a text, makes the drafts one at a time, in the background of the dialogue. A draft
that comes after the dialogue has ended is dropped.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shlex
import signal
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.sounds import MEDIA, Sound
from dialoom.collect.kinds.room.speech import largest
from dialoom.collect.log.change import Blob, Change
from dialoom.collect.log.facts import Drafted
from dialoom.collect.message import LONGEST_TEXT, Refused, cleaned, visible
from dialoom.collect.study import sounds
from dialoom.collect.study.study import Study
from dialoom.errors import clip
from dialoom.serve.context import context_of
from dialoom.serve.hub import Hub
from dialoom.serve.responses import answer, answered, check_rate, data

log = logging.getLogger("dialoom.serve")


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


class Recognising:
    """Writes a draft for each sound."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._speech = hub.study.settings.speech
        self._asked: set[tuple[int, str]] = set()
        self._sounds: asyncio.Queue[tuple[int, str]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Follow written changes from now on, if there is a recogniser."""
        if self._speech.recogniser:
            self._hub.watchers.append(self._listen)
            self._task = asyncio.ensure_future(self._work())
            self._listen(list(self._hub.study.state.live))

    def stop(self) -> None:
        """Cancel the recogniser that is running."""
        if self._task is not None:
            self._task.cancel()

    def _listen(self, assignments: Iterable[int]) -> None:
        study = self._hub.study
        for number in assignments:
            one = study.state.assignments.get(number)
            unit = study.state.open.get(one.unit or 0) if one is not None else None
            if unit is None or not isinstance(unit.work, Room):
                continue
            for sound in unit.work.sounds.keys() - unit.work.drafts.keys():
                if (unit.number, sound) not in self._asked:
                    self._asked.add((unit.number, sound))
                    self._sounds.put_nowait((unit.number, sound))

    async def _work(self) -> None:
        while True:
            unit, sound = await self._sounds.get()
            sent = await asyncio.to_thread(self._hub.store.blob, unit, sound)
            if sent is None:
                continue
            draft = Drafted(sound=sound, text=await self._recognised(sent))

            def answer(study: Study, now: int, to: int = unit, body: Drafted = draft) -> Change:
                return study.answer(to, [body], now) if to in study.state.open else Change()

            try:
                await self._hub.write(answer)
            except Refused as refused:
                log.warning("a draft is not kept: %s", refused.what)

    async def _recognised(self, sent: Blob) -> str:
        ending = MEDIA[sent.media][0]
        with tempfile.TemporaryDirectory(prefix="dialoom-sound-") as folder:
            file = Path(folder, f"sound{ending}")
            file.write_bytes(sent.data)
            try:
                output = await self._run([*shlex.split(self._speech.recogniser), str(file)])
            except (OSError, TimeoutError) as error:
                log.warning("the recogniser fails: %s", error or "it takes too long")
                return ""
        text = " ".join(output.decode(errors="replace").split())[:LONGEST_TEXT]
        return cleaned(text) if visible(text) else ""

    async def _run(self, command: list[str]) -> bytes:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, stdout=pipe, stderr=pipe, start_new_session=True
        )
        try:
            output, wrong = await asyncio.wait_for(process.communicate(), self._speech.patience)
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # and what it has started
                await process.communicate()
        if process.returncode:
            raise OSError(f"exit code {process.returncode}: {clip(wrong.decode(errors='replace'))}")
        return output
