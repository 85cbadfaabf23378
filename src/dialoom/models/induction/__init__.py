"""Schema induction: task schemas with flow, slots, calls and replies, made from dialogues.

    induced = induce(dialogues, "hotel_book")
    print(induced.text)                 # a task file that passes `schema check`
    induced.task.flow.nodes["ask_name"].then

Replies become templates with placeholders for the values of queries and results. Actions are the
annotated labels or, without labels, clusters of similar replies. An edge is a transition with a
least share of the transitions from its action; nodes are ordered by the median position of their
action in the dialogues. Slots and calls are those of the queries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from dialoom.dialogue import Constraint, Dialogue
from dialoom.errors import UsageError
from dialoom.learn.text import encoders
from dialoom.models.induction.file import TaskFile
from dialoom.models.induction.flow import FlowLayout, Said, asked, node_of
from dialoom.models.induction.graph import Edge, Transitions, chain
from dialoom.models.induction.knowledge import Knowledge, distinct
from dialoom.models.induction.turns import SystemTurn, constraints, events_of, node_name, turns
from dialoom.models.induction.wording import (
    UserWording,
    delexicalised,
    grouped,
    named,
    shown_values,
)
from dialoom.schema.flow import OUT_OF_SCOPE, QUERIES, UNBOUND
from dialoom.schema.service_words import spelled
from dialoom.schema.task import TaskSchema

Shape = Literal["supported", "line", "every"]
"""The edges of a flow: transitions with support; the actions as a chain in their order; or every
transition that occurred. The last two are baselines of the first."""

LABELLED = 0.2
"""Least share of labelled replies for labels to be used by default."""

RARE = 0.02
"""Least share of dialogues with an action, or with a cluster of replies; rarer ones are noise."""

SLIP = 0.1
"""Least number of queries of an API, as a share of those of the most frequent API; fewer are slips
of the annotator (in STAR, a restaurant's wizard books an appointment with a doctor)."""


@dataclass(frozen=True, slots=True)
class Induction:
    """Settings of schema induction.

    Attributes:
        labels: Whether actions are the annotated labels; None to use them if a share of
            `LABELLED` of the replies has one.
        support: The least share of the transitions from an action for an edge.
        encoder: The text encoder that compares replies without labels, by name.
    """

    labels: bool | None = None
    support: float = 0.1
    shape: Shape = "supported"
    encoder: str = "tfidf"
    language: str = "en"


DEFAULT = Induction()


@dataclass
class Induced:
    """A task schema made from dialogues.

    `paths` and `asked_for` have the system's turns and the constraints of all queries of each
    dialogue; `asides` maps actions in no flow (`UNBOUND`) to their replies with counts.
    """

    name: str
    paths: list[list[SystemTurn]]
    asked_for: list[tuple[Constraint, ...]]
    settings: Induction
    asides: dict[str, Counter[str]] = field(default_factory=dict)

    @cached_property
    def knowledge(self) -> Knowledge:
        """The slots and calls."""
        return Knowledge(self.paths, self.settings.language)

    @cached_property
    def said(self) -> list[list[Said]]:
        """The turns of each dialogue as templates."""
        wording = UserWording(self.knowledge.slots, self.settings.language)
        pairs = [*zip(self.paths, self.asked_for, strict=True)]
        for path, goals in pairs:
            for node, turn in self._answered(path):
                if turn.said:
                    wording.observe(node, turn.said[-1], goals)
        return [
            [
                Said(
                    node_of(turn, self.knowledge),
                    turn,
                    template(turn, self.knowledge.columns),
                    wording.said(turn.said[-1], goals, node) if turn.said else "",
                )
                for node, turn in self._answered(path)
            ]
            for path, goals in pairs
        ]

    def _answered(self, path: Sequence[SystemTurn]) -> Iterator[tuple[str, SystemTurn]]:
        """Yield each turn with the node before it; the first with an empty text."""
        nodes = [node_of(turn, self.knowledge) for turn in path]
        yield from zip(["", *nodes], path, strict=False)

    @cached_property
    def transitions(self) -> Transitions:
        """The transitions between actions."""
        return Transitions([step.node for step in path] for path in self.said)

    @cached_property
    def asks(self) -> dict[str, tuple[str, ...]]:
        """Node to the slots it asks for."""
        nodes = [node for node in self.transitions.order if node not in self.transitions.final]
        return asked(self.said, nodes, self.transitions.openings)

    @cached_property
    def edges(self) -> set[Edge]:
        """The edges of the flow."""
        if self.settings.shape == "supported":
            calls = {step.node for path in self.said for step in path if step.turn.query}
            return self.transitions.supported(self.settings.support, self.asks, calls)
        if self.settings.shape == "line":
            return set(chain(self.transitions.order))
        return set(self.transitions.counts)

    @cached_property
    def file(self) -> TaskFile:
        """The task file.

        If a required or key input of a call is uncertain there, the questions for it are chained
        before the call, one call after the other. A reply that follows the call is not one of them.
        """
        chains: dict[str, list[str]] = {}
        while True:
            draft = self._file(chains)
            lacking = {
                query: {
                    each
                    for each, topics in self.asks.items()
                    if not slots.isdisjoint(topics) and (query, each) not in self.edges
                }
                for query, slots in draft.unsure.items()
            }
            links = {question for chain in chains.values() for question in chain}
            free = [q for q, questions in lacking.items() if questions and not links & questions]
            if not free:
                return draft
            query = free[0]
            chained = lacking[query].union(chains.get(query, ()))
            chains[query] = [each for each in self.transitions.order if each in chained]

    def _file(self, chains: Mapping[str, Sequence[str]]) -> TaskFile:
        support = self.settings.support
        flow = FlowLayout(
            self.said, self.transitions, self.edges, self.asks, self.knowledge, support, chains
        )
        aside = self.asides.get(OUT_OF_SCOPE, Counter())
        return TaskFile(
            name=self.name,
            language=self.settings.language,
            knowledge=self.knowledge,
            nodes=flow.nodes(),
            out_of_scope=[text for text, _ in aside.most_common(1)],
            dialogues=len(self.paths),
        )

    @property
    def text(self) -> str:
        """The text of the task file."""
        return self.file.text

    @property
    def task(self) -> TaskSchema:
        """The task."""
        return self.file.task


def induce(dialogues: Iterable[Dialogue], task: str, settings: Induction = DEFAULT) -> Induced:
    """Make a task schema from dialogues of one task, or from the task's part in those of several.

    `UsageError` if no dialogue has a (frequent) reply of the system, or if the settings require
    labels and there are none.
    """
    pairs = [(turns(d, task), constraints(events_of(d, task))) for d in dialogues]
    paths = [path for path, _ in pairs]
    replies = [turn for path in paths for turn in path if turn.query is None]
    labelled = sum(bool(turn.label) for turn in replies)
    if not replies:
        raise UsageError(
            f"no dialogue of the task {task} has a reply of the system", code="nothing-to-learn"
        )
    if settings.labels and not labelled:
        raise UsageError(
            "no reply has a label; use --labels no to group replies that are alike",
            code="nothing-to-learn",
        )
    labels = distinct((turn.label for turn in replies if turn.label), node_name)
    for turn in replies:
        turn.label = labels.get(turn.label, "")
    usual = labelled >= LABELLED * len(replies)
    if not (usual if settings.labels is None else settings.labels):
        _group(replies, len(paths), settings)
    asides: dict[str, Counter[str]] = {}
    rare = _rare(paths)
    for turn in replies:
        if turn.label in UNBOUND:
            asides.setdefault(turn.label, Counter())[turn.text] += 1
    remaining = [
        ([turn for turn in path if turn.label and _action(turn) not in rare], goals)
        for path, goals in pairs
    ]
    remaining = [(path, goals) for path, goals in remaining if path]
    if not remaining:
        raise UsageError(
            f"no reply in the dialogues of the task {task} comes often enough",
            code="nothing-to-learn",
        )
    return Induced(task, [p for p, _ in remaining], [w for _, w in remaining], settings, asides)


def _action(turn: SystemTurn) -> tuple[str, str]:
    return turn.label, "" if turn.query is None else turn.query.api


def _rare(paths: Sequence[Sequence[SystemTurn]]) -> set[tuple[str, str]]:
    """Return the actions outside any flow: those in `UNBOUND`, rare ones, and slips."""
    times = Counter(action for path in paths for action in {_action(turn) for turn in path})
    queries = Counter(turn.query.api for path in paths for turn in path if turn.query is not None)
    most = max(queries.values(), default=0)
    slips = {api for api, n in queries.items() if n < SLIP * most}
    least = RARE * len(paths)
    return {a for a, n in times.items() if n < least or a[0] in UNBOUND or a[1] in slips}


def template(turn: SystemTurn, columns: Mapping[str, str] = {}) -> str:
    """Return the text of a turn as a template; `columns` maps names to those of placeholders."""
    values = shown_values(turn.result, turn.known)
    names = {value: columns.get(name) or spelled(name) for value, name in values.items()}
    return delexicalised(turn.text, names)


def _group(replies: Sequence[SystemTurn], dialogues: int, settings: Induction) -> None:
    texts = [template(turn) for turn in replies]
    least = max(2, round(RARE * dialogues))
    groups = grouped(Counter(texts), encoders.get(settings.encoder)(), least)
    heads = dict.fromkeys(groups.values())
    names = named(heads, settings.language, (*QUERIES, *UNBOUND))
    for turn, text in zip(replies, texts, strict=True):
        turn.label = names[groups[text]] if text in groups else ""
