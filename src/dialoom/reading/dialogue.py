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
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, Event, Query, Result, Utterance
from dialoom.dialogue.views import label, parts
from dialoom.flow.cursor import FlowCursor, GivenValues, calls, results
from dialoom.flow.node import FAILURES, Step
from dialoom.flow.program import program_of
from dialoom.reading.awaited import (
    BARRED,
    CERTAIN,
    EXCLUDED,
    IN_PLACE,
    LAST,
    NAMED,
    QUESTION,
    alike,
    awaited,
    invited,
    is_question,
    list_reading,
    replies_awaited,
    stated_report,
    without_asides,
)
from dialoom.reading.spoken import FILLERS, OTHER_TASK, SpokenAct, SpokenTurn
from dialoom.reading.task_words import task_words
from dialoom.reading.turn import STATED, UNDONE, asks_with, turn_reader
from dialoom.reading.wording import sentences, wording_of
from dialoom.schema.flow import CUSTOM
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import find

DOUBTFUL = 0.9
"""Certainty below which a question is read otherwise when the answer to it is not taken."""

FIRST = 0.5
"""Certainty of a first turn that is taken for a greeting: a coin's, for its words are not read."""

EARLY = LAST | {"not_understood"}
"""Functions of replies that do not come between a call and the report of its result."""

LABEL = ":"
"""The end of a line that asks for a value as a form does."""

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
        self._expected: Mapping[str, float] = {}
        self._asked: dict[str, tuple[str, ...]] = {}
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
            self._asked |= {act.text: act.asks for act in self.turn.acts if act.asks}
            self._from, self._against = (self.turn.action,) if self.turn.action else (), ()
            self._unreported = False
        elif isinstance(event, Utterance):
            name = label(event)
            self._beside = name is not None and name not in self.task.flow.nodes
            self._from = self._from if name is None or self._beside else (name,)
            acts = [act for part in parts(event) for act in part.acts or ()]
            empty = [a.slot for act in acts for a in act.arguments if not (a.values or a.canonical)]
            self._declined = {*self._declined, *empty}
            states = [part.state for part in parts(event) if part.state is not None]
            self._known = tuple(sorted(states[-1].values)) if states else self._known

    def read(self, utterance: Utterance) -> SpokenTurn:
        """Return the reading of a turn of the system in this context."""
        name = label(utterance)
        node = self.task.flow.nodes.get(name or "")
        if node is None and name not in (None, CUSTOM):
            return SpokenTurn((SpokenAct(utterance.text, OTHER_TASK, certainty=1.0),))
        if node is None:
            return self._in_context(utterance.text)
        reply = self._reader.profiles.replies.get(node.name)
        function = (reply.function if reply is not None else None) or ""
        return SpokenTurn((SpokenAct(utterance.text, function, node.name, node.asks, 1.0),))

    def _in_context(self, text: str) -> SpokenTurn:
        expected = self.expected()
        element = list_reading(program_of(self.task), text, self._returned)
        if element is not None:
            expected = {**expected, element.other: EXCLUDED}
        if self._asked.keys().isdisjoint(sentences(text)):
            expected = {**expected, **dict.fromkeys(self._answered(text, expected), BARRED)}
        turn = self._settled(text, expected)
        reported = any(expected.get(act.action or "", 0.0) > 0 for act in turn.acts)
        return turn if reported or not self._unreported else self._overdue(text, turn, expected)

    def _answered(self, text: str, expected: Mapping[str, float]) -> list[str]:
        """Return the answered questions that a text can hardly repeat, as another one is due.

        The system asked them before; one question for the same kind of value is open, and the text
        names nothing that only the answered one asks for: "Who are you?", "And who is it for?"
        """
        replies, known = self._reader.profiles.replies.values(), {*self._known}
        asking = [reply for reply in replies if reply.function == "request"]
        led = [each for each in asking if expected.get(each.action, 0.0) > 0]
        if len({each.asks for each in led}) != 1 or known.issuperset(led[0].asks):
            return []
        slots = {slot for asks in self._asked.values() for slot in asks} & known
        words = wording_of(text, self.task.language)
        answered = (each for each in asking if slots.issuperset(each.asks))
        return [each.action for each in answered if alike(each, led[0], words)]

    def _settled(self, text: str, expected: Mapping[str, float]) -> SpokenTurn:
        heard = self._fitting(self._reader.read(text, expected), expected)
        placed = self._placed(self._doubted(heard), expected)
        concerns = task_words(self.task).concerns
        bare = without_asides(placed, expected, self._known, concerns)
        opened = self._opened(self._led(bare, expected), expected)
        return self._handed_over(self._without_given(opened), expected)

    def _without_given(self, turn: SpokenTurn) -> SpokenTurn:
        """Return a turn without questions for slots that the user has given.

        The slots of a question's own node stay: "A return ticket, and for which day?" asks for the
        day of the return.
        """
        if {*self._known}.issuperset(turn.asks):
            return turn
        own = {name: reply.asks for name, reply in self._reader.profiles.replies.items()}
        acts = []
        for act in turn.acts:
            given = {*self._known}.difference(own.get(act.action or "", ()))
            acts.append(replace(act, asks=tuple(slot for slot in act.asks if slot not in given)))
        return replace(turn, acts=tuple(acts))

    def _handed_over(self, turn: SpokenTurn, expected: Mapping[str, float]) -> SpokenTurn:
        """Return a turn that is surely no other reply as the hand-over, if only that is due.

        It has to say more than "one moment" or "okay": a word that is rare in the language.
        """
        main, replies = turn.main, self._reader.profiles.replies
        led = [replies[name] for name, bonus in expected.items() if bonus > 0]
        if main is None or {each.function for each in led} != {"hand_over"}:
            return turn
        shares = self._reader.functions(main.text)
        refused = sum(shares.get(function, 0.0) for function in UNDONE) >= STATED
        other = refused or main.function == "not_understood"
        sure = main.action is not None and main.certainty >= NAMED
        asks = bool(main.asks) or main.text.endswith(QUESTION)
        if other or sure or asks or not task_words(self.task).rare(main.text):
            return turn
        act = SpokenAct(main.text, "hand_over", led[0].action, (), DOUBTFUL)
        return replace(turn, acts=tuple(act if each is main else each for each in turn.acts))

    def _overdue(self, text: str, turn: SpokenTurn, expected: Mapping[str, float]) -> SpokenTurn:
        """Return a turn after a result that it does not seem to report as the report, if it may be.

        Nobody takes leave or asks to repeat instead, nor goes on after a failure. A question that
        cannot be read is the report if whatever the call reports is answered alike.
        """
        steps, replies = program_of(self.task).steps, self._reader.profiles.replies
        ended = [steps[name] for name in self._from if steps[name].kind == "result"]
        failed = bool(ended) and all(each.node.outcome in FAILURES for each in ended)
        early = [n for n, r in replies.items() if r.function in EARLY or (failed and r.asks)]
        barred = {name: BARRED for name in early if expected.get(name, 0.0) <= 0}
        turn = self._settled(text, {**expected, **barred}) if turn.action in barred else turn
        main, reports = turn.main, [after for each in ended for after in each.after]
        unread = main is not None and not main.action and main.function not in FILLERS
        alike_answered = len({each.then for each in reports}) == 1 and reports[0].name in replies
        if main is None or not (unread and alike_answered and text.rstrip().endswith(QUESTION)):
            return turn
        reply = replies[reports[0].name]
        function = reply.function or main.function
        act = SpokenAct(main.text, function, reply.action, reply.asks, IN_PLACE)
        return replace(turn, acts=tuple(act if each is main else each for each in turn.acts))

    def _opened(self, turn: SpokenTurn, expected: Mapping[str, float]) -> SpokenTurn:
        """Return an unread first turn as the greeting that the flow leads to, in other words."""
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
        """Drop questions that share no words with the task."""
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
        actions = {act.action for act in turn.acts}
        open_ = [action for action in led if action not in actions]
        acts = (self._in_place(act, led, open_, expected) for act in turn.acts)
        return replace(turn, acts=tuple(acts))

    def _in_place(
        self, act: SpokenAct, led: list[str], open_: list[str], expected: Mapping[str, float]
    ) -> SpokenAct:
        program, replies = program_of(self.task), self._reader.profiles.replies
        if act.action in led or act.function == "not_understood":
            return act
        report = self._reported(act, led)
        if report is not None:
            function = replies[report].function or act.function
            return replace(act, action=report, function=function, asks=(), certainty=IN_PLACE)
        explicit = act.action and act.certainty >= NAMED and not self._unnamed(act)
        asks = is_question(act.text, act.function, (*QUESTION, LABEL))
        if explicit or (act.function and not asks):
            return act
        if asks:
            reply = awaited(program, act.text, open_)
        else:
            reply = invited(program, act.text, open_, expected)
        if reply is None:
            return act
        return SpokenAct(act.text, "request", reply.action, reply.asks, IN_PLACE)

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

    def _again(self, event: Utterance, turn: SpokenTurn) -> SpokenTurn:
        """Return another reading of a question if the system did not accept its answer.

        That is, it says that it did not understand, or repeats itself. The first time the user may
        have been unclear or spoken of something else: only a doubtful repeated question is reread
        at once. After that, the likeliest reading at the place of the first asking is used, where
        each use of a reading makes it less likely.
        """
        apology = turn.function == "not_understood"
        if not apology:
            self._narrow(event.text, turn)
        if label(event) not in (None, CUSTOM) or not (apology or event.text == self._question):
            self._question, self._tried, self._expected = event.text, [turn], self.expected()
            return turn
        same = turn if apology or not self._tried else self._tried[-1]
        if self._beside:
            return same
        sure = bool(self._tried) and self._tried[0].certainty >= DOUBTFUL
        if self._question is None or (len(self._tried) == 1 and (apology or sure)):
            self._tried.append(same)
            return same
        bonus = dict(self._expected)
        for action in (each.action for each in self._tried if each.action is not None):
            bonus[action] = bonus.get(action, 0.0) + EXCLUDED
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
        program, has_call = program_of(self.task), self._query is not None
        bonus = replies_awaited(program, self._from, self._against, self._known, has_call)
        replies = self._reader.profiles.replies
        if self._question is None:  # nobody takes leave by the first thing that they say
            ends = (name for name, each in replies.items() if each.function in LAST)
            return dict.fromkeys(ends, EXCLUDED) | bonus
        if not self._unreported:
            return bonus
        led = {replies[name].function for name, gain in bonus.items() if gain > 0}
        apart = [n for n, gain in bonus.items() if gain < 0 and replies[n].function not in led]
        answered = self._declined.union(self._known)
        apart += [n for n, each in replies.items() if each.asks and answered.issuperset(each.asks)]
        return bonus | dict.fromkeys(apart, EXCLUDED)

    def _near(self, steps: list[Step]) -> list[Step]:
        """Return the calls that the flow can reach before any other call; all if there are none."""
        program = program_of(self.task)
        at = [program.steps[name] for name in self._from if name in program.steps]
        cursor = FlowCursor(program, GivenValues(program), at)
        near = cursor.reach(lambda step: step.kind == "system")
        return [step for step in steps if step in near] or steps

    def _conclude(self, result: Result) -> None:
        query = self._query
        if query is None or query.api not in self.task.calls:
            return
        steps = self._near(calls(program_of(self.task), query))
        ended = {e.name: None for call in steps for e in results(call, query, result)}
        after = {e.name: None for call in steps for e in call.after if e.kind == "result"}
        self._returned = dict(result.items[0]) if result.items else {}
        self._from = tuple(ended)
        self._against = tuple(name for name in after if name not in ended)
        self._unreported = True
