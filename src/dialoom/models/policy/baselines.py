"""The baseline of next acts: the pattern of acts that most often follows the last ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dialoom.dialogue import USER, Act, Argument, NextActs, Prediction, ServiceAct
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, known, need
from dialoom.models.policy.learner import Pattern, pattern_of
from dialoom.models.policy.service_log import DialogueLog, ServiceLog, logs
from dialoom.models.policy.user_rows import services
from dialoom.schema.service import COUNT, INTENT

Context = tuple[str, ...]
"""An agent, and the names of the last acts of the other side."""


@dataclass
class ActBigrams:
    """Answers with the acts that most often followed the last ones in training.

    An act gets the slots that more than half of the acts of its name had, wherever their service
    has such a slot, whatever the service; where there is none, the slot with the largest share.
    """

    name: ClassVar[str] = "act-bigrams"
    kinds: ClassVar[Kinds] = (NextActs,)
    _next: dict[Any, Counter[Pattern]] = field(default_factory=dict, init=False, repr=False)
    _slots: dict[str, Counter[str]] = field(default_factory=dict, init=False, repr=False)
    _chances: dict[str, Counter[str]] = field(default_factory=dict, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Count which acts follow which, and the slots of each act."""
        need(examples)
        following: defaultdict[Any, Counter[Pattern]] = defaultdict(Counter)
        slots: defaultdict[str, Counter[str]] = defaultdict(Counter)
        all_: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for n, log in logs([each.question for each in examples], schemas):
            answer: Sequence[ServiceAct] = examples[n].answer
            asked = examples[n].question.asked
            for context in _contexts(asked, log):
                following[context][pattern_of(answer, _services(asked, log))] += 1
            for name, service in {(each.act.name, each.service or "") for each in answer}:
                acts = [e.act for e in answer if (e.act.name, e.service) == (name, service)]
                given = {argument.slot for act in acts for argument in act.arguments}
                slots[name].update(given)
                all_[name].update(_names(log.known(service)) if given else ())
        self._next, self._slots, self._chances = dict(following), dict(slots), dict(all_)

    def predict(
        self, questions: Questions, schemas: Schemas
    ) -> list[Prediction[tuple[ServiceAct, ...]]]:
        """Answer each question with the acts that most often followed its last ones."""
        known(self._next)
        found = {}
        for n, log in logs(questions, schemas):
            contexts = _contexts(questions[n].asked, log)
            counted = next((self._next[each] for each in contexts if each in self._next), Counter())
            best = max(sorted(counted), key=counted.__getitem__, default=((), ()))
            found[n] = tuple(
                ServiceAct(act, service)
                for service, names in zip(_services(questions[n].asked, log), best, strict=True)
                for name in names
                for act in self._acts(name, log.known(service))
            )
        return [Prediction(found[n]) for n in range(len(questions))]

    def _acts(self, name: str, held: ServiceLog) -> list[Act]:
        """Return an act with its likely slots, one act for each."""
        counted, cases = self._slots.get(name, Counter()), self._chances.get(name, Counter())
        names = [slot for slot in _names(held) if counted[slot]]
        likely = [slot for slot in names if 2 * counted[slot] > cases[slot]]
        best = max(names, key=lambda slot: counted[slot] / cases[slot], default=None)
        chosen = likely or ([best] if best is not None and cases else [])
        return [Act(name, (Argument(slot),)) for slot in chosen] or [Act(name)]


def _contexts(asked: NextActs, log: DialogueLog) -> list[Context]:
    """Return the context of a question, and as the last resort the agent alone."""
    last = log.system if asked.agent == USER else log.user.get(log.here, ())
    return [(asked.agent, *last), (asked.agent,)]


def _services(asked: NextActs, log: DialogueLog) -> tuple[str, str]:
    """Return the current service, and the one that a user may turn to; empty for none."""
    return services(log, asked.goal) if asked.agent == USER else (log.here, "")


def _names(held: ServiceLog) -> list[str]:
    """Return the slots that acts of a service may have."""
    return [*(slot.name for slot in held.service.slots), INTENT, COUNT]
