"""A study that is served: in a thread of this process, or by the command in one of its own."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette

from dialoom.collect.settings import Settings
from dialoom.collect.studies import StudyHandle, open_study
from dialoom.collect.study.identity import needs_proof
from dialoom.serve.app import create_app
from dialoom.serve.hub import Hub, now_ms
from dialoom.serve.limits import Limits, Rate
from dialoom.serve.links import AdminRole, Signer
from dialoom.serve.server import HttpProtocol, address, listen, server
from tests.cli.runner import PROGRAM
from tests.collect.log import faults
from tests.serve.page import PATIENCE, Page

_MANY = Rate(1000.0, 1000.0)

FREE = Limits(messages=_MANY, joins=_MANY, logins=_MANY)
"""No test but those of the rates is to wait for them."""


class Clock:
    """The time, which tests move on."""

    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> int:
        return now_ms() + self.ahead

    def sleep(self, seconds: float) -> None:
        self.ahead += round(seconds * 1000)


@dataclass
class Served:
    """A study that is served in this process."""

    base: str
    opened: StudyHandle
    hub: Hub
    signer: Signer
    clock: Clock
    app: Starlette
    running: uvicorn.Server
    pages: list[Page] = field(default_factory=list)

    def routes(self) -> list[Any]:
        """Return the application's routes that have a path."""
        return [route for route in self.app.routes if hasattr(route, "path")]

    def link(self, role: Any = "user") -> str:
        return f"{self.base}/join/{self.signer.study_link(role)}"

    def invite(self, role: Any = "user") -> str:
        return f"{self.base}/join/{self.signer.invite(role)}"

    def own(self, worker: str, role: Any = None) -> str:
        """Return a worker's own link."""
        return f"{self.base}/join/{self.signer.worker_link(worker, role)}"

    def page(self, role: Any = "user", **joining: Any) -> Page:
        """Return a page that has joined and is connected, by a worker link if one is needed."""
        worker = joining.get("worker")
        if worker is not None and needs_proof(self.hub.study.state, worker):
            page = Page(self.own(worker, role), **joining).enter(again=True)
        else:
            page = Page(self.link(role), **joining).enter()
        self.pages.append(page)
        return page

    def pair(self) -> tuple[Page, Page]:
        """Return the user and the wizard of a room."""
        user, wizard = self.page("user").wait(), self.page("wizard").wait()
        user.until_step("room")
        wizard.until_step("room")
        return user, wizard

    def tick(self, seconds: int = 1) -> None:
        """Let time pass second by second: a longer step is an outage of the server's own."""
        ticked = threading.Event()

        def tick() -> None:
            for _ in range(seconds):
                self.clock.sleep(1)
                self.hub.tick()
            ticked.set()

        assert self.hub.loop is not None
        self.hub.loop.call_soon_threadsafe(tick)
        assert ticked.wait(PATIENCE)

    def look(self) -> None:
        """Let all connections that wait for the rest of a request be as late as they may be."""
        looked = threading.Event()

        def look() -> None:
            for protocol in list(self.running.server_state.connections):
                if isinstance(protocol, HttpProtocol):
                    protocol.look()
            looked.set()

        assert self.hub.loop is not None
        self.hub.loop.call_soon_threadsafe(look)
        assert looked.wait(PATIENCE)

    @contextmanager
    def admin(self, role: AdminRole = "owner") -> Iterator[httpx.Client]:
        """Give the browser of an admin who has logged in."""
        with httpx.Client(base_url=self.base, headers={"Origin": self.base}) as client:
            token = {"token": self.signer.admin_token(role)}
            assert client.post("/api/admin/login", json=token).status_code == 204
            yield client


@contextmanager
def served(
    where: Path | str,
    settings: Settings | None,
    limits: Limits = FREE,
    port: int = 0,
    trusted: Sequence[str] = (),
    **options: Any,
) -> Iterator[Served]:
    """Serve a study in a thread."""
    clock = Clock()
    with open_study(where, settings, clock()) as opened, listen("127.0.0.1", port) as listening:
        app = create_app(opened, limits=limits, clock=clock, **options)
        with running(app, listening, trusted) as at_work:
            site = app.state.context
            study = Served(address(listening), opened, site.hub, site.signer, clock, app, at_work)
            try:
                yield study
            finally:
                for page in study.pages:
                    page.shut()


@contextmanager
def running(
    app: Starlette, listening: socket.socket, trusted: Sequence[str] = ()
) -> Iterator[uvicorn.Server]:
    """Serve an application in a thread."""
    at_work = _Quiet(server(app, trusted).config)
    thread = threading.Thread(target=at_work.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        healthz = f"{address(listening)}/healthz"
        assert httpx.get(healthz, timeout=PATIENCE).status_code in (200, 401)
        yield at_work
    finally:
        at_work.should_exit = True
        thread.join()


class _Quiet(uvicorn.Server):
    """Signals are the tests' own."""


@dataclass
class Command:
    """`dialoom collect` in a process of its own."""

    process: subprocess.Popen[str]
    user: str
    wizard: str
    admin: str

    @property
    def port(self) -> int:
        return int(self.user.split(":")[2].split("/")[0])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        if code and self.process.stderr is not None:
            print(self.process.stderr.read())  # shown where the test fails for it
        self._close()
        return code

    def _close(self) -> None:
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


def command(*arguments: str | Path | int, fault: str = "") -> Command:
    """Start the command, with a fault that awaits it; return when it has printed its links."""
    program = [sys.executable, faults.__file__, fault] if fault else PROGRAM
    process = subprocess.Popen(
        [*program, "collect", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline().split() for _ in range(3)]
    if [line[:1] for line in lines] != [["user"], ["wizard"], ["admin"]]:
        process.kill()
        raise AssertionError(process.communicate())
    return Command(process, *(line[1] for line in lines))
