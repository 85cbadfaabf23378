"""A running reading of the system's side of a dialogue: each turn in its context.

    reading = DialogueReading(task)
    for event in dialogue.events:
        reading.observe(event)
    reading.turn.action               # the node of the system's last turn

An action label decides the reading of a reply. Any other reply is read by its words; replies that
the flow leads to, after the last result or the user's last turn, come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, Event, Query, Result, Utterance
from dialoom.dialogue.views import label, parts
from dialoom.flow.cursor import FlowCursor, GivenValues, calls, results
from dialoom.flow.program import TaskProgram, program_of
from dialoom.reading.asides import ALWAYS, CERTAIN, IN_PLACE, LAST, NAMED, QUESTION, without_asides
from dialoom.reading.function_scorer import function_of, function_scorer
from dialoom.reading.profile import Reply
from dialoom.reading.reports import list_reading, stated_report
from dialoom.reading.spoken import OTHER_TASK, SpokenAct, SpokenTurn
from dialoom.reading.task_words import task_words
from dialoom.reading.turn import asks_with, turn_reader
from dialoom.reading.wording import wording_of
from dialoom.schema.flow import CUSTOM
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import find

STRANGERS = 1
"""Most words of a question that the task lacks, if it is to be the awaited one."""

FIT = 0.5
"""Least probability of a question's kind of value at which one more such word is allowed."""


def awaited(program: TaskProgram, text: str, led: Iterable[str]) -> Reply | None:
    """Return the question that the flow awaits if a text may be it: the only one that fits.

    The text needs no word of the question, but may have few words that the task lacks.
    """
    task, replies = program.schema, turn_reader(program.schema, "system").profiles.replies
    asking = [replies[name] for name in led if replies[name].function == "request"]
    wording = wording_of(text, task.language)
    kinds = function_scorer(task.language, "system").probabilities(wording)
    fitting = [each for each in asking if max(kinds.get(k, 0.0) for k in each.labels) >= FIT]
    likely = fitting if len({each.asks for each in fitting}) == 1 else asking
    if len({each.asks for each in likely}) != 1:
        return None
    strangers = task_words(task).strangers(wording.words)
    return likely[0] if len(strangers) <= STRANGERS + bool(fitting) else None


def is_question(text: str, function: str, marks: tuple[str, ...]) -> bool:
    """Return True if a sentence asks by its function or, without one, by its mark."""
    return function_of(function) == "request" or (not function and text.endswith(marks))


NEXT = 2.0
"""Bonus, in nats, of a reply that the flow leads to."""

EXCLUDED = -3.5
"""The same for a reply to another outcome of the call, or to a call that was not made."""

DOUBTFUL = 0.9
"""Certainty below which a question is read otherwise when the answer to it is not taken."""

FIRST = 0.5
"""Certainty of a first turn that is taken for a greeting: a coin's, for its words are not read."""

UNASKED = -1.5
"""Bonus, in nats, of replies off the flow: a statement, an offer, or a question for a value that
the user has given."""

ENTRY = re.compile(r"[^:.,]{1,30}: *[^: ]")
"""The beginning of a line with a name and a value; no slot of a bundled task has a longer name."""

ALIKE = frozenset({"confirm", "success", "nothing", "failure", "more", "goodbye"})
"""Functions that identify a reply if the flow leads to one reply of the function."""


class DialogueReading:
    """Reads the system's turns in one task: the last `turn`, and `unread` texts."""

    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self.turn = SpokenTurn()
        self.unread: list[str] = []
        self._reader = turn_reader(task, "system")
        self._from: tuple[str, ...] = ()
        self._against: tuple[str, ...] = ()
        self._query: Query | None = None
        self._known: tuple[str, ...] = ()
        self._declined: set[str] = set()
        self._returned: dict[str, Any] = {}
        self._tried: list[SpokenTurn] = []
        self._question: str | None = None
        self._beside = self._unreported = False

    def observe(self, event: Event) -> None:
        """Take in the next event."""
        if isinstance(event, Query):
            self._query = event
        elif isinstance(event, Result):
            self._conclude(event)
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            self.turn = self._again(event, self.read(event))
            if self.turn.main is not None and not self.turn.understood:
                self.unread.append(event.text)
            self._from, self._against = (self.turn.action,) if self.turn.action else (), ()
            self._unreported = False
        elif isinstance(event, Utterance):
            named = label(event)
            self._beside = named is not None and named not in self.task.flow.nodes
            self._from = self._from if named is None or self._beside else (named,)
            acts = [act for part in parts(event) for act in part.acts or ()]
            empty = [a.slot for act in acts for a in act.arguments if not (a.values or a.canonical)]
            self._declined = {*self._declined, *empty}
            states = [part.state for part in parts(event) if part.state is not None]
            self._known = tuple(sorted(states[-1].values)) if states else self._known

    def read(self, said: Utterance) -> SpokenTurn:
        """Return the reading of a turn of the system in this context."""
        named = label(said)
        node = self.task.flow.nodes.get(named or "")
        if node is None and named not in (None, CUSTOM):
            return SpokenTurn((SpokenAct(said.text, OTHER_TASK, certainty=1.0),))
        if node is None:
            return self._in_context(said.text)
        reply = self._reader.profiles.replies.get(node.name)
        function = (reply.function if reply is not None else None) or ""
        return SpokenTurn((SpokenAct(said.text, function, node.name, node.asks, 1.0),))

    def _in_context(self, text: str) -> SpokenTurn:
        """Return the reading of a text by its words, corrected by what is expected here."""
        expected = self.expected()
        element = list_reading(program_of(self.task), text, self._returned)
        if element is not None:
            expected = {**expected, element.other: EXCLUDED}
        heard = self._fitting(self._reader.read(text, expected), expected)
        placed = self._placed(self._doubted(heard), expected)
        concerns = task_words(self.task).concerns
        bare = without_asides(placed, expected, self._known, concerns)
        return self._opened(self._led(bare, expected), expected)

    def _opened(self, turn: SpokenTurn, expected: Mapping[str, float]) -> SpokenTurn:
        """Return an unread first turn as the greeting that the flow leads to.

        Services greet in words of their own; in any case the user states the wish next.
        """
        main, replies = turn.main, self._reader.profiles.replies
        if main is None or turn.understood or self._question is not None:
            return turn
        led = (name for name, bonus in expected.items() if bonus > 0)
        greeting = next((name for name in led if replies[name].function == "greeting"), None)
        if greeting is None:
            return turn
        act = replace(main, function="greeting", action=greeting, certainty=FIRST)
        return replace(turn, acts=tuple(act if each is main else each for each in turn.acts))

    def _fitting(self, turn: SpokenTurn, expected: Mapping[str, float]) -> SpokenTurn:
        """Return a turn without the acts that fit worse here than another act of it.

        An act off the flow is dropped if another one is on it or says that the system did not
        understand. A line that names a value of a slot does not ask for it.
        """
        bonus = {id(act): expected.get(act.action or "", 0.0) for act in turn.acts}
        led = any(bonus[id(act)] > 0 or act.function == "not_understood" for act in turn.acts)
        misfits = {
            id(act)
            for act in turn.acts
            if (led and bonus[id(act)] < 0) or (len(turn.acts) > 1 and self._states(act))
        }
        acts = [replace(a, action=None, asks=()) if id(a) in misfits else a for a in turn.acts]
        return replace(turn, acts=tuple(acts)) if misfits else turn

    def _states(self, act: SpokenAct) -> bool:
        """Return True if an apparent question gives a value of the slot it would ask for."""
        if not act.asks or act.text.endswith(QUESTION):
            return False
        slots = [self.task.slots[slot] for slot in act.asks]
        return bool(ENTRY.match(act.text) or find(act.text, slots, self.task.language))

    def _doubted(self, turn: SpokenTurn) -> SpokenTurn:
        """Drop questions that share no words with the task; read repeated ones as the likeliest."""
        acts = [
            replace(act, action=None, asks=(), certainty=0.0) if self._strange(act) else act
            for act in turn.acts
        ]
        return replace(turn, acts=tuple(acts))

    def _placed(self, turn: SpokenTurn, expected: Mapping[str, float]) -> SpokenTurn:
        """Return a turn with the replies that only the place of its sentences shows.

        A sentence that names a returned value reports it. A question that names no slot is the one
        that the flow leads to, if there is one.
        """
        led = [action for action, bonus in expected.items() if bonus > 0]
        taken = {act.action for act in turn.acts}
        open_ = [action for action in led if action not in taken]
        return replace(turn, acts=tuple(self._in_place(act, led, open_) for act in turn.acts))

    def _in_place(self, act: SpokenAct, led: list[str], open_: list[str]) -> SpokenAct:
        program, replies = program_of(self.task), self._reader.profiles.replies
        if act.action in led or act.function == "not_understood":
            return act
        report = self._reported(act, led)
        if report is not None:
            function = replies[report].function or act.function
            return replace(act, action=report, function=function, asks=(), certainty=IN_PLACE)
        named = act.action and act.certainty >= NAMED and not self._unnamed(act)
        if named or not is_question(act.text, act.function, QUESTION):
            return act
        reply = awaited(program, act.text, open_)
        if reply is None:
            return act
        return replace(
            act, function="request", action=reply.action, asks=reply.asks, certainty=IN_PLACE
        )

    def _reported(self, act: SpokenAct, led: list[str]) -> str | None:
        """Return the reply of `led` that states what a sentence names of the last result."""
        program = program_of(self.task)
        element = list_reading(program, act.text, self._returned)
        if element is not None and element.reply in led:
            return element.reply
        if act.action is not None:
            return None
        return stated_report(program, act.text, self._returned, led)

    def _unnamed(self, act: SpokenAct) -> bool:
        words = wording_of(act.text, self.task.language)
        return not asks_with(self._reader.profiles.replies[act.action or ""], words)

    def _strange(self, act: SpokenAct) -> bool:
        if not act.asks or act.function != "request" or act.certainty >= CERTAIN:
            return False
        words = wording_of(act.text, self.task.language).words
        return len(words) > 1 and self._unnamed(act)

    def _led(self, turn: SpokenTurn, expected: Mapping[str, float]) -> SpokenTurn:
        """Return a turn with the reply that the flow leads to, if it alone has the function."""
        main, replies = turn.main, self._reader.profiles.replies
        if main is None or main.function not in ALIKE or main.action is None:
            return turn
        led = [action for action, bonus in expected.items() if bonus > 0]
        same = [action for action in led if replies[action].function == main.function]
        if main.action in led or len(same) != 1:
            return turn
        act = replace(main, action=same[0], asks=replies[same[0]].asks)
        return replace(turn, acts=tuple(act if each is main else each for each in turn.acts))

    def _again(self, said: Utterance, turn: SpokenTurn) -> SpokenTurn:
        """Return another reading of a question if the system did not accept its answer.

        That is, it says that it did not understand, or repeats itself. The first time the user may
        have been unclear or spoken of something else: only a doubtful repeated question is reread
        at once. After that, the next likeliest reading is used.
        """
        apology = turn.function == "not_understood"
        if not apology:
            self._narrow(said.text, turn)
        if label(said) not in (None, CUSTOM) or not (apology or said.text == self._question):
            self._question, self._tried = said.text, [turn]
            return turn
        same = turn if apology or not self._tried else self._tried[-1]
        if self._beside:
            return same
        sure = bool(self._tried) and self._tried[0].certainty >= DOUBTFUL
        if self._question is None or (len(self._tried) == 1 and (apology or sure)):
            self._tried.append(same)
            return same
        bonus = dict(self.expected())
        for tried in {each.action for each in self._tried if each.action is not None}:
            bonus[tried] = bonus.get(tried, 0.0) + EXCLUDED
        other = self._reader.read(self._question, bonus)
        self._tried.append(other)
        return other if other.understood else turn

    def _narrow(self, text: str, turn: SpokenTurn) -> None:
        """Forget the rest of the last turn if only one question of it comes again."""
        main = turn.main
        if main is None or not main.asks or text == self._question:
            return
        alike = [act for each in self._tried for act in each.acts if act.text == main.text]
        if alike:
            self._question, self._tried = text, [SpokenTurn((alike[-1],), turn.mentions)]

    def expected(self) -> Mapping[str, float]:
        """Return the bonus of each reply that is likelier or less likely here than elsewhere.

        A result is reported before any other statement or repeated question. A first turn is no
        last.
        """
        program, called = program_of(self.task), self._query is not None
        bonus = _expected(program, self._from, self._against, self._known, called)
        replies = self._reader.profiles.replies
        if self._question is None:  # nobody takes leave by the first thing that they say
            ends = (name for name, each in replies.items() if each.function in LAST)
            return dict.fromkeys(ends, EXCLUDED) | bonus
        if not self._unreported:
            return bonus
        led = {replies[name].function for name, held in bonus.items() if held > 0}
        apart = [n for n, held in bonus.items() if held < 0 and replies[n].function not in led]
        answered = self._declined.union(self._known)
        apart += [n for n, each in replies.items() if each.asks and answered.issuperset(each.asks)]
        return bonus | dict.fromkeys(apart, EXCLUDED)

    def _conclude(self, result: Result) -> None:
        query = self._query
        if query is None or query.api not in self.task.calls:
            return
        made = calls(program_of(self.task), query)
        ended = {e.name: None for call in made for e in results(call, query, result)}
        after = {e.name: None for call in made for e in call.after if e.kind == "result"}
        self._returned = dict(result.items[0]) if result.items else {}
        self._from = tuple(ended)
        self._against = tuple(name for name in after if name not in ended)
        self._unreported = True


@lru_cache(maxsize=4096)
def _expected(
    program: TaskProgram,
    after: tuple[str, ...],
    against: tuple[str, ...],
    known: tuple[str, ...],
    called: bool,
) -> dict[str, float]:
    led, excluded = _replies(program, after, known), _replies(program, against)
    if not called:
        results = [step.name for step in program.steps.values() if step.kind == "result"]
        excluded |= _replies(program, results) - {step.name for step in program.uncalled}
    replies = turn_reader(program.schema, "system").profiles.replies.values()
    unasked = {
        each.action
        for each in replies
        if all(slot in known for slot in each.asks) and each.function not in ALWAYS
    }
    return {
        **dict.fromkeys(sorted(unasked - led), UNASKED),
        **dict.fromkeys(sorted(led), NEXT),
        **dict.fromkeys(sorted(excluded - led), EXCLUDED),
    }


def _replies(program: TaskProgram, after: Iterable[str], known: Iterable[str] = ()) -> set[str]:
    """Return the replies that come after some nodes before the user speaks again."""
    steps = [program.steps[name] for name in after if name in program.steps]
    cursor = FlowCursor(program, GivenValues(program, dict.fromkeys(known)), steps)
    return {step.name for step in cursor.replies()} if steps else set()
