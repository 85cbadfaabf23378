"""Tests of agents: any agent serves any user on any task file, and the database is the judge.

agents         play the system: by the flow, learnt, a language model, a command, a web hook
users          play the user: simulated, replayed or a language model, with drawn or given goals
environments   the place of a task's calls: the knowledge base, or a server over a wire
judging        the target of a dialogue, and the verdict on it
running        a trial, the trials of a goal, a run of many goals; dialogues with people
results        a finished run: figures, failures, the comparison of two runs, a page
tools          the calls of tasks as tools, over the Model Context Protocol too
services       users and systems of services (SGD) that talk to each other
tau2           runs and goals in the layouts of tau2-bench
functions      agents and users that are Python functions, and `dialoom.play(…)` itself
pytest_plugin  a pytest fixture that tests an agent

The package can be called: `dialoom.play(my_agent, tasks="hotel_book", n=20)` (functions.py).
"""

from __future__ import annotations

import sys
from inspect import Signature, signature
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dialoom.play.results.run import PlayRun


class _PlayPackage(ModuleType):
    """A package that is a function too, since both have the name `dialoom.play`."""

    def __call__(self, *arguments: Any, **options: Any) -> PlayRun:
        from dialoom.play.functions import play

        return play(*arguments, **options)

    @property
    def __signature__(self) -> Signature:
        """The signature of the function."""
        from dialoom.play.functions import play

        return signature(play)


sys.modules[__name__].__class__ = _PlayPackage
