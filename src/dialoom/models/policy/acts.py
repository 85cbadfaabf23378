"""The model of next acts: those of the system, or of a user with a goal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from dialoom.dialogue import USER, NextActs, Prediction, Question, ServiceAct
from dialoom.errors import UsageError
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.models.policy import system_rows, user_rows
from dialoom.models.policy.learner import Pattern, PolicyLearner, Situation
from dialoom.models.policy.service_log import DialogueLog, read_logs
from dialoom.schema.service import ACTS


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
            learner = self._learners[agent] = PolicyLearner(ACTS)
            answers = [examples[n].answer for n in own]
            learner.fit([situations[n] for n in own], answers, self.seed)

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
            spelled = f"the acts of {', '.join(sorted(learnt))}, not those of {', '.join(others)}"
            raise UsageError(f"this {self.name} learnt {spelled}")
        situations = read_logs(questions, schemas, _situation)
        found: list[tuple[ServiceAct, ...]] = [()] * len(questions)
        for agent, learner in self._learners.items():
            own = [n for n, each in enumerate(questions) if each.asked.agent == agent]
            for n, acts in zip(own, learner.choose([situations[n] for n in own]), strict=True):
                found[n] = acts
        return [Prediction(acts) for acts in found]


def _situation(question: Question[NextActs], log: DialogueLog) -> Situation:
    if question.asked.agent == USER:
        return user_rows.situation(log, question.asked.goal)
    return system_rows.situation(log)
