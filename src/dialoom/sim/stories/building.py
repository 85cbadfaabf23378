"""Makes stories of the values of story files, and reports what they name wrongly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from msgspec.structs import replace

from dialoom.errors import DialoomError, UsageError, clip
from dialoom.kb.domain import slot_domain
from dialoom.schema import pack
from dialoom.schema.condition import OPERATORS, Condition
from dialoom.schema.condition import read as read_condition
from dialoom.schema.findings import Report, hint
from dialoom.schema.places import Pointer
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.grammar import OUTCOMES
from dialoom.schema.yaml.scalars import NAME, Number, Scalar, Shape, Text
from dialoom.schema.yaml.shapes import Listed, Mapped, Record
from dialoom.sim.core.grammar import names_in
from dialoom.sim.stories.shared import common
from dialoom.sim.stories.story import Bridge, Kind, Order, StoryInstruction, TaskStory, outputs

REFERENCE = r"[a-z][a-z0-9_]*\.[A-Za-z][A-Za-z0-9_]*"
"""Pattern of a slot or output of a task: task.name."""

MOST_TASKS = 12
"""Most tasks of a sequence: STAR's dialogues have at most five."""

_TASK = Text("a task or task file", longest=200)


def _name(what: str, *, required: bool = False) -> Text:
    return Text(what, pattern=NAME, longest=60, required=required)


def _texts(what: str, *, required: bool = False) -> Listed:
    return Listed(what, Text(what), least=1, lone=True, required=required)


_LIMIT = Scalar("the first or last value")

_SLOT = Record(
    "the values of a slot", {"values": _texts("the values"), "from": _LIMIT, "to": _LIMIT}
)

_TOLD: dict[str, Shape] = {
    "happens": Text("what happens"),
    "instruct": _texts("the user's instruction"),
    "say": _texts("the user's words"),
}

_WORDS = tuple(dict.fromkeys(word for words in OUTCOMES.values() for word in words))

_BRIDGE = Record(
    "a bridge",
    {
        "from": _name("the task that ends"),
        "to": _name("the task that begins", required=True),
        "when": Listed("the outcomes", Text("an outcome", words=_WORDS), least=1, lone=True),
        **_TOLD,
    },
)

_INSTRUCTION = Record(
    "an instruction",
    {
        "kind": Text("the kind", words=get_args(Kind), required=True),
        "task": _name("the task during which it comes"),
        "slot": _name("the slot that it is about"),
        "once_in": Number("in one of how many dialogues it comes", whole=True, least=1, most=1000),
        **_TOLD,
    },
)

STORY_FILE = Record(
    "a story",
    {
        "story": _name("the name of the story", required=True),
        "about": Text("what it is about"),
        "language": Text("the language", longest=20),
        "sequences": Listed(
            "the sequences of tasks",
            Listed(
                "a sequence",
                Listed("a task, or tasks of which one comes", _TASK, least=1, lone=True),
                least=2,
                most=MOST_TASKS,
            ),
            least=1,
            required=True,
        ),
        "topics": Mapped("tasks and their texts for the user", Text("the text"), key=_TASK),
        "slots": Mapped(
            "slots and their values in this story", _SLOT, key=Text("the slot", pattern=REFERENCE)
        ),
        "shared": Mapped(
            "names and the slots that have the same value",
            Listed("the slots", Text("a slot or output", pattern=REFERENCE), least=2),
            key=_name("the name"),
        ),
        "constraints": Listed("the constraints", Text("a constraint")),
        "bridges": Listed("the bridges", _BRIDGE),
        "instructions": Listed("the instructions", _INSTRUCTION),
        "personas": _texts("the personas"),
    },
)
"""The shape of a whole story file."""

_Raw = dict[str, Any]

OWN = frozenset({"new", "old", "value", "other", "slot", "happens"})
"""Placeholders that a kind of instruction fills itself."""

_CONSTRAINT = rf"({REFERENCE}) ({'|'.join(OPERATORS)}) (\S.*)"


class StoryReader:
    """Builds a story from a file's valid parts, with task files in `folder`; reports findings."""

    def __init__(self, raw: _Raw, report: Report, folder: Path) -> None:
        self._raw, self._report, self._folder = raw, report, folder
        self._language = raw.get("language") or "en"
        self._tasks: dict[str, TaskSchema] = {}

    def story(self) -> TaskStory:
        """Return the story without parts that name something unknown; these are reported."""
        raw = self._raw
        sequences = tuple(self._sequences())
        for reference, part in _items(raw, "slots"):
            self._narrow(reference, part)
        shared = {name: tuple(self._shared(name, group)) for name, group in _items(raw, "shared")}
        self._names = frozenset(shared)
        return TaskStory(
            name=raw.get("story") or "",
            about=raw.get("about") or "",
            language=self._language,
            tasks=self._tasks,
            sequences=sequences,
            topics={
                name: text
                for name, text in _items(raw, "topics")
                if self._task(name, ("topics", name))
            },
            shared={name: group for name, group in shared.items() if group},
            constraints=tuple(self._constraints()),
            bridges=tuple(self._bridges()),
            instructions=tuple(self._instructions()),
            personas=tuple(raw.get("personas") or ()),
        )

    def _sequences(self) -> Iterator[Order]:
        for number, sequence in enumerate(self._raw.get("sequences") or ()):
            stages = []
            for place, names in enumerate(sequence):
                at = ("sequences", number, place)
                tasks = tuple(filter(None, (self._load(name, at) for name in names)))
                if tasks:
                    stages.append(tasks)
            if len(stages) > 1:
                yield tuple(stages)

    def _load(self, name: str, at: Pointer) -> str | None:
        path = pack.as_path(name)
        try:
            task = pack.resolve(name if path is None else self._folder / path)
        except DialoomError as error:
            self._report.add("E104", at, str(error))
            return None
        if task.language != self._language:
            message = f"the language of the story is {self._language}, and that of {task.id} is"
            self._report.add("E104", at, f"{message} {task.language}")
            return None
        if not task.flow:
            self._report.add("E103", at, f"the task {task.id} has no flow")
            return None
        self._tasks.setdefault(task.id, task)
        return task.id

    def _task(self, name: str, at: Pointer) -> bool:
        if name not in self._tasks:
            message = f"no sequence has a task {clip(name, 60)!r}"
            self._report.add("E104", at, f"{message}; {hint(name, self._tasks)}")
        return name in self._tasks

    def _refers(self, reference: str, at: Pointer, *, slot: bool = False) -> bool:
        """Return True if a reference is to a slot or output of a task; report it if not."""
        name, _, of = reference.partition(".")
        if not self._task(name, at):
            return False
        task = self._tasks[name]
        names = [*task.slots, *(() if slot else outputs(task))]
        if of not in names:
            what = "slot" if slot else "slot or output"
            message = f"the task {name} has no {what} {clip(of, 60)!r}; {hint(of, names)}"
            self._report.add("E104", at, message)
        return of in names

    def _narrow(self, reference: str, part: _Raw) -> None:
        at = ("slots", reference)
        if not self._refers(reference, at, slot=True):
            return
        name, _, of = reference.partition(".")
        task = self._tasks[name]
        slot = _with_values(task.slots[of], part)
        if slot != task.slots[of] and _has_values(slot):
            self._tasks[name] = replace(task, slots={**task.slots, of: slot})
        else:
            right = "`values` of names and texts, `from` and `to` of numbers, dates and times"
            what = f"not the values of a slot of the type {slot.type}"
            self._report.add("E102", at, f"{what}; right would be {right}")

    def _shared(self, name: str, references: list[str]) -> Iterator[str]:
        links = [
            reference
            for place, reference in enumerate(references)
            if self._refers(reference, ("shared", name, place))
        ]
        slots = [slot for each in links if (slot := self._slot(each)) is not None]
        if len(links) < len(references):
            return
        if not slots:
            right = "at least one of them is a slot, which the others' value goes to"
            self._report.add("E104", ("shared", name), f"only outputs: {', '.join(links)}; {right}")
        elif common(slots) == ():
            right = "give them values under `slots`"
            message = f"no value fits all of {', '.join(links)}; {right}"
            self._report.add("E109", ("shared", name), message)
        else:
            yield from links

    def _slot(self, reference: str) -> Slot | None:
        name, _, of = reference.partition(".")
        return self._tasks[name].slots.get(of)

    def _constraints(self) -> Iterator[Condition]:
        for place, text in enumerate(self._raw.get("constraints") or ()):
            at = ("constraints", place)
            match = re.fullmatch(_CONSTRAINT, text)
            if match is None:
                right = (
                    "task.slot, a comparison (is, is not, is at least, …) and a value or task.slot"
                )
                self._report.add("E105", at, f"{clip(text, 60)!r} should be {right}")
                continue
            references = [side for side in (match[1], match[3]) if re.fullmatch(REFERENCE, side)]
            checks = [self._refers(each, at, slot=True) for each in references]
            if all(checks):
                condition = read_condition(f"name {match[2]} {match[3]}", references)
                if condition is not None:
                    yield replace(condition, name=match[1])

    def _bridges(self) -> Iterator[Bridge]:
        for place, part in enumerate(self._raw.get("bridges") or ()):
            at = ("bridges", place)
            checks = [self._task(part[key], (*at, key)) for key in ("from", "to") if key in part]
            self._check_texts(part, at, frozenset({"task", "happens"}))
            if "happens" in part and not part.get("say"):
                self._report.add("E103", at, "what happens is mentioned: it needs the key 'say'")
            if all(checks) and "to" in part:
                yield Bridge(
                    source=part.get("from", ""),
                    target=part["to"],
                    when=tuple(part.get("when") or ()),
                    **_given_texts(part),
                )

    def _instructions(self) -> Iterator[StoryInstruction]:
        for place, part in enumerate(self._raw.get("instructions") or ()):
            at = ("instructions", place)
            task, slot = part.get("task", ""), part.get("slot", "")
            valid = not task or self._task(task, (*at, "task"))
            if slot and not task:
                self._report.add("E103", at, "a slot is one of a task: it needs the key 'task'")
            elif slot and valid:
                valid = self._refers(f"{task}.{slot}", (*at, "slot"), slot=True)
            self._check_texts(part, at, OWN)
            if part.get("kind") == "event" and not (part.get("happens") and part.get("say")):
                right = "the keys 'happens', and 'say' for how the user mentions it"
                self._report.add("E103", at, f"an event needs {right}")
            if valid and "kind" in part:
                yield StoryInstruction(
                    kind=part["kind"],
                    task=task,
                    slot=slot,
                    once_in=part.get("once_in", 1),
                    **_given_texts(part),
                )

    def _check_texts(self, part: _Raw, at: Pointer, own: frozenset[str]) -> None:
        for key in ("happens", "instruct", "say"):
            entry = part.get(key) or ()
            for text in (entry,) if isinstance(entry, str) else entry:
                for name in names_in(text):
                    if "." in name:
                        self._refers(name, (*at, key))
                    elif name not in own | self._names:
                        right = hint(name, {*own, *self._names})
                        self._report.add("E104", (*at, key), f"nothing fills {{{name}}}; {right}")


def _items(raw: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    return list((raw.get(key) or {}).items())


def _given_texts(part: _Raw) -> dict[str, Any]:
    happens = part.get("happens", "")
    instruct = tuple(text.replace("{happens}", happens) for text in part.get("instruct") or ())
    return {"happens": happens, "instruct": instruct, "say": tuple(part.get("say") or ())}


def _has_values(slot: Slot) -> bool:
    try:
        return slot_domain(slot) is not None
    except (UsageError, TypeError, ValueError):
        return False


def _with_values(slot: Slot, part: _Raw) -> Slot:
    choices = tuple(part.get("values") or ())
    if slot.type in ("category", "categories"):
        return replace(slot, values={value: slot.values.get(value, ()) for value in choices})
    if slot.type in ("short text", "long text"):
        return replace(slot, examples=choices)
    first, last = part.get("from", slot.minimum), part.get("to", slot.maximum)
    return replace(slot, minimum=first, maximum=last)
