"""Effect of a change of schema on dialogues that were annotated under the old one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from dialoom.dialogue import Dialogue, Query, Utterance
from dialoom.dialogue.views import action, parts
from dialoom.quality.legality import SchemaRules, violations
from dialoom.schema.diff import counterparts, summary
from dialoom.schema.service import INTENT
from dialoom.schema.task import TaskSchema

_Key = tuple[str, str, str]


class Tally(msgspec.Struct, frozen=True):
    """An element of a schema with its number of occurrences.

    Attributes:
        kind: Slot, value, intent, call, parameter, required parameter, action or step.
        count: Number of occurrences; for a missing element, the number of the task's dialogues.
        example: The first dialogue and event with it, where there is one.
    """

    task: str
    kind: str
    name: str
    count: int
    example: str | None = None

    def __str__(self) -> str:
        first = f", first in dialogue {self.example}" if self.example else ""
        return f"{self.task}: {self.kind} {self.name} ({self.count}{first})"


class Effect(msgspec.Struct, frozen=True):
    """The effect of a change of schema on some dialogues.

    Attributes:
        missing: Elements of the new schema alone, which no dialogue has.
    """

    dialogues: int
    illegal: tuple[Tally, ...] = ()
    missing: tuple[Tally, ...] = ()

    def data(self) -> dict[str, Any]:
        """Return it as JSON data, defaults included."""
        record: dict[str, Any] = msgspec.to_builtins(self)
        return record


def weigh(
    dialogues: Iterable[Dialogue], old: Mapping[str, TaskSchema], new: Mapping[str, TaskSchema]
) -> Effect:
    """Return the effect of a new schema on dialogues annotated under the old one."""
    pairs = counterparts(old, new)
    before = _rules(old, old)
    after = _rules({name: new[pairs[name]] for name in old if name in pairs}, old)
    after |= {name: SchemaRules(TaskSchema(id=name)) for name in before if name not in after}
    fresh = _Fresh(old, new, pairs)
    counts: Counter[_Key] = Counter()
    first: dict[_Key, str] = {}
    total = 0
    for dialogue in dialogues:
        total += 1
        fresh.add(dialogue)
        faults = Counter(violations(dialogue, before))
        for wrong in violations(dialogue, after):
            if faults[wrong] > 0:
                faults[wrong] -= 1
                continue
            key = wrong[:3]
            counts[key] += 1
            first.setdefault(key, f"{dialogue.id}, event {wrong.event}")
    illegal = tuple(Tally(*key, count, first[key]) for key, count in counts.most_common())
    return Effect(total, illegal, tuple(fresh.missing()))


def _rules(
    tasks: Mapping[str, TaskSchema], schemas: Mapping[str, TaskSchema]
) -> dict[str, SchemaRules]:
    rules = {name: SchemaRules(task) for name, task in tasks.items()}
    for name, permits in list(rules.items()):
        printed = {schemas[name].name, *schemas[name].aliases}
        for other in filter(None, printed):
            rules.setdefault(other, permits)
    return rules


class _Fresh:
    def __init__(
        self, old: Mapping[str, TaskSchema], new: Mapping[str, TaskSchema], pairs: Mapping[str, str]
    ) -> None:
        self.wanted: dict[str, dict[_Key, None]] = {}
        for name, other in pairs.items():
            before, after = summary(old[name]), summary(new[other])
            for kind in ("slot", "intent", "call", "node", "action"):
                for each, thing in after.get(kind, {}).items():
                    audible = kind != "node" or str(thing["kind"]).startswith(("user", "system"))
                    if audible and each not in before.get(kind, {}):
                        self.wanted.setdefault(name, {})[name, kind, each] = None
        self.aliases = {
            printed: name
            for name in pairs
            for printed in filter(None, {old[name].name, *old[name].aliases})
        }
        self.dialogues: Counter[str] = Counter()
        self.shown: set[_Key] = set()

    def add(self, dialogue: Dialogue) -> None:
        names = [each.task for each in dialogue.scenario.capabilities] if dialogue.scenario else []
        tasks = {self.aliases.get(name, name) for name in (*dialogue.services, *names)}
        tasks = {name for name in tasks if name in self.wanted}
        if not tasks:
            return
        self.dialogues.update(tasks)
        used = _used(dialogue)
        for name in tasks:
            self.shown.update(key for key in self.wanted[name] if key[2] in used)

    def missing(self) -> Iterable[Tally]:
        """Yield the elements that no dialogue has, with the number of the task's dialogues."""
        for name, things in self.wanted.items():
            for key in things:
                if key not in self.shown and self.dialogues[name]:
                    yield Tally(*key, self.dialogues[name])


def _used(dialogue: Dialogue) -> set[str]:
    names: set[str] = set()
    for event in dialogue.events:
        names.update(filter(None, (action(event),)))
        if isinstance(event, Query):
            names |= {event.api, *(constraint.slot for constraint in event.constraints)}
        for part in parts(event) if isinstance(event, Utterance) else ():
            for act in part.acts or ():
                names.add(act.name)
                for argument in act.arguments:
                    names.add(argument.slot)
                    if argument.slot == INTENT:
                        names.update(v for v in argument.values if isinstance(v, str))
            if part.state is not None:
                names.update(filter(None, (part.state.intent, *part.state.values)))
    return names
