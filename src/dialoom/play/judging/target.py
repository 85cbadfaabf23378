"""The target of a dialogue: right changes of the database, and values that the agent must say.

    target = target_of([program], events, session.difference().data())
    target.effects, target.due

The target is what the oracle (an agent that follows the flow and reads the user's acts) reaches
with the same user. The values are those that every wording of the oracle's replies contains
and the user has not said.

A hand-over to a person is judged as one of the changes: a dialogue has to end by one where its goal
says so. It counts if a reply of the agent is surely read as one, among the turns about a task whose
flow has one, and the agent makes no calls after it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event import Item
from dialoom.dialogue.views import label, parts
from dialoom.flow.program import TaskProgram
from dialoom.play.judging.heard import UserWords, given, slot_of
from dialoom.reading.dialogue import DOUBTFUL, DialogueReading
from dialoom.reading.spoken import SpokenAct
from dialoom.reading.statements import names
from dialoom.schema.slot import Slot

MOST_LISTED = 5
"""Number of other values of a column above which a turn conveys none of them: a user cannot find
one value in a list of everything."""


class DueValue(Struct, frozen=True):
    """A value that the agent has to say, by a placeholder of replies or literally (no name)."""

    name: str
    value: Any
    task: str = ""


class DialogueTarget(Struct, frozen=True, kw_only=True):
    """The target of a dialogue: changes (or equally right `others`), and values to say."""

    effects: dict[str, Any] = {}
    due: tuple[DueValue, ...] = ()
    others: tuple[dict[str, Any], ...] = ()

    @property
    def ends(self) -> tuple[dict[str, Any], ...]:
        """All changes of the database that are right."""
        return (self.effects, *self.others)


def target_of(
    programs: Sequence[TaskProgram], events: Sequence[Event], effects: dict[str, Any]
) -> DialogueTarget:
    """Return the target that a correct dialogue shows."""
    shares = by_task([program.task for program in programs], events)
    due: list[DueValue] = []
    for program in programs:
        own = program.task if len(programs) > 1 else ""
        for each in _said(program, shares[program.task]):
            entry = replace(each, task=own)
            if entry not in due:
                due.append(entry)
    return DialogueTarget(effects=effects, due=tuple(due))


def about(event: Utterance) -> str | None:
    """Return the task that a user's utterance is annotated with; None without such annotation."""
    states = (part.state for part in parts(event) if part.state is not None)
    return next((state.intent for state in states), None)


def by_task(tasks: Sequence[str], events: Iterable[Event]) -> dict[str, list[Event]]:
    """Return task to its events, by the annotation of the user's turns."""
    shares: dict[str, list[Event]] = {task: [] for task in tasks}
    now = tasks[0]
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            topic = about(event)
            now = topic if topic in shares else now
        shares[now].append(event)
    return shares


def unreported(
    programs: Sequence[TaskProgram], target: DialogueTarget, events: Sequence[Event]
) -> list[DueValue]:
    """Return the values of a target that the agent did not say.

    A value is said by a turn of the agent that names it after a call for what the user said has
    returned it; for the result of a search, the values of any row that fits that will do.
    """
    turns = list(_turns(programs, events))
    shares: dict[str, list[Event]] = {}
    missing: list[DueValue] = []
    for due in target.due:
        program = next((each for each in programs if each.task == due.task), programs[0])
        if says(program, turns, due):
            continue
        shares = shares or by_task([each.task for each in programs], events)
        rows = _rows(program, shares[program.task])
        options = (DueValue(due.name, row[due.name]) for row in rows if due.name in row)
        if not any(says(program, turns, each) for each in options):
            missing.append(due)
    return missing


class AgentTurn(NamedTuple):
    """An agent's words between two turns of the user, and the values it had been returned."""

    text: str
    returned: Mapping[str, Sequence[Any]]


def _turns(programs: Sequence[TaskProgram], events: Iterable[Event]) -> Iterator[AgentTurn]:
    """Yield the agent's turns, each with column to the values returned before its end.

    Results of calls with values from neither the user nor a result are ignored, so that an agent
    cannot profit from trying all calls.
    """
    returned: dict[str, list[Any]] = {}
    lines: list[str] = []
    words, queries = UserWords(programs), set[str]()
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            yield AgentTurn("\n".join(lines), {**returned})
            lines = []
            words.add(event)
        elif isinstance(event, Utterance):
            lines.append(event.text)
        elif isinstance(event, Query):
            if words.cover(event, [value for values in returned.values() for value in values]):
                queries.add(event.id)
        elif isinstance(event, Result) and event.query in queries:
            for name, value in (pair for item in event.items for pair in item.items()):
                parts = value if isinstance(value, list | tuple) else (value,)
                returned[name] = [*returned.get(name, ()), *parts]
    yield AgentTurn("\n".join(lines), returned)


def _rows(program: TaskProgram, events: Iterable[Event]) -> Iterator[Item]:
    facts: dict[str, Any] = {}
    queries: set[str] = set()
    calls = program.schema.calls
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            facts |= dict(given(event))
        elif isinstance(event, Query) and event.api in calls:
            slots = {column.name: column.slot or "" for column in calls[event.api].inputs}
            own = [facts.get(slots.get(c.slot, "")) for c in event.constraints]
            pairs = zip(own, event.constraints, strict=True)
            searched = own and calls[event.api].effect == "search"
            if searched and all(value in (c.value, list(c.values)) for value, c in pairs):
                queries.add(event.id)
        elif isinstance(event, Result) and event.query in queries:
            yield from event.items


def says(program: TaskProgram, turns: Iterable[AgentTurn], due: DueValue) -> bool:
    """True if turns contain a value, or each element of a list."""
    slot = slot_of(program, due.name)
    values = due.value if isinstance(due.value, list | tuple) else (due.value,)
    replies = list(turns)
    return all(
        any(_contains(program, turn, due.name, slot, each) for turn in replies) for each in values
    )


def _contains(
    program: TaskProgram, turn: AgentTurn, name: str, slot: Slot | None, value: Any
) -> bool:
    """True if a turn contains a returned value, and not a whole list of such values.

    Words that a goal lists itself have no name, and count wherever the agent says them.
    """
    column = turn.returned.get(name)
    returned = column or [each for group in turn.returned.values() for each in group]
    if (name and value not in returned) or not names(turn.text, slot, value, program.language):
        return False
    others = {each for each in column or () if each != value and isinstance(each, Hashable)}
    if len(others) < MOST_LISTED:
        return True
    return sum(names(turn.text, slot, each, program.language) for each in others) < MOST_LISTED


def _said(program: TaskProgram, events: Iterable[Event]) -> Iterator[DueValue]:
    """Yield the values that all wordings of a reply have and the user had not said."""
    facts: dict[str, Any] = {}
    for event in events:
        if not isinstance(event, Utterance):
            continue
        if event.agent == USER:
            facts |= dict(given(event))
            continue
        step = program.steps.get(label(event) or "")
        lines = step.lines if step is not None else ()
        names = set.intersection(*(set(line.names) for line in lines)) if lines else set()
        for name, value in dict(given(event)).items():
            slot = slot_of(program, name)
            own = facts.get(slot.name if slot is not None else name)
            if name in names and value != own:
                yield DueValue(name, value)


HAND_OVER = "hand-over"
"""Its name among the tables, whose names have no hyphen."""

HANDED: Mapping[str, Any] = {HAND_OVER: {"added": [{"to": "person"}]}}


def with_hand_over(
    programs: Sequence[TaskProgram], events: Sequence[Event], changed: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the changes of a dialogue, with the hand-over if it has one."""
    shares = by_task([program.task for program in programs], events)
    handed = any(_hands_over(program, shares[program.task]) for program in programs)
    return {**changed, **(HANDED if handed else {})}


def _hands_over(program: TaskProgram, events: Sequence[Event]) -> bool:
    if not any(node.hands_over for node in program.schema.flow.nodes.values()):
        return False
    reading, handed_over = DialogueReading(program.schema), False
    for event in events:
        reading.observe(event)
        is_system = isinstance(event, Utterance) and event.agent == SYSTEM
        if isinstance(event, Query):
            handed_over = False
        elif is_system and any(_is_one(program, act) for act in reading.turn.acts):
            handed_over = True
    return handed_over


def _is_one(program: TaskProgram, act: SpokenAct) -> bool:
    node = program.schema.flow.nodes.get(act.action or "")
    hands_over = act.function == "hand_over" if node is None else node.hands_over
    return hands_over and act.certainty >= DOUBTFUL
