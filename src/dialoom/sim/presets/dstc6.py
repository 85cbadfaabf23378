"""Runs that make the files of DSTC6 track 1, or of the bAbI dialog tasks.

    plan = DSTC6_PRESET.plan(Request(number=1000, seed=7))
    plan.source()(0)                    # the first item of the first training file

The number is that of the items in each file: five tasks in each part, 25 files or 20.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import replace

from dialoom.dialogue import Candidate, Dialogue, Options, Origin, digest
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Plan, Request
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.candidates import Candidates, file_seed
from dialoom.sim.policies.booking.course import FlowRunner
from dialoom.sim.policies.booking.cut import cut
from dialoom.sim.policies.booking.knowledge import MORE, Knowledge, knowledge
from dialoom.sim.policies.booking.parts import BABI_FAMILY, DSTC6_FAMILY, TASKS, Part
from dialoom.sim.policies.booking.requests import Requests
from dialoom.sim.policies.booking.talk import CALL, Talk
from dialoom.sim.policies.booking.wording import BOT, NAMED, Wording, wording_of

BESIDE = {"_beside": ".answers.json"}
"""Tells the format that the answer goes into the file beside (formats/dstc6/answers.py)."""

LARGEST = 10**6
"""The largest number of items in a file."""

LISTS = "restaurants"
"""What the formats call the task whose files are the lists beside the dialogues."""

_FAMILIES = {family.name: family for family in (DSTC6_FAMILY, BABI_FAMILY)}


@dataclass(frozen=True, kw_only=True)
class BookingPlan(Plan):
    """A run that makes all files of one corpus of bookings.

    Attributes:
        lines: Line id to its texts.
    """

    lines: Mapping[str, tuple[str, ...]]

    @property
    def files(self) -> list[tuple[Part, int]]:
        """The files in their order: a part and the number of a task."""
        parts = _FAMILIES[self.preset].parts
        return [(part, task) for part in parts for task in range(1, len(TASKS) + 1)]

    @property
    def number(self) -> int:
        """How many items a file has."""
        return self.dialogues // len(self.files)

    @cached_property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The lists beside the dialogues: both knowledge bases, and bAbI's candidates."""
        family = _FAMILIES[self.preset]
        bases = knowledge(family.design, self.seed)
        if family is DSTC6_FAMILY:
            files = {f"extendedkb{base.number}.txt": "".join(base.facts()) for base in bases}
        else:
            told = (_told(base, Wording(self.lines)) for base in bases)
            said = dict.fromkeys(line for lines in told for line in lines)
            files = {
                "dialog-babi-kb-all.txt": "".join(fact for base in bases for fact in base.facts()),
                "dialog-babi-candidates.txt": "".join(f"1 {line}\n" for line in said),
            }
        return {LISTS: TaskSchema(id=LISTS, files=files)}

    @property
    def settings(self) -> dict[str, Any]:
        """The number of items a file, and the digest of the wording."""
        lines = {name: list(found) for name, found in self.lines.items()}
        return {"items": self.number, "wording": digest(lines)}

    def source(self) -> Callable[[int], Dialogue]:
        """Return what makes an item or a dialogue by its index."""
        return _Source(self).dialogue


class Dstc6Plan(BookingPlan):
    """A run that makes the files of DSTC6 track 1."""

    preset: ClassVar[str] = "dstc6"


class BabiPlan(BookingPlan):
    """A run that makes the files of the bAbI dialog tasks."""

    preset: ClassVar[str] = "babi"


def _told(base: Knowledge, wording: Wording) -> list[str]:
    """Return all that the bot may say of a knowledge base."""
    absent = {f"ask.{slot}" for slot in MORE if slot not in base.design.slots}
    asked = [line for line in BOT if line not in NAMED and line not in absent | {"ready", "sorry"}]
    found = [wording.line(line).plain for line in asked]
    found += [" ".join((CALL, *cell)) for cell in base.cells(len(base.design.slots))]
    for line, entity in NAMED.items():
        if line != "was":
            said = wording.line(line)
            found += [said.fill({entity: getattr(r, entity)}) for r in base.restaurants]
    return found


class _File:
    """What the dialogues of one file have in common, made ready when the first is wanted."""

    def __init__(self, plan: BookingPlan, number: int, wording: Wording) -> None:
        self.part, self.task = plan.files[number]
        self.family = _FAMILIES[plan.preset]
        base = knowledge(self.family.design, plan.seed)[self.part.base - 1]
        portions = self.family.portions
        self.requests = Requests(base, self.part.size, self.part.portion, portions, plan.seed)
        self.slots = base.design.slots[: self.part.size]
        self.name = self.family.file_name(self.part, self.task, plan.number)
        self.candidates: Candidates | None = None
        if self.family.cut:
            seed = file_seed(plan.seed, number)
            self.candidates = Candidates(self.task, base, self.part.size, wording, seed)


class _Source:
    """Makes the dialogues of a plan."""

    def __init__(self, plan: BookingPlan) -> None:
        self.plan = plan
        self.wording = Wording(plan.lines)
        self.number = plan.number
        self._files: dict[int, _File] = {}

    def dialogue(self, index: int) -> Dialogue:
        """Return one item or dialogue of the run."""
        number, place = divmod(index, self.number)
        file = self._files.get(number)
        if file is None:
            file = self._files[number] = _File(self.plan, number, self.wording)
        seed = seed_of(self.plan.seed, index)
        words = SeededRng(seed, b"language")
        talk = Talk(self.wording, file.slots, file.family.silence, words)
        FlowRunner(file.requests, file.family.habits, talk, SeededRng(seed, b"goal")).task(
            file.task
        )
        origin = Origin(file.name, place)
        if file.candidates is None:
            stem = file.name.removesuffix(".txt")
            return Dialogue(
                id=f"{stem}-{place + 1}",
                events=tuple(talk.events),
                provenance="simulated",
                origin=origin,
            )
        return self._item(talk, file, file.candidates, SeededRng(seed, b"item"), origin)

    def _item(
        self, talk: Talk, file: _File, candidates: Candidates, rng: SeededRng, origin: Origin
    ) -> Dialogue:
        turn = cut(file.task, talk.turns, rng)
        texts = candidates.draw(turn, talk, rng)
        name, *ids = _ids(len(texts) + 1, rng)
        options = Options(
            candidates=tuple(map(Candidate, ids, texts)), choice=ids[texts.index(turn.text)]
        )
        if not file.part.answered:
            options = replace(options, extra=BESIDE)
        return Dialogue(
            id=name,
            events=(*talk.events[: turn.place], options),
            provenance="simulated",
            origin=origin,
        )


def _ids(many: int, rng: SeededRng) -> list[str]:
    """Return ids in the form of the published ones: 32 hex digits in five groups."""
    digits = b"".join(rng.bytes() for _ in range(-(-many // 4))).hex()
    found = (digits[start : start + 32] for start in range(0, many * 32, 32))
    return [f"{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:]}" for d in found]


@dataclass(frozen=True)
class BookingPreset:
    """All files of one corpus of bookings; the number asked for is that of each file."""

    kind: type[BookingPlan]

    @property
    def name(self) -> str:
        """The name of the corpus."""
        return self.kind.preset

    @property
    def format(self) -> str:
        """The format of the same name."""
        return self.name

    def plan(self, request: Request) -> BookingPlan:
        """Return the plan of a run.

        Raises:
            UsageError: Tasks or a scenario are asked for, or too many items.
        """
        for option, given in (("--tasks", request.tasks), ("--scenario", request.scenario)):
            if given is not None:
                raise UsageError(f"--preset {self.name} makes all of its tasks; leave {option} out")
        if request.number > LARGEST:
            raise UsageError(f"{request.number} items a file are too many; ask for {LARGEST}")
        files = len(_FAMILIES[self.name].parts) * len(TASKS)
        return self.kind(
            seed=request.seed,
            dialogues=request.number * files,
            lines=wording_of(Path(request.wording) if request.wording else None),
        )


DSTC6_PRESET = BookingPreset(Dstc6Plan)
BABI_PRESET = BookingPreset(BabiPlan)
"""The presets, as the registry knows them."""
