"""What all dialogues of a corpus share: its tasks, and the habits of the format it came in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import IntFlag, auto
from typing import NamedTuple

from dialoom.dialogue import Origin
from dialoom.formats.frames import acts as frames
from dialoom.quality.lint.contract import Contract
from dialoom.quality.lint.knowledge import Known, know
from dialoom.schema.service import ACTS
from dialoom.schema.task import TaskSchema

_COMPANIES = 10_000
"""Sets of tasks remembered at most."""


class Subject(IntFlag):
    """What a rule looks at: it is not asked about a dialogue that has none of it.

    The first eight are what a dialogue has. The others tell of its tasks: DESIGNED, that it has one
    task, which comes from a task file; PUBLISHED, that one of several has replies or a flow graph
    as they were published; SERVICES, that the corpus has schemas of services.
    """

    UTTERANCES = auto()
    QUERIES = auto()
    RESULTS = auto()
    OPTIONS = auto()
    ACTS = auto()
    SPANS = auto()
    STATES = auto()
    FRAMES = auto()
    DESIGNED = auto()
    PUBLISHED = auto()
    SERVICES = auto()


ANYTHING = Subject(0)
"""What a rule needs that looks at every dialogue."""


class Habits(NamedTuple):
    """What a format promises beyond its layout.

    Attributes:
        pair: Whether nobody but user and system speaks.
        alternates: Whether user and system speak in turn.
        calls_are_turns: Whether a query stands for what the system would have said.
        calls_first: Whether a result is only ever the answer to a query.
        answers: Whether each query has a result; in the first tasks of bAbI and DSTC6 a call is the
            aim, and nothing comes of it.
        call: The word that calls begin with where they are lines of text.
        alike: Whether all calls of a dialogue have the same slots.
        noted: Whether its readers note what is missing or of another kind in `extra`.
        acts: The names of its dialogue acts; empty where any will do.
    """

    pair: bool = False
    alternates: bool = False
    calls_are_turns: bool = False
    calls_first: bool = False
    answers: bool = True
    call: str = ""
    alike: bool = False
    noted: bool = False
    acts: frozenset[str] = frozenset()


class Beside(NamedTuple):
    """What stands beside the dialogues of a corpus.

    Attributes:
        instructions: The plain ids of the instructions; None where there are no files of them.
        entities: The names of the knowledge base's items; None where there is no file of them.
    """

    instructions: frozenset[str] | None = None
    entities: frozenset[str] | None = None


NOTHING = Beside()
"""No files but those of the dialogues."""


SGD_ACTS = frozenset(ACTS)

HABITS: Mapping[str, Habits] = {
    "sgd": Habits(pair=True, alternates=True, calls_first=True, noted=True, acts=SGD_ACTS),
    "gem": Habits(pair=True, alternates=True, calls_first=True, noted=True, acts=SGD_ACTS),
    "dstc6": Habits(
        alternates=True, calls_are_turns=True, answers=False, call="api_call", alike=True
    ),
    "babi": Habits(alternates=True, calls_are_turns=True, answers=False, call="api_call"),
    "frames": Habits(pair=True, acts=frames.ACTS),
    "taskmaster1": Habits(pair=True),
    "frames-text": Habits(acts=frames.ACTS | {"null"}),  # an unlabelled sentence
    "iob": Habits(acts=frames.ACTS | {"null"}),
}
"""The habits of formats by name; the others have none."""


def _by_folder(known: Iterable[Known]) -> dict[str, dict[str, Contract]]:
    """Return the services by name for each folder that has schemas of them."""
    found: dict[str, dict[str, Contract]] = defaultdict(dict)
    for each in known:
        if each.contract is not None:
            for origin in each.task.origins:
                found[folder_of(origin)][each.task.name or each.task.id] = each.contract
    return found


def folder_of(origin: Origin | None) -> str:
    """Return the folder of the corpus that something came from: a split, in SGD."""
    return origin.file.rpartition("/")[0] if origin else ""


class Company(NamedTuple):
    """The tasks of one dialogue.

    Attributes:
        tasks: Those that the corpus has, each once.
        designed: The task where it is the only one and comes from a task file.
        subjects: What they give to look at.
    """

    tasks: tuple[Known, ...]
    designed: Known | None
    subjects: int


class Setting:
    """What the dialogues of a corpus share.

    Args:
        tasks: The corpus's task schemas.
        seed: What the knowledge base was drawn from, where the corpus says so.
        format: The name of the corpus's format.
        beside: What stands beside the dialogues.

    Attributes:
        known: The tasks by all their names.
        contracts: The services by name.
        habits: What the format promises.
    """

    def __init__(
        self,
        tasks: Mapping[str, TaskSchema],
        seed: int | None = None,
        format: str = "",
        beside: Beside = NOTHING,
    ) -> None:
        self.known = know(tasks)
        self.seed, self.beside = seed, beside
        self.habits = HABITS.get(format, Habits())
        self.contracts: dict[str, Contract] = {
            name: task.contract for name, task in self.known.items() if task.contract is not None
        }
        self._contracts = {
            folder: self.contracts | contracts
            for folder, contracts in _by_folder(self.known.values()).items()
        }
        self._companies: dict[tuple[str, ...], Company] = {}

    def contracts_in(self, folder: str) -> Mapping[str, Contract]:
        """Return the services by name as the schemas of a folder have them, else as any have."""
        return self._contracts.get(folder, self.contracts)

    def company(self, names: tuple[str, ...]) -> Company:
        """Return the tasks that go by some names."""
        found = self._companies.get(names)
        if found is None:
            if len(self._companies) >= _COMPANIES:
                self._companies.clear()
            found = self._companies[names] = self._gather(names)
        return found

    def _gather(self, names: tuple[str, ...]) -> Company:
        listed = (self.known.get(name) for name in names)
        tasks = tuple(dict.fromkeys(task for task in listed if task is not None))
        alone = len(tasks) == 1 and tasks[0].design is not None
        subjects = Subject.SERVICES if self.contracts else Subject(0)
        if alone:
            subjects |= Subject.DESIGNED
        elif any(task.published for task in tasks):
            subjects |= Subject.PUBLISHED
        return Company(tasks, tasks[0] if alone else None, int(subjects))
