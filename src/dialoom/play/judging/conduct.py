"""The conduct of an agent: actions too early, twice, or in the wrong words.

    conduct([program], {program.task: heard}, ("stupid",))    # {"called_twice": 1, "forbidden": 2}

None of it decides whether a dialogue succeeds; each is a figure with a threshold of its own. What
comes when follows from the flow, what a turn says from the reading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dialoom.dialogue import Query, Result, Utterance
from dialoom.dialogue.event import CHECK
from dialoom.dialogue.views import label, parts
from dialoom.flow.cursor import calls
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.play.judging.heard import Heard, call_key, given, word_runs
from dialoom.reading.spoken import SpokenAct, SpokenTurn
from dialoom.reading.statements import flat
from dialoom.reading.task_words import task_words
from dialoom.reading.turn import turn_reader
from dialoom.reading.user_turn import reader_of
from dialoom.schema.call import outcomes
from dialoom.schema.flow import OUT_OF_SCOPE
from dialoom.schema.once import once_for_each
from dialoom.schema.places import read_text
from dialoom.schema.values import TEXTS
from dialoom.sim.policies.flow.briefing import policy

CONDUCT: Mapping[str, str] = {
    "booked_unconfirmed": "booked or changed something that the user had not confirmed",
    "reported_unchecked": "offered or reported what no call had returned",
    "left_out": "booked or changed something without a value that the user had given",
    "called_twice": "made a call again that had succeeded, with the same inputs",
    "asked_twice": "asked for a value that the user had given",
    "asked_needless": "asked for something that the task does not need",
    "forbidden": "said a forbidden word",
    "left_early": "took leave before it had made a call",
    "broken_off": "fell silent, made call after call, or found no end",
    "leaked": "quoted its instructions, or named a tool",
    "wrong_language": "spoke another language than the task's",
}

SURE = 0.9
"""Certainty from which on words alone are taken for a report, or for a question."""

SUCCESSES = frozenset({"found", "available", "done"})
"""Outcomes of a call that did what it was made for."""

FAULTS = frozenset({"refused", "error"})
"""Outcomes after which the same call may be tried again."""

_NAME = re.compile(r"\w+")


def conduct(
    programs: Sequence[TaskProgram],
    logs: Mapping[str, Heard],
    forbidden: Iterable[str] = (),
    *,
    broken_off: bool = False,
) -> Counter[str]:
    """Return how often the agent did each of `CONDUCT` in a dialogue.

    `logs` is task to events. `broken_off`: the dialogue was broken off because of the agent.
    """
    counts = Counter(broken_off=int(broken_off))
    for each in (program for program in programs if program.steps):
        counts.update(_Conduct(each, [p for p in programs if p is not each]).run(logs[each.task]))
    banned = [re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE) for word in forbidden]
    events = (pair for own in logs.values() for pair in own)
    for event, turn in events:
        if turn is None or not isinstance(event, Utterance):
            continue
        words = event.text
        counts["forbidden"] += any(each.search(words) for each in banned)
        if label(event) is not None:  # it is of the task file
            continue
        counts["leaked"] += any(leaks(program, words) for program in programs)
        counts["wrong_language"] += not any(task_words(p.schema).native(words) for p in programs)
    return +counts


def read_forbidden(option: str | None) -> tuple[str, ...]:
    """Return the words that an option names: a file with one a line, or words with commas."""
    if option is None:
        return ()
    file = Path(option)
    lines = read_text(file, "a file of words").splitlines() if file.is_file() else option.split(",")
    return tuple(word.strip() for word in lines if word.strip())


class _Conduct:
    """Follows one task of a dialogue, which may have others."""

    def __init__(self, program: TaskProgram, others: Sequence[TaskProgram] = ()) -> None:
        self.program, self.others = program, others
        self.confirmed = self.checked = self.done = self.proposed = False
        self.begun, self.answered = False, True
        self.wanted: set[str] = set()  # slots that the user gave, and did not take back
        self.known: set[str] = set()  # the same, without those of calls that failed
        self.given: dict[str, list[Any]] = {}  # slot to all values that the user gave it
        self.query: Query | None = None
        self.last: dict[str, object] = {}  # call to the key of the last that succeeded
        self.written: set[object] = set()

    def run(self, log: Heard) -> Iterator[str]:
        """Yield the name of a figure each time that it counts."""
        for event, turn in log:
            if isinstance(event, Query):
                yield from self._query(event)
            elif isinstance(event, Result):
                yield from self._result(event)
            elif isinstance(event, Utterance) and turn is not None:
                yield from self._said(event, turn)
            elif isinstance(event, Utterance):
                self._user(event)

    def _query(self, query: Query) -> Iterator[str]:
        steps, key = calls(self.program, query), call_key(query)
        self.query = query
        confirms = any(_confirming(self.program).get(step) for step in steps)
        if confirms and (not self.confirmed or any(self._invented(query))):
            yield "booked_unconfirmed"
        again = key in self.written or self.last.get(query.api) == key
        if again and query.api not in self.program.repeated and not self.confirmed:
            yield "called_twice"

    def _invented(self, query: Query) -> Iterator[Any]:
        """Yield a call's values, without free texts, that differ from the user's."""
        task = self.program.schema
        inputs = {each.name: each.slot or "" for each in task.calls[query.api].inputs}
        for constraint in query.constraints:
            values_given = self.given.get(inputs.get(constraint.slot, ""), ())
            if values_given and task.slots[inputs[constraint.slot]].type not in TEXTS:
                yield from (value for value in constraint.values if value not in values_given)

    def _result(self, result: Result) -> Iterator[str]:
        query = self.query
        call = self.program.schema.calls.get(query.api) if query is not None else None
        if call is None or query is None or "error" in result.extra:
            return
        ended = set(outcomes(call, query.constraints, result.items))
        self.checked = True
        if not ended & FAULTS:
            self.last[query.api] = call_key(query)
        if not ended & SUCCESSES:  # other values may be asked for
            self.known -= {column.slot for column in call.inputs if column.slot}
        if "done" in ended:
            self.confirmed, self.done = False, True
            self.written.add(call_key(query))
            names = {constraint.slot for constraint in query.constraints}
            if any(each.slot in self.wanted and each.name not in names for each in call.inputs):
                yield "left_out"

    def _said(self, event: Utterance, turn: SpokenTurn) -> Iterator[str]:
        accepts = {step for group in _confirming(self.program).values() for step in group}
        step = self.program.steps.get(turn.action or "")
        proposes = step is not None and not accepts.isdisjoint(step.users)
        self.proposed = proposes or turn.function in ("confirm", "offer")
        if turn.function == "goodbye" and self.query is None and self._leaves(event):
            yield "left_early"
        outcome = self._reports(event, turn)
        if outcome is not None and not (self.done if outcome == "done" else self.checked):
            yield "reported_unchecked"
        asks = self._asks(event, turn)
        first, self.begun = not self.begun, True
        if label(event) is None and not first and any(map(self._strange, turn.acts)):
            yield "asked_needless"  # the first turn may greet by a question of any words
        elif asks and self.answered and self.known.issuperset(asks):
            yield "asked_twice"

    def _asks(self, event: Utterance, turn: SpokenTurn) -> set[str]:
        """Return the slots that a turn surely asks for: labelled, or read in context and alone.

        The flow does not ask for known slots, so its context may not explain the question.
        """
        if label(event) is not None or turn.function != "request":
            return set(turn.asks)
        acts = turn_reader(self.program.schema, "system").read(event.text).acts
        alone = {slot for act in acts if act.certainty >= SURE for slot in act.asks}
        return alone & {*turn.asks} if turn.asks else alone

    def _leaves(self, event: Utterance) -> bool:
        """True if a turn surely takes leave: its context reads a repeated line in other ways."""
        main = self._alone(event.text)
        return label(event) is not None or (main is not None and main.function == "goodbye")

    def _alone(self, text: str) -> SpokenAct | None:
        """Return the main act of a turn's words alone; None where they are not certain."""
        main = turn_reader(self.program.schema, "system").read(text).main
        return main if main is not None and main.certainty >= SURE else None

    def _strange(self, act: SpokenAct) -> bool:
        """True if a question concerns nothing in the dialogue's tasks."""
        tasks = (each.schema for each in (self.program, *self.others))
        return act.function == "request" and all(
            task_words(task).foreign(act.text, act.certainty) for task in tasks
        )

    def _reports(self, event: Utterance, turn: SpokenTurn) -> str | None:
        """Return the outcome that a turn reports as success, if unread by its words alone."""
        reports, main = _successes(self.program), turn.main
        has_label = label(event) is not None
        if not has_label and (main is None or main.action is None):
            main = self._alone(event.text)
        valued = has_label or turn.mentions or any(map(str.isdigit, event.text))
        if main is None or (main.function in ("inform", "offer") and not valued):
            return None  # no reply describes a row without a value
        return reports.get(main.action or "")

    def _user(self, event: Utterance) -> None:
        names = {label(event), *(act.name for part in parts(event) for act in part.acts or ())}
        steps = [self.program.steps[name] for name in names if name in self.program.steps]
        own = {slot for slot, _ in given(event)}
        for slot, value in given(event):
            self.given.setdefault(slot, []).extend(flat([value]))
        if not event.layers:
            own = {*reader_of(self.program.schema).heard(event.text, ())}
        forgotten = {slot for step in steps for slot in (*step.node.forget, *step.node.corrects)}
        self.known = (self.known - forgotten) | own
        self.wanted = (self.wanted - forgotten) | own
        accepted = any(
            step in group for group in _confirming(self.program).values() for step in steps
        )
        if not event.layers:
            accepted = self.proposed and reader_of(self.program.schema).agreed(event.text) is True
        if accepted:
            self.confirmed = True
        elif own or forgotten:
            self.confirmed = False
        if forgotten:  # the same may be looked up anew
            self.checked = False
            self.last.clear()
        self.answered = OUT_OF_SCOPE not in names


@once_for_each
def _confirming(program: TaskProgram) -> dict[Step, frozenset[Step]]:
    """Return each writing call behind decisions of the user, with the decisions.

    A call that an answer with a value leads to as well needs none.
    """
    before, decisions = program.schema.flow.before, {}
    for step in program.steps.values():
        if step.call is None or not step.call.writes or step.node.request == CHECK:
            continue
        leading = [program.steps[name] for name in before[step.name]]
        askers = (program.steps[name] for each in leading for name in before[each.name])
        if leading and all(e.kind == "user" for e in leading) and not any(e.asks for e in askers):
            decisions[step] = frozenset(leading)
    return decisions


@once_for_each
def _successes(program: TaskProgram) -> dict[str, str]:
    """Return the replies that report only a success, each with the outcome."""
    table: dict[str, set[str]] = {}
    for step in program.steps.values():
        for after in step.then if step.kind == "result" else ():
            table.setdefault(after.name, set()).add(step.node.outcome or "")
    reports = {name: ends for name, ends in table.items() if ends <= SUCCESSES and len(ends) == 1}
    return {
        name: next(iter(ends))
        for name, ends in reports.items()
        if program.steps[name] not in program.uncalled
    }


def leaks(program: TaskProgram, text: str) -> bool:
    """Return True if a turn quotes the agent's instructions, or names a call as programs do."""
    runs = (*word_runs(text), *_NAME.findall(text))
    return not _instructions(program).isdisjoint(runs)


@once_for_each
def _instructions(program: TaskProgram) -> frozenset[object]:
    """Return the word sequences of the instructions that no reply has, and the names of calls."""
    replies = (text for node in program.schema.flow.nodes.values() for text in node.texts)
    own = {run for text in replies for run in word_runs(text)}
    names = (name for name in program.schema.calls if "_" in name)
    return frozenset((*word_runs(policy((program,))), *names)) - own
