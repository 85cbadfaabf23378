"""Plans of runs: how many dialogues, from which seed, in which shards; presets make plans.

    plan = PRESETS.get("star").plan(Request(number=1000, seed=7, scenario="mixed"))
    plan.source()(41)                    # dialogue 41 of the run

A dialogue is a function of the plan and its index, so that any shard can be made without the
others: by one process, by several, or after a crash.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Protocol

from dialoom.corpus.shards import SHARD, Shard
from dialoom.dialogue import Dialogue
from dialoom.errors import UsageError
from dialoom.registry import Registry
from dialoom.schema.task import TaskSchema

Task = str | Path | TaskSchema

Tasks = Task | Iterable[Task]
"""Tasks, their names or files; a text may name several, with commas between."""

LARGEST_SEED = 2**63 - 1
"""The largest integer of SQLite, in which a knowledge base stores its seed."""


@dataclass(frozen=True, kw_only=True)
class Plan(ABC):
    """The settings of a run, picklable; `UsageError` for numbers or seeds out of range.

    Attributes:
        kind: The manifest's key for the record of the run.
        costly: True to save each finished dialogue, not only whole shards.
        dialogues: Number of dialogues, 1 or more.
        shard: Maximum number of dialogues in a shard.
        at_once: Dialogues that a process simulates at a time, in threads; more than 1 helps only if
            dialogues wait, for example for a server.
    """

    kind: ClassVar[str] = "simulated"
    preset: ClassVar[str]
    costly: ClassVar[bool] = False
    seed: int
    dialogues: int
    shard: int = SHARD
    at_once: int = 1

    def __post_init__(self) -> None:
        if self.dialogues < 1:
            raise UsageError(
                f"{self.dialogues} dialogues cannot be made; ask for 1 or more", code="out-of-range"
            )
        if not 0 <= self.seed <= LARGEST_SEED:
            raise UsageError(
                f"the seed {self.seed} is not between 0 and {LARGEST_SEED}", code="out-of-range"
            )

    @property
    def shards(self) -> range:
        """The numbers of the shards."""
        return range(-(-self.dialogues // self.shard))

    def part(self, number: int) -> range:
        """Return the indices of a shard's dialogues."""
        return range(number * self.shard, min((number + 1) * self.shard, self.dialogues))

    def order(self, part: range) -> Iterable[int]:
        """Return a shard's indices in the fastest order."""
        return part

    @property
    @abstractmethod
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The schemas that go with the dialogues, by task."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """The settings that determine the dialogues besides seed and number, as JSON values."""

    @abstractmethod
    def source(self) -> Callable[[int], Dialogue]:
        """Return the function from an index to its dialogue; knowledge bases are built once."""


@dataclass(frozen=True, kw_only=True)
class TaskPlan(Plan):
    """A plan over tasks or services, whose schemas go with the dialogues."""

    tasks: tuple[TaskSchema, ...]

    @property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The tasks by id."""
        return {task.id: task for task in self.tasks}


@dataclass(frozen=True, kw_only=True)
class Request:
    """The options of `dialoom simulate` for a preset; None is the preset's own default.

    Attributes:
        number: Dialogues; for the presets dstc6 and babi, items a file.
        tasks: Comma-separated names of tasks or task files; or the tasks, for the preset star.
        scenario: The preset's name for a mix of happy, unhappy and multi-task users.
        wording: A JSON file with other texts, or the number of a bundled wording.
        wizard_noise: Probability with which a wizard deviates from the flow.
        brief: Probability with which a wizard leaves out an omissible reply.
        digress: Factor on the rates at which users leave the flow.
        persons: Comma-separated traits of users, or JSON files.
        story: A story file, or the name of a bundled story.
    """

    number: int
    seed: int
    tasks: str | tuple[TaskSchema, ...] | None = None
    scenario: str | None = None
    wording: str | None = None
    wizard_noise: float = 0.0
    brief: float | None = None
    digress: float | None = None
    persons: str | None = None
    story: str | None = None

    def check(self, preset: str, *names: str) -> None:
        """Raise `UsageError` for an option that is set but is not among the fields `names`."""
        for option in fields(self):
            if option.default is MISSING or option.name in names:
                continue
            if getattr(self, option.name) != option.default:
                flag = f"--{option.name.replace('_', '-')}"
                raise UsageError(
                    f"--preset {preset} takes no {flag}; leave it out", code="not-taken"
                )

    def named(self, preset: str) -> str | None:
        """Return task names for a preset that takes only names; `UsageError` for task objects."""
        if self.tasks is None or isinstance(self.tasks, str):
            return self.tasks
        raise UsageError(f"the preset {preset} takes names of tasks or files, no tasks themselves")


class Preset(Protocol):
    """A family of simulated dialogues."""

    @property
    def name(self) -> str:
        """Its name in the registry."""

    @property
    def format(self) -> str:
        """The format that its dialogues are written in unless another one is named."""

    def plan(self, request: Request) -> Plan:
        """Return the plan of a run; `UsageError` if the request does not fit this preset."""


PRESETS: Registry[Preset] = Registry(
    "preset",
    "dialoom.presets",
    {
        "babi": "dialoom.sim.presets.dstc6:BABI_PRESET",
        "dstc6": "dialoom.sim.presets.dstc6:DSTC6_PRESET",
        "frames": "dialoom.sim.presets.frames:PRESET",
        "sgd": "dialoom.sim.presets.sgd:PRESET",
        "star": "dialoom.sim.presets.star:PRESET",
        "taskmaster": "dialoom.sim.presets.taskmaster:PRESET",
    },
)

DEFAULT = "processes"


class Engine(Protocol):
    """Makes all shards of a plan."""

    def __call__(
        self, plan: Plan, folder: Path, workers: int
    ) -> AbstractContextManager[Iterable[int | Shard]]:
        """Return the pool, an iterator over counts of dialogues and finished shards.

        `folder` is that of the corpus; existing shards are kept. `workers` is the number of shards
        at a time; `UsageError` below 1.
        """


ENGINES: Registry[Engine] = Registry(
    "engine",
    "dialoom.engines",
    {
        "processes": "dialoom.sim.core.run:WorkerPool",
        "ray": "dialoom.sim.core.cluster:shards_on_ray",
    },
)
