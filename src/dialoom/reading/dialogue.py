"""A running reading of the system's side of a dialogue: each turn in its context.

    reading = DialogueReading(task)
    for event in dialogue.events:
        reading.observe(event)
    reading.turn.action               # the node of the system's last turn

A reply that carries an action label is what its label says. Any other reply is read by its words;
replies that the flow leads to, after the last result or the user's last turn, come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, Event, Query, Result, Utterance
from dialoom.dialogue.views import label, parts
from dialoom.flow.cursor import FlowCursor, calls, results
from dialoom.flow.program import TaskProgram, program_of
from dialoom.flow.ways import GivenValues
from dialoom.reading.turn import OTHER_TASK, SpokenAct, SpokenTurn, turn_reader
from dialoom.schema.flow import CUSTOM
from dialoom.schema.task import TaskSchema

NEXT = 2.0
"""Bonus, in nats, of a reply that the flow leads to."""

EXCLUDED = -3.5
"""The same for a reply to an outcome that the call did not have, or to a call that was not made."""

DOUBTFUL = 0.9
"""Certainty below which a question is read otherwise when the answer to it is not taken."""

UNASKED = -1.5
"""Bonus, in nats, of a statement or offer that the flow does not lead to here."""

ALIKE = frozenset({"confirm", "success", "nothing", "failure", "more", "goodbye"})
"""Functions by which a reply is known where the flow leads to one reply of the function."""

ALWAYS = frozenset({"more", "goodbye", "greeting", "not_understood", "hand_over", "out_of_scope"})
"""Functions of replies that may come anywhere."""


class DialogueReading:
    """Reads the system's turns of one dialogue in one task.

    Attributes:
        turn: What the system's last turn says.
        unread: The texts of the system's turns that were not understood.
    """

    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self.turn = SpokenTurn()
        self.unread: list[str] = []
        self._reader = turn_reader(task, "system")
        self._from: tuple[str, ...] = ()
        self._against: tuple[str, ...] = ()
        self._query: Query | None = None
        self._known: tuple[str, ...] = ()
        self._tried: list[SpokenTurn] = []
        self._question: str | None = None

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
        elif isinstance(event, Utterance):
            named = label(event)
            self._from = (named,) if named in self.task.flow.nodes else self._from
            states = [part.state for part in parts(event) if part.state is not None]
            self._known = tuple(sorted(states[-1].values)) if states else self._known

    def read(self, said: Utterance) -> SpokenTurn:
        """Return what a turn of the system says here."""
        named = label(said)
        node = self.task.flow.nodes.get(named or "")
        if node is None and named not in (None, CUSTOM):
            return SpokenTurn((SpokenAct(said.text, OTHER_TASK, certainty=1.0),))
        if node is None:
            return self._led(self._reader.read(said.text, self.expected()))
        return SpokenTurn((SpokenAct(said.text, "", node.name, node.asks, 1.0),))

    def _led(self, turn: SpokenTurn) -> SpokenTurn:
        """Return a turn with the reply that the flow leads to, where one alone does the same."""
        main, replies = turn.main, self._reader.profiles.replies
        if main is None or main.function not in ALIKE or main.action is None:
            return turn
        led = [action for action, bonus in self.expected().items() if bonus > 0]
        same = [action for action in led if replies[action].function == main.function]
        if main.action in led or len(same) != 1:
            return turn
        act = replace(main, action=same[0], asks=replies[same[0]].asks)
        return replace(turn, acts=tuple(act if each is main else each for each in turn.acts))

    def _again(self, said: Utterance, turn: SpokenTurn) -> SpokenTurn:
        """Return another reading of a question whose answer the system did not take.

        It did not where it says that it did not understand, or says the same once more. The first
        time the user may have been unclear: only a doubtful question that comes again is read
        otherwise at once. After that the next likeliest reading is taken.
        """
        apology = turn.function == "not_understood"
        if label(said) not in (None, CUSTOM) or not (apology or said.text == self._question):
            self._question, self._tried = said.text, [turn]
            return turn
        if self._question is None or (len(self._tried) == 1 and (apology or self._sure())):
            self._tried.append(turn)
            return turn
        bonus = dict(self.expected())
        for tried in {each.action for each in self._tried if each.action is not None}:
            bonus[tried] = bonus.get(tried, 0.0) + EXCLUDED
        other = self._reader.read(self._question, bonus)
        self._tried.append(other)
        return other if other.understood else turn

    def _sure(self) -> bool:
        """Return whether the question was surely read as it is meant."""
        return self._tried[0].certainty >= DOUBTFUL

    def expected(self) -> Mapping[str, float]:
        """Return the bonus of each reply that is likelier or less likely here than elsewhere."""
        program, called = program_of(self.task), self._query is not None
        return _expected(program, self._from, self._against, self._known, called)

    def _conclude(self, result: Result) -> None:
        """Note the nodes of a result's outcome, and those of the outcomes that it excludes."""
        query = self._query
        if query is None or query.api not in self.task.calls:
            return
        made = calls(program_of(self.task), query)
        ended = {e.name: None for call in made for e in results(call, query, result)}
        after = {e.name: None for call in made for e in call.after if e.kind == "result"}
        self._from = tuple(ended)
        self._against = tuple(name for name in after if name not in ended)


@lru_cache(maxsize=4096)
def _expected(
    program: TaskProgram,
    after: tuple[str, ...],
    against: tuple[str, ...],
    known: tuple[str, ...],
    called: bool,
) -> Mapping[str, float]:
    led, excluded = _replies(program, after, known), _replies(program, against)
    if not called:
        results = [step.name for step in program.steps.values() if step.kind == "result"]
        excluded |= _replies(program, results) - {step.name for step in program.uncalled}
    replies = turn_reader(program.schema, "system").profiles.replies.values()
    unasked = {each.action for each in replies if not each.asks and each.function not in ALWAYS}
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
