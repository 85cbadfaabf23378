"""Export of a study's dialogues as a corpus in any format, also while the server runs.

A dialogue is exported once its unit is closed. Workers' ids are replaced by numbers in the order in
which they first entered; a number means the same person in all dialogues and layers of the study.
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

from dialoom.collect.kinds.document.kind import DocumentKind
from dialoom.collect.kinds.grades import SystemGrades, judgements
from dialoom.collect.kinds.rated_chat import FAILURE
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.kinds.room.sounds import MEDIA, SOUND, of_utterance
from dialoom.collect.kinds.transcription import DELETED
from dialoom.collect.log.record import Reviewed, is_erased
from dialoom.collect.log.store import Store
from dialoom.collect.settings import Settings
from dialoom.collect.studies import replayed, settings_of
from dialoom.collect.study.gold import GoldAnswers
from dialoom.collect.study.handing_on import AGENTS
from dialoom.collect.unit import Result, WorkUnit
from dialoom.corpus.corpus import SOUNDS
from dialoom.corpus.files import staged_folder, write_synced
from dialoom.corpus.shards import COLLECTED, note
from dialoom.dialogue import Dialogue, Event, Utterance
from dialoom.dialogue.annotation import REVIEWS, SYSTEM_NAME
from dialoom.errors import FormatError, MissingDataError
from dialoom.schema.task import TaskSchema

GOLD_ITEM = "GoldItem"
"""The key of a dialogue's `extra` that is true if it is about a gold item."""

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
        running: Number of units that are not closed yet, and left out.
        erased: Number of closed units of erased people, which are left out.
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
    facts: dict[str, Any] = {name: getattr(settings, name) for name in RECORDED}
    if settings.stage_list:
        names, stages = ("name", "kind", "gate", "pay"), settings.stage_list
        facts["stages"] = [{name: getattr(each, name) for name in names} for each in stages]
    pay = msgspec.structs.asdict(settings.pay)
    return facts | {"pay": pay, "consent": settings.consent.text}


class Collected:
    """The dialogues in a store, as its log was when this was made.

    Attributes:
        study: The study, and its `state`.
        running: Number of units that are not closed yet.
        erased: Number of closed units of erased people, which are left out.
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
        self.library = ScenarioLibrary(settings)
        self.study = replayed(store, self.library)
        self.state = self.study.state
        self.schemas: dict[str, TaskSchema] = {}
        for kind in self.state.kinds.values():
            self.schemas |= kind.schemas
        closed, live = self.state.closed, self.state.open.values()
        self.erased = sum(map(self._is_erased, closed))
        self.running = sum(not self._is_erased(unit) for unit in live)
        # unsubmitted talks of an open study are kept
        units = [*closed, *(live if settings.open else ())]
        self._units = [unit for unit in units if not self._is_erased(unit)]
        self.gold = GoldAnswers()
        for unit in self._units:
            if unit.number in self.state.gold.units:
                right = self.state.gold.units[unit.number]
                [assignment] = unit.seats.values()
                self.gold.answer(self._number(assignment), unit.stage, unit.number, right=right)
        self.sounds = SoundFiles()

    def dialogues(self) -> Iterator[Dialogue]:
        """Yield the dialogues of rooms in the order in which these closed, then those of documents.

        The dialogue of a room that another stage works on comes with the documents. If two stages
        work on the same dialogue or outputs, the name of the later one is added to the id.
        """
        names: set[str] = set()
        for stage, dialogue in self._with_stages():
            name = dialogue.id
            while name in names:
                name = f"{name}-{stage}"
            names.add(name)
            yield dialogue if name == dialogue.id else replace(dialogue, id=name)

    def _with_stages(self) -> Iterator[tuple[str, Dialogue]]:
        followed = {stage.of for stage in self.state.stages}
        rooms: dict[str, Dialogue] = {}
        for unit in self._units:
            dialogue = self._of_room(unit)
            if dialogue is None:
                continue
            if unit.stage in followed:
                rooms[unit.stream] = dialogue
            else:
                yield unit.stage, dialogue
        yield from self._of_documents(rooms)

    def _of_room(self, unit: WorkUnit) -> Dialogue | None:
        if isinstance(unit.kind, DocumentKind) or unit.outcome is None:
            return None
        room = unit.kind.begin(unit.item, self.state.stages[unit.stage])
        if not isinstance(room, Room):
            return None
        for record in self._store.stream(unit.stream):
            with room.faults.skipping(record.seq):
                room.apply(record)
        seated = {AGENTS[role]: self._number(one) for role, one in unit.seats.items()}
        dialogue = room.dialogue(str(unit.number), seated)
        return self.sounds.named(_reviewed(dialogue, self._reviews(unit)), unit.number)

    def _of_documents(self, rooms: Mapping[str, Dialogue]) -> Iterator[tuple[str, Dialogue]]:
        """Yield the dialogues made from documents.

        Work that another stage continued is left out: the later stage's dialogue contains it. A
        dialogue made from a room's has the room's workers and files of sounds. Each has the reviews
        of all stages that worked on it.
        """
        groups: dict[str, list[tuple[WorkUnit, Result]]] = {}
        origin = dict(rooms)
        reviews = {stream: room.extra.get(REVIEWS, {}) for stream, room in rooms.items()}
        for unit in self._units:
            result = self._result(unit)
            if result is not None and isinstance(unit.kind, DocumentKind):
                key = unit.item.id if unit.kind.merges else unit.stream
                groups.setdefault(key, []).append((unit, result))
                earlier = reviews.get(key, reviews.get(unit.item.after, {}))
                reviews[key] = earlier | self._reviews(unit)
                if unit.item.after in origin:
                    origin[key] = origin[unit.item.after]
        over = {unit.item.after for pairs in groups.values() for unit, _ in pairs}
        yield from (("room", dialogue) for stream, dialogue in rooms.items() if stream not in over)
        for key, pairs in groups.items():
            unit, results = pairs[0][0], [result for _, result in pairs]
            if key in over or not isinstance(unit.kind, DocumentKind):
                continue
            for dialogue in unit.kind.dialogues(unit.kind.given(unit.item), results):
                if unit.item.gold:
                    dialogue = replace(dialogue, extra={**dialogue.extra, GOLD_ITEM: True})
                dialogue = of_room(dialogue, origin[key]) if key in origin else dialogue
                yield unit.stage, _reviewed(dialogue, reviews[key])

    def _result(self, unit: WorkUnit) -> Result | None:
        """Return a unit's document with its worker's number; None if it is not exported."""
        if not isinstance(unit.kind, DocumentKind):
            return None
        if unit.item.gold and not self._with_gold and self.state.stages[unit.stage].gold:
            return None
        document = unit.result
        if unit.outcome is None and unit.work is not None:
            document = unit.work.close("").result
        [assignment] = unit.seats.values()
        number = self._number(assignment)
        return None if document is None else Result(unit.number, number, document, unit.batch)

    def _is_erased(self, unit: WorkUnit) -> bool:
        seated = (self.state.assignments[one].worker for one in unit.seats.values())
        return any(map(is_erased, (*seated, *unit.item.participants)))

    def _number(self, assignment: int) -> str:
        return str(self.state.numbers[self.state.assignments[assignment].worker])

    def _reviews(self, unit: WorkUnit) -> dict[str, Any]:
        """Return the reviews of a unit, by agent, or for documents by role and worker's number."""
        submissions = self.state.reviews.all
        return {
            AGENTS.get(role, f"{role}-{self._number(one)}"): _verdict(review)
            for role, one in unit.seats.items()
            if one in submissions and (review := submissions[one].review) is not None
        }


def _reviewed(dialogue: Dialogue, reviews: Mapping[str, Any]) -> Dialogue:
    return replace(dialogue, extra={**dialogue.extra, REVIEWS: reviews}) if reviews else dialogue


def _verdict(review: Reviewed) -> dict[str, Any]:
    verdict = {
        "Accepted": review.accepted,
        "Reason": review.reason or None,
        "Instructions": review.instructions,
        "Creativity": review.creativity,
    }
    return {name: value for name, value in verdict.items() if value is not None}


class SoundFiles:
    """The files of the sounds of an export, `sounds/<digest>.webm`, which utterances name."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[int, str]] = {}

    def named(self, dialogue: Dialogue, unit: int) -> Dialogue:
        """Return a unit's dialogue with the paths of its sounds, and note these for `write`."""
        events = tuple(self._event(event, unit) for event in dialogue.events)
        return dialogue if events == dialogue.events else replace(dialogue, events=events)

    def _event(self, event: Event, unit: int) -> Event:
        sound = of_utterance(event) if isinstance(event, Utterance) else None
        if sound is None:
            return event
        digest = sound["Digest"]
        file = f"{SOUNDS}/{digest}{MEDIA[sound['Media']][0]}"
        self._places[file] = unit, digest
        return replace(event, extra={**event.extra, SOUND: {**sound, "File": file}})

    def write(self, store: Store, folder: Path) -> None:
        """Write the files of named dialogues; `MissingDataError` if a speaker was erased."""
        for file, place in self._places.items():
            sent = store.blob(*place)
            if sent is None:
                raise MissingDataError(f"{file}: was erased meanwhile; export once more")
            write_synced(folder / file, sent.data)


def of_room(dialogue: Dialogue, room: Dialogue) -> Dialogue:
    """Return a dialogue made from a room's with its `extra`, workers and paths of sounds."""
    files = {
        sound["Digest"]: sound
        for event in room.events
        if isinstance(event, Utterance) and (sound := of_utterance(event)) is not None
    }

    def with_file(extra: dict[str, Any]) -> dict[str, Any]:
        sound = extra.get(SOUND)
        return {**extra, SOUND: files[sound["Digest"]]} if sound else extra

    events = tuple(
        replace(event, extra=with_file(event.extra)) if isinstance(event, Utterance) else event
        for event in dialogue.events
    )
    extra = {**room.extra, **dialogue.extra}
    if DELETED in extra:
        extra[DELETED] = [with_file(turn) for turn in extra[DELETED]]
    return replace(dialogue, events=events, workers=room.workers, extra=extra)
