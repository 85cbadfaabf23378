"""Base of the protocols on STAR: questions about dialogues, and their task, domain and stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dialoom.bench.core import sam
from dialoom.bench.core.protocol import Data, Target
from dialoom.bench.visibility import VIEWS, View, Withheld, unlabelled, visible, window
from dialoom.corpus import Corpus
from dialoom.dialogue import SYSTEM, Event, InScope, NextAction, NextCall, NextReply, Selection
from dialoom.dialogue.dialogue import COMPLETE, Dialogue, Scenario
from dialoom.dialogue.views import action
from dialoom.errors import MissingDataError, check_name
from dialoom.flow.actions import read_graph
from dialoom.metrics import Metric
from dialoom.metrics.classification import Classification
from dialoom.schema.task import TaskSchema

HAPPY, UNHAPPY, MULTI = "happy", "unhappy", "multi"
STAGES = (HAPPY, UNHAPPY, MULTI)
"""The stages of STAR's collection: one task along a path of the flow graph; one task that the user
makes harder; several tasks. The STAR paper trains models for one stage on the earlier ones, too."""

ALL = "all"


def parse_stages(text: str) -> tuple[str, ...]:
    """Read stages between commas, or `all`, in order; `UnknownNameError` for others."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        check_name("stage", name, (*STAGES, ALL))
    return tuple(stage for stage in STAGES if stage in names or ALL in names)


def spell_stages(stages: tuple[str, ...]) -> str:
    """Return stages as the text that `parse_stages` reads."""
    return ALL if stages == STAGES else ",".join(stages)


@dataclass(frozen=True, slots=True)
class Asking:
    """A kind of question about dialogues: at which events it is asked, and how it is scored.

    `gold` returns the right answer at an index of events, None without a question; `metrics` the
    main metric first; `slices` those of a question; `view` the visible part of an event (by default
    that of the kind). Questions in the slices `aside` count there alone.
    """

    kind: type[NextAction | NextReply | NextCall | InScope]
    gold: Callable[[Sequence[Event], int], Any]
    metrics: Callable[[Data], tuple[Metric, ...]]
    model: str
    slices: Callable[[Event], tuple[str, ...]] = lambda event: ()
    aside: frozenset[str] = frozenset()
    after: bool = False
    notes: tuple[str, ...] = ()
    view: View | None = None


ACTIONS = Asking(
    NextAction,
    lambda events, index: action(events[index]),
    lambda data: (Classification(),),
    "follower",
)
"""Questions for the next action: at the system's queries and its replies with a gold label."""


@dataclass(frozen=True, slots=True)
class Source:
    """A dialogue's questions with the properties that the protocols filter and split by.

    The first of the scenario's domains counts; STAR has null there 145 times. The stage is None for
    a happy dialogue outside of the protocol's form, the wizard None if unknown. Simulated dialogues
    have no outcome, and count as complete.
    """

    id: str
    domain: str | None
    task: str | None
    stage: str | None
    wizard: str | None
    imported: bool
    capabilities: Mapping[str, str | None]
    complete: bool
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Happiness:
    """The criterion for happy dialogues.

    `ids` are STAR's happy dialogues in the Schema Attention Model's copy of the corpus, whose flags
    differ from the published ones; None for the published flags. Simulated and collected dialogues,
    which the list does not have, are judged by their scenario.
    """

    ids: frozenset[int] | None = None

    def __call__(self, dialogue: Dialogue) -> bool:
        """True if a dialogue is happy."""
        if self.ids is not None and dialogue.provenance == "imported" and dialogue.id.isdecimal():
            return int(dialogue.id) in self.ids
        return bool(dialogue.scenario and dialogue.scenario.happy)


Form = Literal["coded", "noleak", "mask", "published"]


def choose_form(data: Data, choice: Form | None) -> tuple[Form, Happiness, list[str]]:
    """Return the form, the criterion for happy dialogues, and notices.

    Without `choice`, the form is `coded` if the data's folders have the list of happy dialogues,
    else `published`. `MissingDataError` for `coded` without the list.
    """
    if choice == "published":
        return "published", Happiness(), []
    spec = sam.find_protocol(corpus.root for corpus in data.corpora)
    if spec is not None:
        return choice or "coded", Happiness(spec.data.happy), []
    if choice == "coded":
        raise MissingDataError(
            f"form=coded needs {sam.PROTOCOL_FILE}, the list of happy dialogues, in the STAR "
            "folder of --corpus or --train-corpus; put it there, or use --form published"
        )
    form: Form = choice or "published"
    notice = f"no {sam.PROTOCOL_FILE} at hand: happy dialogues by the published flags (form {form})"
    return form, Happiness(), [notice]


def read(
    corpus: Corpus, happy: Happiness, asking: Asking, see: Sequence[Withheld] = ()
) -> list[Source]:
    """Return the corpus's dialogues, ids ascending (as numbers where they are)."""
    sources = [source(dialogue, happy, asking, see) for dialogue in corpus.dialogues()]
    return sorted(sources, key=lambda item: id_order(item.id))


def id_order(identifier: str) -> tuple[bool, int, str]:
    """Order ids: numbers by value, then everything else by spelling."""
    number = identifier.isdecimal()
    return not number, int(identifier) if number else 0, identifier


def source(
    dialogue: Dialogue, happy: Happiness, asking: Asking, see: Sequence[Withheld] = ()
) -> Source:
    """Return a dialogue with what the protocols filter and split by."""
    scenario = dialogue.scenario or Scenario()
    return Source(
        id=dialogue.id,
        domain=scenario.domains[0] if scenario.domains else None,
        task=first_task(dialogue),
        stage=stage(dialogue, happy),
        wizard=dialogue.workers.get(SYSTEM),
        imported=dialogue.provenance == "imported",
        capabilities={capability.task: capability.domain for capability in scenario.capabilities},
        complete=dialogue.outcome in (COMPLETE, None),
        targets=tuple(targets(dialogue, asking, see)),
    )


def stage(dialogue: Dialogue, happy: Happiness) -> str | None:
    """Return the stage of the collection that a dialogue belongs to.

    Whether a dialogue is unhappy or has several tasks is always as published: the list of happy
    dialogues does not separate these.
    """
    scenario = dialogue.scenario or Scenario()
    if scenario.multi_task:
        return MULTI
    if happy(dialogue):
        return HAPPY
    return None if scenario.happy else UNHAPPY


def first_task(dialogue: Dialogue) -> str | None:
    """Return the task of the wizard's first capability."""
    capabilities = dialogue.scenario.capabilities if dialogue.scenario else ()
    names = [capability.task for capability in capabilities] or list(dialogue.services)
    return names[0] if names else None


def targets(
    dialogue: Dialogue, asking: Asking = ACTIONS, see: Sequence[Withheld] = ()
) -> Iterator[Target]:
    """Yield the questions of a dialogue.

    The task of a question is the one that the wizard selected last (in multi-task dialogues), else
    their first capability.
    """
    task = first_task(dialogue) or ""
    view = asking.view or VIEWS[asking.kind]
    history, positions = visible(dialogue, unlabelled if "no-labels" in see else view)
    for index, event in enumerate(dialogue.events):
        if isinstance(event, Selection) and event.kind == "task" and event.task:
            task = event.task
        gold = asking.gold(dialogue.events, index)
        if gold is not None:
            left, position = window(history, positions[index] + asking.after, see)
            question, slices = asking.kind(task), asking.slices(event)
            aside = not asking.aside.isdisjoint(slices)
            rest = slices, aside, dialogue.provenance == "simulated"
            yield Target(dialogue.id, index, question, gold, left, position, *rest)


def questions(sources: Iterable[Source]) -> list[Target]:
    """Return all questions of some dialogues."""
    return [target for item in sources for target in item.targets]


def actions(task: TaskSchema) -> frozenset[str]:
    """Return the system actions of a task's schema, for the masked form.

    With STAR's schemas these are the outputs of the Schema Attention Model: the actions that an
    edge from a user's turn or a result leads to. Tasks without such edges have the names of their
    replies (and of the graph's markers). If the flow is complete, as in a task file, these are
    its texts and the actions that any edge leads to.
    """
    graph = read_graph(task)
    if task.flow.complete:
        return frozenset((*graph.texts, *(edge.after for edge in graph.edges)))
    answered = frozenset(edge.after for edge in graph.edges if edge.source in ("user", "kb"))
    return answered or frozenset(task.replies)
