"""Export of a study's dialogues as a corpus in any format, also while the server runs.

    with Store.open("study.sqlite", readonly=True) as store:
        export(store, "star", Path("out"))       # Exported(dialogues=12, running=3, loss={})

A dialogue is exported once its room is closed. Workers' ids are replaced by numbers in the order in
which they first entered; a number means the same person in all dialogues and layers of the study
(`StudyState.numbers` gives the same ones to what a stage hands on).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import ComparableKind, DocumentKind
from dialoom.collect.kinds.grades import SystemGrades, judgements
from dialoom.collect.kinds.rated_chat import FAILURE
from dialoom.collect.kinds.registry import study_kinds
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.record import (
    STUDY,
    UNIT,
    Body,
    Closed,
    Entered,
    Offered,
    Opened,
    Record,
    Reviewed,
    Undone,
    is_erased,
)
from dialoom.collect.log.store import Store
from dialoom.collect.settings import Settings
from dialoom.collect.sound_files import SoundFiles, of_room
from dialoom.collect.studies import settings_of
from dialoom.collect.study.gold import GoldAnswers
from dialoom.collect.study.handing_on import AGENTS
from dialoom.collect.study.stages import Stages, study_stages
from dialoom.collect.unit import Result, Work, WorkItem, WorkKind
from dialoom.corpus.files import staged_folder
from dialoom.corpus.shards import COLLECTED, note
from dialoom.dialogue import Dialogue
from dialoom.dialogue.annotation import SYSTEM_NAME
from dialoom.errors import FormatError
from dialoom.schema.task import TaskSchema

GOLD_ITEM = "GoldItem"
"""The key of a dialogue's `extra` that is true if it is about a gold item."""

REVIEWS = "Reviews"
"""The key of a dialogue's `extra` with the admin's reviews, by agent."""


RECORDED = (
    *("purpose", "seed", "scenario", "tasks", "story", "stages", "present_wizard_as", "debriefing"),
    *("recruiter", "currency", "language", "approval"),
)
"""The settings of a study that the manifest of a native corpus records."""


@dataclass(frozen=True)
class Exported:
    """Counts of an export.

    Attributes:
        outcomes: CompletionLevel to how many of them ended so.
        running: Number of rooms that are not closed yet, and left out.
        erased: Number of dialogues of erased people, which are left out.
        gold: Number of answers to gold items.
        loss: Field to how often the format could not hold it.
        grades: The grades and ranks that people gave systems.
        failed: Bot to the number of talks in which it failed, whose grades are left out.
        agreement: Whether a talk's goal was reached, as (by the database, by the person), to the
            number of talks with both judgements.
    """

    dialogues: int
    outcomes: Mapping[str, int]
    running: int
    erased: int
    gold: int
    loss: Mapping[str, int]
    grades: SystemGrades
    failed: Mapping[str, int]
    agreement: Mapping[tuple[bool, bool], int]


def export(store: Store, to: str, out: Path, *, gold: bool = False) -> Exported:
    """Write a study's dialogues into a new folder; `FormatError` if the store holds no study.

    Args:
        gold: Whether dialogues about gold items are written as well.
    """
    from dialoom import formats
    from dialoom.formats.base.conversion import convert
    from dialoom.formats.native import NativeFormat

    format = formats.get(to)
    study = Collected(store, gold=gold)
    outcomes: Counter[str] = Counter()
    grades = SystemGrades()
    failed: Counter[str] = Counter()
    agreement: Counter[tuple[bool, bool]] = Counter()
    many: int | None = None

    def dialogues() -> Iterator[Dialogue]:
        """Yield the dialogues; a second pass yields the same ones, whatever has ended meanwhile."""
        nonlocal many, grades
        outcomes.clear()
        grades = SystemGrades()
        failed.clear()
        agreement.clear()
        for dialogue in islice(study.dialogues(), many):
            outcomes[dialogue.outcome or ""] += 1
            if FAILURE in dialogue.extra:
                failed[dialogue.extra[SYSTEM_NAME]] += 1
            grades.add(dialogue)
            agreement.update(judgements(dialogue))
            yield dialogue
        many = outcomes.total()

    with staged_folder(out) as stage:
        loss = convert(dialogues, study.schemas, format, stage)
        if to == NativeFormat.name:
            answers = {"gold": study.gold.table()} if study.gold.units else {}
            note(stage, {COLLECTED: recorded(study.settings) | answers})
        study.sounds.write(store, stage)
    return Exported(
        outcomes.total(),
        dict(sorted(outcomes.items())),
        study.running,
        study.erased,
        len(study.gold.units),
        dict(loss),
        grades,
        dict(sorted(failed.items())),
        dict(agreement),
    )


def recorded(settings: Settings) -> dict[str, Any]:
    """Return the settings of a study that a reader of its dialogues asks for; no worker's id."""
    found: dict[str, Any] = {name: getattr(settings, name) for name in RECORDED}
    stages = settings.stages
    if not isinstance(stages, str):
        names = ("name", "kind", "gate", "pay")
        found["stages"] = [{name: getattr(each, name) for name in names} for each in stages]
    pay = msgspec.structs.asdict(settings.pay)
    return found | {"pay": pay, "consent": settings.consent.text}


class Collected:
    """The dialogues in a store.

    Attributes:
        kinds: Stage to its kind of work.
        erased: Number of closed units of erased people, which were left out then.
        gold: The answers of workers, by their numbers, to gold items.

    Raises:
        FormatError: The store holds no study.
    """

    def __init__(self, store: Store, *, gold: bool = False) -> None:
        self._store, self._with_gold = store, gold
        settings = settings_of(store, "the store")
        if settings is None:
            raise FormatError("the store", "it holds no study yet")
        self.settings = settings
        self.library = ScenarioLibrary(self.settings)
        self._stages = study_stages(settings)
        self.kinds = study_kinds(self._stages, self.library, settings)
        self.schemas: dict[str, TaskSchema] = {}
        for kind in self.kinds.values():
            self.schemas |= kind.schemas
        self.running = self.erased = 0
        self.gold = GoldAnswers()
        self.sounds = SoundFiles()
        # read once, so that a second pass gives the same dialogues
        self._reviews: dict[int, Reviewed] = {}
        for record in store.stream(STUDY):
            if isinstance(record.body, Reviewed):
                self._reviews[record.body.assignment] = record.body
            elif isinstance(record.body, Undone):
                del self._reviews[record.body.assignment]

    def dialogues(self) -> Iterator[Dialogue]:
        """Yield the dialogues of rooms in the order in which these closed, then those of documents.

        The dialogue of a room that another stage works on comes with the documents.
        """
        rooms: dict[str, Room] = {}
        lost: set[str] = set()
        self.gold = GoldAnswers()
        made = _Documents(self.kinds, self._stages, self.gold, gold=self._with_gold)
        workers = _Workers()
        self.erased = 0
        for record in self._store.records():
            body: Body = record.body
            if isinstance(body, Entered):
                workers.enter(record, body)
            elif isinstance(body, Offered):
                made.offer(msgspec.convert(body.item, WorkItem))
            elif isinstance(body, Opened):
                kind, item = self.kinds[body.stage], made.items[body.item]
                if workers.erased(body, item):
                    lost.add(record.stream)
                elif isinstance(kind, DocumentKind):
                    work = kind.begin(item, self._stages[body.stage])
                    made.open(record.stream, body, work if self.settings.open else None)
                else:
                    begun = kind.begin(item, self._stages[body.stage])
                    rooms |= {record.stream: begun} if isinstance(begun, Room) else {}
            elif isinstance(body, Closed):
                made.close(record.stream, body, workers)
            self.erased += isinstance(body, Closed) and record.stream in lost
            room = rooms.get(record.stream)
            if room is not None:
                with room.faults.skipping(record.seq):
                    room.apply(record)
                if isinstance(body, Closed):
                    del rooms[record.stream]
                    dialogue = self._of_room(room, record.stream.removeprefix(UNIT), workers)
                    yield from made.room(record.stream, room.stage, dialogue)
            made.apply(record)
        self.running = len(rooms) + made.close_all(workers)
        yield from made.dialogues()

    def _of_room(self, room: Room, number: str, workers: _Workers) -> Dialogue:
        seated = {AGENTS[role]: workers[one] for role, one in room.seats.items()}
        dialogue = self._reviewed(room.dialogue(number, seated), room.seats)
        return self.sounds.named(dialogue, int(number))

    def _reviewed(self, dialogue: Dialogue, seats: Mapping[str, int]) -> Dialogue:
        found = {
            AGENTS[role]: _verdict(self._reviews[one])
            for role, one in seats.items()
            if one in self._reviews
        }
        return replace(dialogue, extra={**dialogue.extra, REVIEWS: found}) if found else dialogue


def _verdict(review: Reviewed) -> dict[str, Any]:
    verdict = {
        "Accepted": review.accepted,
        "Reason": review.reason or None,
        "Instructions": review.instructions,
        "Creativity": review.creativity,
    }
    return {name: value for name, value in verdict.items() if value is not None}


class _Workers:
    """The numbers of workers, by assignment."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._workers: dict[int, str] = {}
        self._erased: set[int] = set()

    def enter(self, record: Record, body: Entered) -> None:
        number = self._numbers.setdefault(body.worker, len(self._numbers) + 1)
        assignment = int(record.stream.partition("/")[2])
        self._workers[assignment] = str(number)
        if is_erased(body.worker):
            self._erased.add(assignment)

    def erased(self, opened: Opened, item: WorkItem) -> bool:
        """True if a person of a unit was erased, or one whose work it was about."""
        theirs = not self._erased.isdisjoint(opened.seats.values())
        return theirs or any(map(is_erased, item.participants))

    def __getitem__(self, assignment: int) -> str:
        return self._workers[assignment]


class _Documents:
    """Collects the dialogues made from documents.

    Work that another stage went on with is left out: the later stage's dialogue contains it. A
    dialogue made from a room's has the room's workers, reviews and files of sounds.
    """

    def __init__(
        self, kinds: Mapping[str, WorkKind], stages: Stages, answers: GoldAnswers, *, gold: bool
    ) -> None:
        self._kinds, self._stages = kinds, stages
        self._answers, self._with_gold = answers, gold
        self._followed = {stage.of for stage in stages}
        self._rooms: dict[str, Dialogue] = {}
        self._origin: dict[str, Dialogue] = {}
        self.items: dict[str, WorkItem] = {}
        self._opened: dict[str, Opened] = {}
        self._works: dict[str, Work] = {}
        self._made: dict[str, tuple[DocumentKind, WorkItem, list[Result]]] = {}

    def offer(self, item: WorkItem) -> None:
        self.items[item.id] = item

    def room(self, stream: str, stage: str, dialogue: Dialogue) -> Iterator[Dialogue]:
        """Yield a room's dialogue if no other stage works on it; else keep it for `dialogues`."""
        if stage in self._followed:
            self._rooms[stream] = self._origin[stream] = dialogue
        else:
            yield dialogue

    def open(self, stream: str, opened: Opened, work: Work | None) -> None:
        """Begin a document; with its state, it is exported before it is closed."""
        self._opened[stream] = opened
        if work is not None:
            self._works[stream] = work

    def apply(self, record: Record) -> None:
        work = self._works.get(record.stream)
        if work is not None:
            with work.faults.skipping(record.seq):
                work.apply(record)

    def close_all(self, workers: _Workers) -> int:
        """Take in the documents that are still open; return how many there are."""
        many = len(self._opened)
        for stream, work in list(self._works.items()):
            self.close(stream, work.close(""), workers)
        return many

    def close(self, stream: str, body: Closed, workers: _Workers) -> None:
        opened = self._opened.pop(stream, None)
        self._works.pop(stream, None)
        if opened is None:
            return
        kind, item = self._kinds[opened.stage], self.items[opened.item]
        if body.result is None or not isinstance(kind, DocumentKind):
            return
        [assignment] = opened.seats.values()
        unit = int(stream.removeprefix(UNIT))
        rules = self._stages[opened.stage].gold
        if item.gold and rules is not None and isinstance(kind, ComparableKind):
            right = kind.score(kind.given(item), body.result) >= rules.right
            self._answers.answer(workers[assignment], opened.stage, unit, right=right)
            if not self._with_gold:
                return
        result = Result(unit, workers[assignment], body.result, opened.batch)
        key = item.id if kind.merges else stream
        if item.after in self._origin:
            self._origin[key] = self._origin[item.after]
        self._made.setdefault(key, (kind, item, []))[2].append(result)

    def dialogues(self) -> Iterator[Dialogue]:
        over = {item.after for _, item, _ in self._made.values()}
        yield from (dialogue for stream, dialogue in self._rooms.items() if stream not in over)
        for key, (kind, item, results) in self._made.items():
            if key not in over:
                for dialogue in kind.dialogues(kind.given(item), results):
                    if item.gold:
                        dialogue = replace(dialogue, extra={**dialogue.extra, GOLD_ITEM: True})
                    yield of_room(dialogue, self._origin[key]) if key in self._origin else dialogue
