"""All cases by name: each makes one entry of the table."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Protocol

from tests.digests.corpora import Corpora
from tests.digests.models import MODEL_CASES
from tests.digests.playing import PLAY_CASES
from tests.digests.simulators import SIMULATOR_CASES
from tests.digests.table import Entry


class Case(Protocol):
    """A small seeded run.

    Attributes:
        name: The name of its entry.
        needs: The libraries that it needs and that a plain installation lacks.
    """

    @property
    def name(self) -> str: ...

    @property
    def needs(self) -> tuple[str, ...]: ...

    def measure(self, corpora: Corpora) -> Entry: ...


_ALL: tuple[Case, ...] = (*MODEL_CASES, *PLAY_CASES, *SIMULATOR_CASES)

CASES: Mapping[str, Case] = {case.name: case for case in _ALL}


def lacking(case: Case) -> str:
    """Return the libraries that a case needs and that are not installed; empty where none is."""
    return ", ".join(name for name in case.needs if find_spec(name) is None)
