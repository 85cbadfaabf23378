"""Taskmaster-1 (Byrne et al. 2019): API arguments of an utterance, and the assistant's next reply.

A question about arguments is asked after each utterance of a dialogue that has labels, one about
the reply before each utterance of the assistant. Models see the texts up to there. Test and
training dialogues are those of the published lists. Without lists that name some of the dialogues,
all are asked about: by a model that learns from `--train-corpus`, else in five folds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol, Target
from dialoom.bench.visibility import VIEWS, visible
from dialoom.corpus import Corpus
from dialoom.dialogue import SYSTEM, Dialogue, NextReply, Spans
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import parts, utterances
from dialoom.metrics import Metric
from dialoom.metrics.generation import Bleu, Perplexity
from dialoom.metrics.overlap import SpanMatch

ENDINGS = (".accept", ".reject")
"""Endings of labels of accepted and rejected arguments or whole transactions."""

TRAIN = "train"

FOLDS = 5

_NUMBER = re.compile(r"[\s_-]*\d+$")


@dataclass(frozen=True, slots=True)
class ListedSettings:
    """Settings of the experiments on Taskmaster-1.

    Attributes:
        part: The list of test dialogues, if the corpus has a non-empty one.
    """

    part: Literal["test", "dev"] = "test"


@dataclass(frozen=True, slots=True)
class TaskmasterPlans:
    """Makes the plans of an experiment on Taskmaster-1."""

    name: str
    targets: Callable[[Dialogue], Iterator[Target]]
    metrics: tuple[Metric, ...]
    asked: str

    def protocol(self, kind: type[Struct], model: str) -> Protocol:
        """Return the experiment as a protocol."""
        return Protocol(self.name, "taskmaster1", kind, model, ListedSettings, self.plan)

    def plan(self, data: Data, settings: ListedSettings) -> Plan:
        """Divide the dialogues by the lists; `MissingDataError` without questions."""
        questions = self._by_dialogue(data.corpus)
        check_found(questions, data.corpus, f"has no {self.asked}")
        learnt = self._by_dialogue(data.train_corpus) if data.train_corpus else questions
        part: str = settings.part
        names = _listed(data.corpus, part, questions)
        divided = [(part if names else "all", names or list(questions))]
        train = _listed(data.corpora[-1], TRAIN, learnt) or list(learnt)
        if data.train_corpus is None and not (names and set(train) - set(names)):
            divided, train = list(_folds(names or list(questions))), list(questions)
        return Plan(
            protocol=self.name,
            title=self.name,
            data=data,
            metrics=self.metrics,
            holdouts=[_holdout(name, ids, train, questions, learnt, data) for name, ids in divided],
            options={"part": divided[0][0] if len(divided) == 1 else f"{len(divided)}-folds"},
            notes=[f"{sum(len(ids) for _, ids in divided):,} dialogues were asked about"],
        )

    def _by_dialogue(self, corpus: Corpus) -> dict[str, list[Target]]:
        questions = {dialogue.id: list(self.targets(dialogue)) for dialogue in corpus.dialogues()}
        return {name: targets for name, targets in questions.items() if targets}


def _listed(corpus: Corpus, part: str, questions: dict[str, list[Target]]) -> list[str]:
    return [name for name in corpus.splits.get(part, ()) if name in questions]


def _folds(names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    ordered = sorted(names)
    for number in range(min(FOLDS, len(ordered))):
        yield f"fold-{number + 1}", ordered[number::FOLDS]


def _holdout(
    name: str,
    ids: Sequence[str],
    train: Sequence[str],
    tests: dict[str, list[Target]],
    learnt: dict[str, list[Target]],
    data: Data,
) -> HoldOut:
    left = set(ids)
    others = [target for each in train if each not in left for target in learnt[each]]
    lacking = "has no other dialogues to learn from; --train-corpus"
    check_found(others, data.corpora[-1], lacking, "nothing-to-learn")
    return HoldOut(name, others, [target for each in ids for target in tests[each]])


def arguments(dialogue: Dialogue) -> Iterator[Target]:
    """Yield a question after each utterance of a dialogue that has labels."""
    history, positions = visible(dialogue, VIEWS[Spans])
    talk = list(utterances(dialogue))
    spans = [tuple(span for part in parts(event) for span in part.spans or ()) for _, event in talk]
    if not any(spans):
        return
    for turn, ((index, event), gold) in enumerate(zip(talk, spans, strict=True)):
        about = (*_kind(dialogue), event.agent)
        yield Target(dialogue.id, turn, Spans(()), gold, history, positions[index] + 1, about)


def replies(dialogue: Dialogue) -> Iterator[Target]:
    """Yield a question before each utterance of the assistant."""
    history, positions = visible(dialogue, VIEWS[NextReply])
    for index, event in utterances(dialogue):
        if event.agent == SYSTEM:
            place = dialogue.id, index, NextReply(""), event.text, history, positions[index]
            yield Target(*place, _kind(dialogue))


def _kind(dialogue: Dialogue) -> tuple[str, ...]:
    """Return the slice of a dialogue's instructions: their id without its number."""
    name = dialogue.scenario.instruction_id if dialogue.scenario else None
    return (_NUMBER.sub("", name),) if name else ()


ARGUMENTS = TaskmasterPlans(
    "taskmaster-arguments", arguments, (SpanMatch(ENDINGS),), "utterance with a label"
).protocol(Spans, "argument-tagger")
RESPONSE = TaskmasterPlans(
    "taskmaster-response", replies, (Bleu(), Perplexity()), "utterance of the assistant"
).protocol(NextReply, "nearest")
