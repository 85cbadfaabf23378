"""The run that is made in the studio's folder, in a process of its own.

A folder's studio makes one run at a time. The run's folder appears when all dialogues are played; a
run that is stopped, fails, or whose server ends leaves nothing (playing.py plays it).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock, Thread
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom.collect.message import Refused
from dialoom.serve.responses import Nothing
from dialoom.sim.core.plan import LARGEST_SEED
from dialoom.studio.folder import StudioFolder
from dialoom.studio.jobs import Job
from dialoom.studio.routes import acts, reads
from dialoom.studio.watching import polled

SECONDS = 0.2
"""Seconds between two looks at the progress of a run."""

Phase = Literal["none", "playing", "done", "failed", "stopped"]

Number = Annotated[int, msgspec.Meta(ge=1, le=10**6)]


class WantedRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a run that is to be made in the folder.

    Attributes:
        path: Its folder, which is new.
        tasks: Task files.
        goals: Goals drawn for each task.
        trials: Dialogues of each goal.
    """

    path: str
    tasks: tuple[str, ...]
    agent: str = "flow"
    user: str = "simulated"
    goals: Number = 20
    trials: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    seed: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)] = 0


class RunState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the run that is made, or was made last.

    Attributes:
        phase: "none" before the first.
        what: Why it failed, if it did.
    """

    phase: Phase = "none"
    path: str = ""
    played: int = 0
    dialogues: int = 0
    what: str = ""


Play = Callable[[Callable[[RunState], None], Path, WantedRun, RunState], None]


class RunMaker:
    """The maker of a studio's runs, one at a time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._job: Job[RunState] | None = None
        self._follower: Thread | None = None
        self.state = RunState()

    def begin(self, work: Play, root: Path, request: WantedRun, dialogues: int) -> RunState:
        """Start a run in a new process; `Refused` while another run is being made."""
        with self._lock:
            if self.state.phase == "playing":
                what = "wait until it is done, or stop it"
                raise Refused("busy", f"{self.state.path} is being made: {what}")
            self.state = RunState(phase="playing", path=request.path, dialogues=dialogues)
            self._job = Job(work, root, request, self.state)
            self._follower = Thread(target=self._follow, args=(self._job,), daemon=True)
            self._follower.start()
            return self.state

    def _follow(self, job: Job[RunState]) -> None:
        for state in job:
            self.state = state
        if self.state.phase == "playing":
            what = f"it ended with code {job.code}; nothing was written"
            self.state = replace(
                self.state, phase="stopped" if job.stopped else "failed", what=what
            )

    def stop(self) -> RunState:
        """Stop the run, and wait until nothing of it is left."""
        if self._job is not None and self._follower is not None:
            self._job.stop()
            self._follower.join()
        return self.state


def stop(folder: StudioFolder, _: Nothing, maker: RunMaker) -> RunState:
    """Stop the run that is made."""
    return maker.stop()


async def progress(request: Request) -> Response:
    """Send the state of the run that is made as it changes."""
    maker: RunMaker = request.app.state.run_maker
    return polled(request, "run", lambda: maker.state, lambda _: SECONDS)


PLAYING = "dialoom.studio.runs.playing"

ROUTES = [
    reads("/api/runs/choices", Nothing, f"{PLAYING}:choices"),
    acts("/api/runs/make", WantedRun, f"{PLAYING}:make", "run_maker"),
    acts("/api/runs/stop", Nothing, stop, "run_maker"),
    Route("/api/runs/progress", progress),
]
