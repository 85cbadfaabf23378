"""A study of spoken dialogues that is served, and sounds to say in it."""

from __future__ import annotations

import hashlib
import io
import math
import socket
import struct
import wave
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx

from dialoom.collect.settings import Settings, Stage
from tests.serve.page import PATIENCE, Page
from tests.serve.served import Served

STAGES = (
    Stage(name="talk", kind="spoken", pay=150),
    Stage(name="check", kind="transcription", of="talk", only=("typist",), pay=60),
)
SPOKEN = Settings(tasks=("weather",), stages=STAGES, scenarios=1, seed=3, rating=False)


def tone(hertz: float = 440.0, seconds: float = 0.2) -> bytes:
    """Return a tone as a WAV file of 8 kHz."""
    buffer = io.BytesIO()
    samples = (math.sin(2 * math.pi * hertz * each / 8000) for each in range(int(8000 * seconds)))
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(b"".join(struct.pack("<h", int(20_000 * each)) for each in samples))
    return buffer.getvalue()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def put(page: Page, data: bytes, media: str = "audio/wav", **other: Any) -> httpx.Response:
    """Send a sound, perhaps under another name."""
    name = other.get("name", digest(data))
    headers = {"Content-Type": media}
    return page.browser.put(f"/api/blobs/{page.name}/{name}", content=data, headers=headers)


def get(page: Page, data: bytes) -> httpx.Response:
    return page.browser.get(f"/api/blobs/{page.name}/{digest(data)}")


def speak(page: Page, data: bytes) -> None:
    """Say a sound."""
    assert put(page, data).json() == {"ok": True}
    page.do("speak", sound=digest(data), seconds=0.2)


def pair(study: Served) -> tuple[Page, Page]:
    """Return the user and the wizard of a room."""
    user = study.page("user", worker="speaker").wait()
    wizard = study.page("wizard", worker="listener").wait()
    user.until_step("room")
    wizard.until_step("room")
    return user, wizard


def wire(study: Served, *, small: bool = False) -> socket.socket:
    """Return a connection to the server."""
    client = socket.socket()
    client.settimeout(PATIENCE)
    if small:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    parts = urlsplit(study.base)
    client.connect((parts.hostname, parts.port))
    return client


def is_cut(client: socket.socket) -> bool:
    """Tell whether nothing more comes."""
    with suppress(ConnectionResetError):
        return client.recv(65536) == b""
    return True
