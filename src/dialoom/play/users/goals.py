"""Goals that are given instead of drawn: written by hand, or those of recorded dialogues.

    task: hotel_book
    goals:
      - id: quiet-weekend
        values: {hotel: Seven Elms, name: Ada Quill}
        ends:                                # what is changed; what the oracle comes to if absent
          - bookings: {added: [{Name: Seven Elms, CustomerName: Ada Quill}]}
        reported: [Seven Elms]                   # words that the agent has to say; likewise
        says: You want a room where it is quiet.
        state:                               # rows that differ before the dialogue begins
          bookings: {removed: [{Name: Seven Elms}]}
        hands_over: true                     # the right end is that a person takes over

    goals = read_goals(Path("goals"), tasks)
    recorded_goals(run.dialogues, tasks, seed=7)

Slots without a value are left open where the task lets them be. Each of several ends is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.errors import MissingDataError, SchemaError, UnknownNameError, UsageError, clip
from dialoom.kb.fields import load, read_field, store
from dialoom.play.judging.target import HANDED, DueValue
from dialoom.schema.environment import ExpectedCall
from dialoom.schema.places import Document, Pointer, read_document
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import read
from dialoom.schema.yaml.today import resolve
from dialoom.sim.core.rng import seed_of

KINDS = ("added", "removed", "changed")

_KEYS = ("id", "values", "ends", "reported", "says", "calls", "turns", "state", "hands_over")

JUDGED = ("effects", "reported", "others", "database", "state")
"""Keys of a recorded goal that are about its target, not about the user's wishes."""


class PlayGoal(Struct, frozen=True, kw_only=True):
    """A goal that is given: task to the values of its slots, which share one dialogue.

    The `ends` are right changes, each alone, `due` values that the agent must say; the oracle's
    without any. `says` are instructions for a person or a model. A recorded dialogue has `said`,
    `record` (`Scenario.goal`) and its name in the knowledge base. `calls` lead to the right end,
    `turns` are lines for a task without a flow, `state` are different rows at first
    (`KnowledgeBase.arrange`).
    """

    name: str
    wanted: dict[str, dict[str, Any]]
    ends: tuple[dict[str, Any], ...] = ()
    due: tuple[DueValue, ...] | None = None
    says: str = ""
    said: tuple[Utterance, ...] = ()
    record: dict[str, Any] = {}
    database: str = ""
    calls: tuple[ExpectedCall, ...] | None = None
    turns: tuple[str, ...] = ()
    state: dict[str, Any] = {}


def read_goals(path: Path, tasks: Mapping[str, TaskSchema]) -> Iterator[PlayGoal]:
    """Yield the goals of a YAML file or of those in a folder; `SchemaError` for wrong ones."""
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    if not files:
        raise MissingDataError(f"{path}: no goals, which are in files *.yaml", code="no-files")
    for file in files:
        yield from _Reader(read_document(file), tasks).goals()


_WORDS: Mapping[type, str] = {dict: "a mapping", list: "a list", str: "text", bool: "true or false"}


def own_goals(task: TaskSchema) -> Iterator[PlayGoal]:
    """Yield the goals that a task states itself; `SchemaError` if a goal does not fit the task."""
    document = Document(f"task {task.id}", {"task": task.id, "goals": list(task.goals)}, {})
    yield from _Reader(document, {task.id: task}).goals() if task.goals else ()


class _Reader:
    def __init__(self, document: Document, tasks: Mapping[str, TaskSchema]) -> None:
        self._document, self._tasks = document, tasks

    def _wrong(self, at: Pointer, what: str) -> SchemaError:
        line = self._document.place(at).line
        return SchemaError(self._document.path, what, line=line)

    def _entry(self, mapping: Any, at: Pointer, kind: type, *, absent: Any = None) -> Any:
        entry = mapping.get(at[-1], absent)
        if not isinstance(entry, kind):
            raise self._wrong(at, f"{at[-1]}: should be {_WORDS[kind]}")
        return entry

    def goals(self) -> Iterator[PlayGoal]:
        value = self._document.value
        if not isinstance(value, dict):
            raise self._wrong((), "no goals: should be a mapping with task and goals")
        name = self._entry(value, ("task",), str)
        if name not in self._tasks:
            raise self._wrong(("task",), str(UnknownNameError("task", name, self._tasks)))
        task = self._tasks[name]
        for place, entry in enumerate(self._entry(value, ("goals",), list)):
            at: Pointer = ("goals", place)
            if not isinstance(entry, dict):
                raise self._wrong(at, "a goal should be a mapping with id and values")
            yield self._goal(task, entry, at)

    def _goal(self, task: TaskSchema, entry: dict[str, Any], at: Pointer) -> PlayGoal:
        for key in entry:
            if key not in _KEYS:
                raise self._wrong((*at, key), str(UnknownNameError("key of a goal", key, _KEYS)))
        name = self._entry(entry, (*at, "id"), str)
        outside: dict[str, Any] | None = None if task.environment is None else {}
        values = self._entry(entry, (*at, "values"), dict, absent=outside)
        stated = self._entry(entry, (*at, "ends"), list, absent=[])
        ends = [self._end(task, end, (*at, "ends", n)) for n, end in enumerate(stated)]
        due = entry.get("reported")
        if self._entry(entry, (*at, "hands_over"), bool, absent=False):
            ends = [{**end, **HANDED} for end in ends or [{}]]
        return PlayGoal(
            name=name,
            wanted={task.id: {s: self._value(task, s, v, at) for s, v in values.items()}},
            ends=tuple(ends),
            state=self._state(task, entry, at),
            due=None if due is None else tuple(DueValue("", each) for each in due),
            says=self._entry(entry, (*at, "says"), str, absent=""),
            database=name,
            calls=self._calls(entry, at),
            turns=tuple(self._entry(entry, (*at, "turns"), list, absent=[])),
        )

    def _calls(self, entry: dict[str, Any], at: Pointer) -> tuple[ExpectedCall, ...] | None:
        if "calls" not in entry:
            return None
        try:
            return msgspec.convert(entry["calls"], tuple[ExpectedCall, ...])
        except msgspec.ValidationError as error:
            raise self._wrong((*at, "calls"), f"calls: {error}") from error

    def _value(self, task: TaskSchema, slot: str, value: Any, at: Pointer) -> Any:
        place = (*at, "values", slot)
        if slot not in task.slots:
            raise self._wrong(place, str(UnknownNameError("slot", slot, task.slots)))
        reading = canonical(task.slots[slot], value, task.language)
        if reading is None:
            raise self._wrong(place, f"{clip(str(value))} is no value of {slot}")
        return reading

    def _end(self, task: TaskSchema, end: Any, at: Pointer) -> dict[str, Any]:
        if not isinstance(end, dict):
            raise self._wrong(at, "an end should be a mapping of tables")
        for table, changes in end.items():
            if table not in task.tables:
                raise self._wrong((*at, table), str(UnknownNameError("table", table, task.tables)))
            if not isinstance(changes, dict) or not changes.keys() <= {*KINDS}:
                raise self._wrong((*at, table), f"{table}: should have {', '.join(KINDS)}")
        return end

    def _state(self, task: TaskSchema, entry: dict[str, Any], at: Pointer) -> dict[str, Any]:
        at = (*at, "state")
        state: dict[str, Any] = {}
        for table, kinds in self._end(task, self._entry(entry, at, dict, absent={}), at).items():
            for kind, rows in kinds.items():
                if not isinstance(rows, list):
                    raise self._wrong((*at, table, kind), f"{kind}: should be a list of rows")
                place: Pointer = (*at, table, kind)
                records = [self._row(task, table, row, (*place, n)) for n, row in enumerate(rows)]
                state.setdefault(table, {})[kind] = records
        return state

    def _row(self, task: TaskSchema, table: str, row: Any, at: Pointer) -> Any:
        """Return a row of a state; of a changed one, its `where` and its new values."""
        if at[-2] != "changed":
            return self._cells(task, table, row, at)
        if not isinstance(row, list) or len(row) != len(_PAIR):
            raise self._wrong(at, f"changed: should be pairs: {' and '.join(_PAIR)}")
        return [self._cells(task, table, part, at) for part in row]

    def _cells(self, task: TaskSchema, table: str, row: Any, at: Pointer) -> dict[str, Any]:
        if not isinstance(row, dict):
            raise self._wrong(at, "a row should be a mapping of columns")
        columns = {column.name: column for column in task.tables[table].columns}
        cells: dict[str, Any] = {}
        for name, value in row.items():
            if name not in columns:
                raise self._wrong(at, str(UnknownNameError("column", name, columns)))
            field = read_field(columns[name], task.slots)
            dated = resolve(value, task.today) if isinstance(value, str) and task.today else value
            slot = task.slots.get(columns[name].slot or "")
            reading = dated if slot is None else canonical(slot, dated, task.language)
            try:
                cells[name] = load(field, store(field, reading))
            except UsageError as error:
                raise self._wrong(at, str(error)) from None
            if reading is None and dated is not None:
                raise self._wrong(at, f"{clip(str(dated))} is no value of {name}")
        return cells


_PAIR = ("the columns of the rows that are meant", "their new values")


def canonical(slot: Slot, value: Any, language: str) -> Any:
    """Return the canonical value for a text or number in a file; None where there is none."""
    if isinstance(value, list):
        readings = [canonical(slot, each, language) for each in value]
        return None if None in readings else readings
    if value in slot.values:
        return [value] if slot.type == "categories" else value
    return read(slot, str(value), language)


def recorded_goals(
    dialogues: Iterable[Dialogue], tasks: Mapping[str, TaskSchema], seed: int
) -> Iterator[PlayGoal]:
    """Yield the goals of dialogues that agents have played, with the user's side of each.

    Dialogues without a result are passed over, since a failure cut them short.
    """
    for dialogue in dialogues:
        verdict, scenario = dialogue.extra.get("play"), dialogue.scenario
        if verdict is None or scenario is None:
            raise UsageError(
                f"dialogue {dialogue.id} is of no run, which dialoom play --out writes"
            )
        names = [capability.task for capability in scenario.capabilities]
        if "failure" in verdict or not tasks.keys() >= set(names):
            continue
        goal = scenario.goal
        aims = goal.get("tasks", {names[0]: goal})
        base = seed_of(seed, verdict["goal"]).hex()[:16]
        yield PlayGoal(
            name=dialogue.id.removeprefix(f"{names[0]}-"),
            wanted={name: aims[name].get("values", {}) for name in names},
            ends=(goal["effects"], *goal.get("others", ())),
            due=tuple(DueValue(**due) for due in goal["reported"]),
            said=tuple(e for e in dialogue.events if isinstance(e, Utterance) and e.agent == USER),
            record={key: part for key, part in goal.items() if key not in JUDGED},
            database=goal.get("database", base),
            state=goal.get("state", {}),
        )
