"""Schema induction on STAR: next action with schemas that are induced from dialogues.

The hold-outs are the domains of `star-zero-shot-domain`, with happy dialogues. Those of a task are
shuffled with seed 0; its schema is induced from the first half, and next action is asked about in
the other half. Notes and record have the similarity of the flow to the released one (F1 of edges)
and to the dialogues of the second half (FuDGE, Flow-F1; `dialoom.metrics.flow`). Without labels,
actions are clusters of replies, matched one to one with the labels by their replies.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol, Target
from dialoom.bench.core.settings import spelled
from dialoom.bench.protocols.star import Form, id_order
from dialoom.bench.protocols.zero_shot import ZeroShot, ZeroShotSettings
from dialoom.bench.visibility import Withheld
from dialoom.dialogue import Dialogue, NextAction
from dialoom.learn.text import Encoder, encoders
from dialoom.metrics.flow import ActionFlow, edge_counts, flow_f1, flow_of, fudge, scores
from dialoom.models.induction import Induced, Induction, Shape, induce, template
from dialoom.models.induction.turns import SystemTurn, turns
from dialoom.models.induction.wording import matched
from dialoom.schema.task import TaskSchema

SPLIT_SEED = 0

Source = Literal["supported", "line", "every", "gold"]
"""The schemas that are tested: the released ones (gold), or induced ones with supported edges, as
a line, or with every edge seen."""

Learnt = Literal["gold", "tested"]
"""The schemas that a model learns with: the released ones, or such as are tested."""


@dataclass(frozen=True, slots=True)
class InductionSettings:
    """Settings of schema induction.

    Attributes:
        schema: The schemas that are tested.
        labels: Whether actions are the annotated labels, not clusters of replies.
        support: The least share (0 to 1) of the transitions from an action that makes an edge.
        encoder: The name of the encoder that compares texts in clustering, matching and FuDGE.
        learn: The schemas of the other domains that a model learns with.
        form: The form of `star-zero-shot-domain`.
    """

    schema: Source = "supported"
    labels: bool = True
    support: Annotated[float, Meta(ge=0, le=1)] = 0.1
    encoder: str = "tfidf"
    learn: Learnt = "gold"
    form: Form | None = None


NAME = "star-induction"


def plan(data: Data, settings: InductionSettings) -> Plan:
    """Induce a schema from half of each task's dialogues, and ask about the other half."""
    see: tuple[Withheld, ...] = () if settings.labels else ("no-labels",)
    own = ZeroShotSettings(form=settings.form, see=see)
    plan = ZeroShot(NAME, "domain").plan(data, own)
    halves = _halves(plan.holdouts)
    tasks = _induced(plan, halves, settings)
    second = (replace(h, test=_asked(h.test, halves, tasks)) for h in plan.holdouts)
    holdouts = [holdout for holdout in second if holdout.test]
    if settings.learn == "tested":
        holdouts = [replace(h, train=_asked(h.train, halves, tasks)) for h in holdouts]
    check_found(holdouts, data.corpus, "no task has two dialogues and a schema")
    measured = {h.name: _measured(h, tasks) for h in holdouts}
    tested = {name: task.schema for name, task in tasks.items()}
    options = {name: text for name, text in spelled(settings).items() if name != "form"}
    learnt = tested if settings.learn == "tested" else None
    return replace(
        plan,
        title=f"{plan.title}, labels {options['labels']}",
        data=replace(plan.data, tested=tested, learnt=learnt),
        holdouts=holdouts,
        options={**plan.options, **options},
        notes=[*plan.notes, _spell(list(measured.values()))],
        record={"induced_from": {n: sorted(ids) for n, ids in halves.items()}, "flows": measured},
        groups={},
    )


def _halves(holdouts: Sequence[HoldOut]) -> dict[str, set[str]]:
    by_task: dict[str, set[str]] = {}
    for holdout in holdouts:
        for target in holdout.test:
            by_task.setdefault(target.asked.task, set()).add(target.source)
    halves = {}
    for task, ids in by_task.items():
        order = sorted(ids, key=id_order)
        random.Random(SPLIT_SEED).shuffle(order)
        halves[task] = set(order[: (len(order) + 1) // 2])
    return halves


class TaskUnderTest:
    """A task with its released schema, and the one induced from the other half."""

    def __init__(
        self,
        gold: TaskSchema,
        dialogues: Sequence[Dialogue],
        induced: Induced,
        settings: InductionSettings,
    ) -> None:
        self.gold, self._settings = gold, settings
        released = settings.schema == "gold"
        self.schema = gold if released else msgspec.structs.replace(induced.task, id=gold.id)
        self._paths = [turns(dialogue, gold.id) for dialogue in dialogues]

    @cached_property
    def flow(self) -> ActionFlow:
        """The tested flow."""
        return flow_of(self.schema)

    @cached_property
    def names(self) -> dict[str, str]:
        """Label to the action matched with it, where that has another name."""
        if self._settings.labels or self._settings.schema == "gold":
            return {}
        return matched(self.flow.texts, flow_of(self.gold).texts, self._encoder())

    def _encoder(self) -> Encoder:
        return encoders.get(self._settings.encoder)()

    def answer(self, label: str) -> str:
        """Return the right answer where `label` was annotated."""
        return self.names.get(label, label)

    @property
    def edges(self) -> Counter[tuple[Any, ...]]:
        """The counts for the F1 of the tested flow's edges, named by labels."""
        gold = flow_of(self.gold)
        pairs = {(b and self.answer(b), self.answer(a)) for b, a in gold.edges}
        return edge_counts(self.flow, ActionFlow(gold.texts, frozenset(pairs)))

    @cached_property
    def distances(self) -> list[float]:
        """The FuDGE of each dialogue."""
        cost = self._costs()
        return [fudge(path, self.flow, cost) for path in self._paths if path]

    @property
    def turns(self) -> int:
        """The system's turns in all dialogues."""
        return sum(map(len, self._paths))

    def _costs(self) -> Callable[[SystemTurn, str], float]:
        templates = list(dict.fromkeys(template(t) for path in self._paths for t in path))
        texts = [(name, text) for name, each in self.flow.texts.items() for text in each]
        encoder = self._encoder()
        encoder.fit([*templates, *(text for _, text in texts)])
        alike = encoder.similarity(templates, [text for _, text in texts])
        best: dict[tuple[str, str], float] = {}
        for row, words in zip(alike, templates, strict=True):
            for (name, _), value in zip(texts, row, strict=True):
                best[words, name] = max(best.get((words, name), 0.0), float(value))

        def cost(turn: SystemTurn, name: str) -> float:
            if turn.query is not None or not self.flow.texts[name]:
                return 0.0 if turn.query is not None and name == turn.label else float("inf")
            return 1 - best[template(turn), name]

        return cost


def _induced(
    plan: Plan, halves: Mapping[str, set[str]], settings: InductionSettings
) -> dict[str, TaskUnderTest]:
    owner = {t.source: t.asked.task for holdout in plan.holdouts for t in holdout.test}
    groups: dict[str, tuple[list[Dialogue], list[Dialogue]]] = {}
    for dialogue in plan.data.corpus.dialogues():
        task = owner.get(dialogue.id)
        if task is not None:
            groups.setdefault(task, ([], []))[dialogue.id not in halves[task]].append(dialogue)
    shape: Shape = "supported" if settings.schema == "gold" else settings.schema
    how = Induction(settings.labels, settings.support, shape, settings.encoder)
    tests = {}
    for task, (first, second) in sorted(groups.items()):
        gold = plan.data.corpus.schemas.get(task)
        if gold is not None:
            tests[task] = TaskUnderTest(gold, second, induce(first, task, how), settings)
    return tests


def _asked(
    targets: Sequence[Target], halves: Mapping[str, set[str]], tasks: Mapping[str, TaskUnderTest]
) -> list[Target]:
    """Return the questions about dialogues of the second halves, right answers as tested."""
    return [
        msgspec.structs.replace(target, gold=tasks[target.asked.task].answer(target.gold))
        for target in targets
        if target.asked.task in tasks and target.source not in halves[target.asked.task]
    ]


def _measured(holdout: HoldOut, tasks: Mapping[str, TaskUnderTest]) -> dict[str, float]:
    names = sorted({target.asked.task for target in holdout.test})
    subset = [tasks[name] for name in names]
    edges = sum((task.edges for task in subset), Counter[tuple[Any, ...]]())
    distances = [value for task in subset for value in task.distances]
    distance = sum(distances) / len(distances) if distances else 0.0
    nodes, spoken = sum(len(t.flow.texts) for t in subset), sum(t.turns for t in subset)
    figures = {name: score.value for name, score in scores(edges).items()}
    figures |= {"fudge": 100 * distance, "flow_f1": 100 * flow_f1(distance, nodes, spoken)}
    return {name: round(value, 4) for name, value in figures.items()}


def _spell(measured: Sequence[Mapping[str, float]]) -> str:
    names = {"edge_f1": "edge F1", "edge_precision": "precision", "edge_recall": "recall"}
    names |= {"fudge": "FuDGE", "flow_f1": "Flow-F1"}
    means = {n: sum(each[n] for each in measured) / len(measured) for n in names}
    means_text = ", ".join(f"{names[name]} {value:.2f}" for name, value in means.items())
    return f"flows tested, mean over {len(measured)} hold-outs: {means_text}"


INDUCTION = Protocol(NAME, "star", NextAction, "follower", InductionSettings, plan)
