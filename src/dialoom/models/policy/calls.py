"""The model of next calls, and its baseline of rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from dialoom.dialogue import Constraint, NextCall, Prediction, Query, Question
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, Unlearnt, known, need
from dialoom.learn.trees import FittedTrees, Row, Trees
from dialoom.models.policy.service_log import DialogueLog, read_logs
from dialoom.models.policy.system_rows import situation

NO_CALL = Query(id="", api="")
"""The answer if the system makes no call."""

TREES = Trees(rounds=60)
"""Settings of the trees that predict whether a call is made."""

LIKELY = 0.5
"""The probability above which a call is made."""


def call_of(log: DialogueLog) -> Query:
    """Return the call of the active intent, with the known or confirmed values of its inputs."""
    held = log.current
    given = held.parameters()
    constraints = tuple(Constraint(slot, "equal", (given[slot],)) for slot in sorted(given))
    return Query(id="", api=held.intent, constraints=constraints)


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
        made = [bool(each.answer.api) for each in examples]
        self._trees = TREES.fit([row for row, _ in read], made, self.seed)

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
    return situation(log).row, call_of(log)


@dataclass
class CallRules(Unlearnt):
    """Calls the active intent once no required slot is missing.

    A search is called unless the same call was made before; a transaction when the user affirms.
    """

    name: ClassVar[str] = "call-rules"
    kinds: ClassVar[Kinds] = (NextCall,)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Query]]:
        """Answer each question by the rule: the call, or `NO_CALL`."""
        return read_logs(questions, schemas, _due)


def _due(question: Question[NextCall], log: DialogueLog) -> Prediction[Query]:
    return Prediction(call_of(log) if _is_due(log) else NO_CALL)


def _is_due(log: DialogueLog) -> bool:
    held = log.current
    active = held.active
    if active is None or held.missing:
        return False
    if active.transactional:
        return "AFFIRM" in log.user.get(log.here, ())
    return (held.intent, held.parameters()) not in held.called
