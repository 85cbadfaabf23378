"""Plays a run of the studio with the code of `dialoom play`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.corpus.files import check_vacant, writing
from dialoom.errors import DialoomError, UsageError, clip
from dialoom.play.agents.base import AGENTS
from dialoom.play.running.plan import PlayPlan, make_run, plan_of
from dialoom.play.users.base import USERS
from dialoom.play.users.simulated import KINDS, MANNERS, WORDINGS
from dialoom.registry import Registry
from dialoom.schema.places import read_text
from dialoom.serve.responses import Nothing
from dialoom.sim.presets.star import load_tasks
from dialoom.studio.folder import StudioFolder
from dialoom.studio.runs.making import RunMaker, RunState, WantedRun
from dialoom.studio.tasks.message import EditedTask
from dialoom.studio.tasks.trying import task_of

REMOTE = ("http", "openai", "rasa")
"""Participants that are somewhere else: their settings are an address."""

LOCAL = ("command", "replay")
"""Participants that start programs or read files: only the command line offers them."""

SIMULATED = "simulated"


class Choice(msgspec.Struct, frozen=True):
    """An agent or user that a run can have; `address` if it needs an address after a colon."""

    name: str
    about: str
    address: bool


class RunChoices(msgspec.Struct, frozen=True):
    """The agents and users that a run can have."""

    agents: list[Choice]
    users: list[Choice]


def choices(folder: StudioFolder, _: Nothing) -> RunChoices:
    """Return the agents and users that a run can have."""
    words = (*KINDS[1:], *MANNERS, *WORDINGS)
    kinds = [Choice(f"{SIMULATED}:{word}", "", address=False) for word in words]
    return RunChoices(_choices(AGENTS), [*reversed(_choices(USERS)), *kinds])


def _choices(registry: Registry[Any]) -> list[Choice]:
    names = [name for name in registry if name not in LOCAL]
    return [Choice(name, registry.about(name), name in REMOTE) for name in names]


def make(folder: StudioFolder, request: WantedRun, maker: RunMaker) -> RunState:
    """Start a run; errors of its tasks and participants are raised before."""
    place = folder.inside(request.path)
    if not request.path or any(part.startswith(".") for part in Path(request.path).parts):
        raise UsageError(
            f"{clip(request.path)}: right would be the name of a new folder", code="taken"
        )
    with writing(place):
        check_vacant(place)
    dialogues = _plan(folder, request).dialogues
    return maker.begin(_play, folder.root, request, dialogues)


def _plan(folder: StudioFolder, request: WantedRun) -> PlayPlan:
    for side, player in (("agent", request.agent), ("user", request.user)):
        name, _, settings = player.partition(":")
        if name in LOCAL or (settings and name not in (*REMOTE, SIMULATED)):
            raise UsageError(f"{clip(player)}: right would be dialoom play --{side} in a terminal")
    files = [(path, read_text(folder.inside(path))) for path in request.tasks]
    tasks = load_tasks([task_of(folder, EditedTask(*each)) for each in files])
    return plan_of(
        tuple(tasks), request.agent, request.user, request.goals, request.trials, request.seed
    )


def _play(
    report: Callable[[RunState], None], root: Path, request: WantedRun, state: RunState
) -> None:
    def played(number: int) -> None:
        nonlocal state
        state = replace(state, played=state.played + number)
        report(state)

    folder = StudioFolder(root)
    try:
        make_run(_plan(folder, request), folder.inside(request.path), played)
    except DialoomError as error:
        report(replace(state, phase="failed", what=str(error)))
    else:
        report(replace(state, phase="done"))
