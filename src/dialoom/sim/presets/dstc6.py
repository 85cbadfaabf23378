"""The files of DSTC6 track 1 and of the bAbI dialog tasks: `simulate --preset dstc6|babi`.

    plan = DSTC6_PRESET.plan(Request(number=1000, seed=7))
    plan.source()(0)                    # the first item of the first training file

The number is that of the items in each file: five tasks in each part, 25 files or 20.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from dialoom.dialogue import Candidate, Dialogue, Options, Origin, digest
from dialoom.errors import UsageError
from dialoom.schema.source import ListsSource
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import parse
from dialoom.sim.core.plan import Plan, Request
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.candidates import Candidates, file_seed
from dialoom.sim.policies.booking.family import FAMILIES, SLOTS, TASKS, BookingPart, Family
from dialoom.sim.policies.booking.policy import BookingPolicy
from dialoom.sim.policies.booking.recorder import BookingRecorder, call_line
from dialoom.sim.policies.booking.restaurants import Knowledge, Requests, knowledge
from dialoom.sim.policies.booking.wording import BOT, NAMED, templates, wording_of

APART = {"layout": {"beside": ".answers.json"}}
"""Extra by which the format writes the answer to a file of its own (formats/dstc6/answers.py)."""

LARGEST = 10**6
"""Upper limit of items in a file, against a mistyped `--number`; published files have 1,000."""

LISTS = "restaurants"
"""The formats' name of the task that holds the lists published with the dialogues."""


@dataclass(frozen=True, kw_only=True)
class BookingPlan(Plan):
    """A run that writes all files of one corpus of bookings; `lines` maps ids to texts."""

    lines: Mapping[str, tuple[str, ...]]

    @property
    def family(self) -> Family:
        """The corpus."""
        return FAMILIES[self.preset]

    @property
    def files(self) -> list[tuple[BookingPart, int]]:
        """The files in their order: a part and the number of a task."""
        return [(part, task) for part in self.family.parts for task in range(1, len(TASKS) + 1)]

    @property
    def number(self) -> int:
        """Number of items of a file."""
        return self.dialogues // len(self.files)

    @cached_property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The lists next to the dialogues: both knowledge bases, and bAbI's candidates."""
        bases = knowledge(self.family, self.seed)
        lists = ["".join(base.facts()) for base in bases]
        if self.preset == Dstc6Plan.preset:
            files = {f"extendedkb{n}.txt": facts for n, facts in enumerate(lists, 1)}
        else:
            lines = dict.fromkeys(line for base in bases for line in self._said(base))
            files = {
                "dialog-babi-kb-all.txt": "".join(lists),
                "dialog-babi-candidates.txt": "".join(f"1 {line}\n" for line in lines),
            }
        return {LISTS: TaskSchema(id=LISTS, source=ListsSource(files=files))}

    def _said(self, base: Knowledge) -> list[str]:
        absent = {f"ask.{slot}" for slot in SLOTS if slot not in self.family.slots}
        absent |= {"ready", "sorry", "was"}
        texts = [self.lines[line][0] for line in BOT if line not in absent | NAMED.keys()]
        texts += map(call_line, base.cells(len(self.family.slots)))
        for line in NAMED:
            if line not in absent:
                template = parse(self.lines[line][0])
                texts += [template.render(each.item).text for each in base.restaurants]
        return texts

    @property
    def settings(self) -> dict[str, Any]:
        """The number of items a file, and the digest of the wording."""
        lines = {name: list(texts) for name, texts in self.lines.items()}
        return {"items": self.number, "wording": digest(lines)}

    def source(self) -> Callable[[int], Dialogue]:
        """Return the function from an index to its item or dialogue."""
        files: dict[int, _File] = {}

        def dialogue(index: int) -> Dialogue:
            number, place = divmod(index, self.number)
            if number not in files:
                files[number] = _File(self, number)
            return files[number].dialogue(place, seed_of(self.seed, index))

        return dialogue


class Dstc6Plan(BookingPlan):
    """A run that makes the files of DSTC6 track 1."""

    preset: ClassVar[str] = "dstc6"


class BabiPlan(BookingPlan):
    """A run that makes the files of the bAbI dialog tasks."""

    preset: ClassVar[str] = "babi"


class _File:
    def __init__(self, plan: BookingPlan, number: int) -> None:
        self.family = plan.family
        self.part, self.task = plan.files[number]
        self.lines = templates(plan.lines)
        base = knowledge(self.family, plan.seed)[self.part.base - 1]
        size = self.part.size
        self.requests = Requests(base, size, self.part.portion, plan.seed)
        self.slots = self.family.slots[:size]
        self.name = self.family.file_name(self.part, self.task, plan.number)
        self.candidates: Candidates | None = None
        if self.family.cut:
            seed = file_seed(plan.seed, number)
            self.candidates = Candidates(self.task, base, size, self.lines, seed)

    def dialogue(self, place: int, seed: bytes) -> Dialogue:
        words = SeededRng(seed, b"language")
        recorder = BookingRecorder(self.lines, self.slots, self.family.silence, words)
        BookingPolicy(self.requests, recorder, SeededRng(seed, b"goal")).task(self.task)
        name, events = f"{self.name.removesuffix('.txt')}-{place + 1}", tuple(recorder.events)
        if self.candidates is not None:
            rng = SeededRng(seed, b"item")
            turn = self.candidates.cut(recorder.turns, rng)
            texts = self.candidates.draw(turn, recorder, rng)
            name, *ids = (rng.uuid() for _ in range(len(texts) + 1))
            options = Options(
                candidates=tuple(map(Candidate, ids, texts)),
                choice=ids[texts.index(turn.text)],
                extra={} if self.part.answered else APART,
            )
            events = (*events[: turn.place], options)
        origin = Origin(self.name, place)
        return Dialogue(id=name, events=events, provenance="simulated", origin=origin)


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
        """Return the plan of a run; `UsageError` for tasks, a scenario, or too many items."""
        request.check(self.name, "wording")
        if request.number > LARGEST:
            raise UsageError(
                f"{request.number} items a file are too many; {LARGEST} is the most",
                code="over-limit",
            )
        files = len(FAMILIES[self.name].parts) * len(TASKS)
        return self.kind(
            seed=request.seed, dialogues=request.number * files, lines=wording_of(request.wording)
        )


DSTC6_PRESET = BookingPreset(Dstc6Plan)
BABI_PRESET = BookingPreset(BabiPlan)
"""The presets under their names in the registry."""
