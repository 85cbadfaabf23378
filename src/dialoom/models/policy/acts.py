"""The models of next acts, of the system or of a user with a goal, and of next calls; baselines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    NextActs,
    NextCall,
    Prediction,
    Query,
    Question,
    ServiceAct,
)
from dialoom.dialogue.annotation import Value
from dialoom.errors import UsageError
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, Unlearnt, known, need
from dialoom.learn.trees import FittedTrees, Row, Trees
from dialoom.models.policy.learner import Pattern, PolicyLearner, Situation
from dialoom.models.policy.rows import proposals, system_situation, user_situation
from dialoom.models.policy.service_log import DialogueLog, ServiceLog, read_logs
from dialoom.schema.service import COUNT, INTENT


@dataclass
class ActPolicy:
    """Chooses the acts of the next turn, then the slots of each."""

    name: ClassVar[str] = "act-policy"
    kinds: ClassVar[Kinds] = (NextActs,)
    seed: Seed = 0
    _learners: dict[str, PolicyLearner] = field(default_factory=dict, init=False, repr=False)

    @property
    def agents(self) -> frozenset[str]:
        """The agents whose acts it was trained on."""
        return frozenset(self._learners)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Learn the acts of each agent that examples ask for."""
        need(examples)
        situations = read_logs([each.question for each in examples], schemas, _situation)
        self._learners = {}
        for agent in sorted({each.question.asked.agent for each in examples}):
            own = [n for n, each in enumerate(examples) if each.question.asked.agent == agent]
            self._learners[agent] = PolicyLearner()
            answers = [examples[n].answer for n in own]
            self._learners[agent].fit([situations[n] for n in own], answers, self.seed)

    def drawn(
        self,
        question: Question[NextActs],
        schemas: Schemas,
        possible: Callable[[Pattern], bool],
        share: float,
    ) -> tuple[ServiceAct, ...]:
        """Return acts of a next turn, their pattern drawn by its probability among `possible` ones.

        `share` is a random number from 0 to 1. There are no acts if no pattern is possible, or no
        example was about the agent.
        """
        (situation,) = read_logs([question], schemas, _situation)
        learner = known(self._learners).get(question.asked.agent)
        return learner.drawn(situation, possible, share) if learner else ()

    def predict(
        self, questions: Questions, schemas: Schemas
    ) -> list[Prediction[tuple[ServiceAct, ...]]]:
        """Return the acts of each next turn; `UsageError` if not fitted for the agent."""
        learnt = known(self._learners)
        others = sorted({each.asked.agent for each in questions} - set(learnt))
        if others:
            mismatch = f"the acts of {', '.join(sorted(learnt))}, not those of {', '.join(others)}"
            raise UsageError(f"this {self.name} learnt {mismatch}", code="wrong-kind")
        situations = read_logs(questions, schemas, _situation)
        choices: list[tuple[ServiceAct, ...]] = [()] * len(questions)
        for agent, learner in self._learners.items():
            own = [n for n, each in enumerate(questions) if each.asked.agent == agent]
            for n, acts in zip(own, learner.choose([situations[n] for n in own]), strict=True):
                choices[n] = acts
        return [Prediction(acts) for acts in choices]


def _situation(question: Question[NextActs], log: DialogueLog) -> Situation:
    if question.asked.agent == USER:
        return user_situation(log, question.asked.goal)
    return system_situation(log)


OFFERED = 2
"""Most slots of an item that an offer names."""


@dataclass
class ActRules(Unlearnt):
    """Follows the flow that a service's schema implies; predicts no acts of users."""

    name: ClassVar[str] = "act-rules"
    kinds: ClassVar[Kinds] = (NextActs,)

    def predict(
        self, questions: Questions, schemas: Schemas
    ) -> list[Prediction[tuple[ServiceAct, ...]]]:
        """Answer each question by the rules."""
        return read_logs(questions, schemas, _answer)


def _answer(question: Question[NextActs], log: DialogueLog) -> Prediction[tuple[ServiceAct, ...]]:
    acts = _next(log) if question.asked.agent == SYSTEM else ()
    return Prediction(tuple(ServiceAct(act, log.here) for act in acts))


def _next(log: DialogueLog) -> list[Act]:
    state, done = log.current, log.user.get(log.here, ())
    active = state.active
    if "GOODBYE" in done:
        return [Act("GOODBYE")]
    if active is not None and active.transactional and state.fresh:
        answers = _about("INFORM", state.item, state.requested)
        return [Act("NOTIFY_SUCCESS" if state.items else "NOTIFY_FAILURE"), *answers]
    if state.requested:
        return _about("INFORM", state.item, state.requested)
    if active is not None and {"INFORM", "INFORM_INTENT", "AFFIRM_INTENT"}.intersection(done):
        if state.missing:
            return [Act("REQUEST", (Argument(state.missing[0]),))]
        if active.transactional:
            return _about("CONFIRM", state.settled, state.settled)
        return _offer(state)
    if "REQUEST_ALTS" in done or state.fresh:
        return _offer(state)
    proposed = next(iter(proposals(state)), None) if "SELECT" in done else None
    return [Act("OFFER_INTENT", (Argument(INTENT, (proposed,)),)) if proposed else Act("REQ_MORE")]


def _offer(log: ServiceLog) -> list[Act]:
    """Return the acts that offer the next item, by slots whose values the user has not given.

    The first offer after a call also has the number of items; without items, the acts are those of
    a failure.
    """
    item, active = log.next_item, log.active
    if not item or active is None:
        return [Act("NOTIFY_FAILURE"), Act("REQ_MORE")]
    needed = {name for each in log.service.intents if each.transactional for name in each.required}
    new = [name for name in active.results if name not in log.known and name in item]
    first = sorted(new, key=lambda name: name not in needed)[:OFFERED]
    offers = _about("OFFER", item, first)
    if log.fresh and len(log.items) > 1:
        offers.append(Act("INFORM_COUNT", (Argument(COUNT, (str(len(log.items)),)),)))
    return offers


def _about(name: str, item: dict[str, Value], slots: Iterable[str]) -> list[Act]:
    return [Act(name, (Argument(slot, (item[slot],)),)) for slot in slots if slot in item]


NO_CALL = Query(id="", api="")
"""The answer if the system makes no call."""

TREES = Trees(rounds=60)
"""Settings of the trees that predict whether a call is made."""

LIKELY = 0.5
"""The probability above which a call is made."""


def call_of(log: DialogueLog) -> Query:
    """Return the call of the active intent, with the known or confirmed values of its inputs."""
    state = log.current
    inputs = state.parameters()
    constraints = tuple(Constraint(slot, "equal", (inputs[slot],)) for slot in sorted(inputs))
    return Query(id="", api=state.intent, constraints=constraints)


@dataclass
class CallPolicy:
    """Learns when a call is made; its inputs are the values known for the active intent."""

    name: ClassVar[str] = "call-policy"
    kinds: ClassVar[Kinds] = (NextCall,)
    seed: Seed = 0
    _trees: FittedTrees | None = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Learn when a call is made."""
        need(examples)
        read = read_logs([each.question for each in examples], schemas, _possible)
        labels = [bool(each.answer.api) for each in examples]
        self._trees = TREES.fit([row for row, _ in read], labels, self.seed)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Query]]:
        """Answer each question with the call of the active intent, or `NO_CALL`.

        The confidence is the probability that a call is made.
        """
        trees = known(self._trees)
        read = read_logs(questions, schemas, _possible)
        chances = trees.chance(True, [row for row, _ in read])
        return [
            Prediction(call if chance > LIKELY else NO_CALL, confidence=float(chance))
            for (_, call), chance in zip(read, chances, strict=True)
        ]


def _possible(question: Question[NextCall], log: DialogueLog) -> tuple[Row, Query]:
    return system_situation(log).row, call_of(log)


@dataclass
class CallRules(Unlearnt):
    """Calls the active intent once no required slot is missing.

    A search is called unless the same call was made before; a transaction when the user affirms.
    """

    name: ClassVar[str] = "call-rules"
    kinds: ClassVar[Kinds] = (NextCall,)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Query]]:
        """Answer each question by the rule: the call, or `NO_CALL`."""
        due = read_logs(
            questions, schemas, lambda _, log: call_of(log) if _is_due(log) else NO_CALL
        )
        return [Prediction(call) for call in due]


def _is_due(log: DialogueLog) -> bool:
    state = log.current
    active = state.active
    if active is None or state.missing:
        return False
    if active.transactional:
        return "AFFIRM" in log.user.get(log.here, ())
    return (state.intent, state.parameters()) not in state.called
