"""Response generation on STAR: the text of the wizard's next reply; and the wizard's next query.

A question is asked at each utterance of the wizard, or about calls where the wizard queries the
knowledge base: which parameters are given, with which operators and values. The model sees the same
of the dialogue as for next action. Splits and hold-outs are those of next action. Replies that
wizards picked from suggestions are scored in the hold-outs; those that they typed are scored in the
slice `custom` alone, because their words cannot be predicted from a schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dialoom.bench.core.protocol import Data
from dialoom.bench.protocols.staged import staged
from dialoom.bench.protocols.star import Asking
from dialoom.bench.protocols.zero_shot import ZeroShot
from dialoom.dialogue import SYSTEM, Event, NextCall, NextReply, Query, Utterance
from dialoom.dialogue.views import label
from dialoom.metrics import Metric
from dialoom.metrics.calls import CallMatch
from dialoom.metrics.generation import Bleu, EntityF1, ExactMatch
from dialoom.schema.flow import CUSTOM
from dialoom.schema.task import TaskSchema

SHORT = 3
"""The fewest letters of a listed value that counts as an entity; shorter ones are in any text."""


def reply(events: Sequence[Event], index: int) -> str | None:
    """Return an event's text if the system says it."""
    event = events[index]
    return event.text if isinstance(event, Utterance) and event.agent == SYSTEM else None


def slices(event: Event) -> tuple[str, ...]:
    """Return the slice `custom` for a reply that the wizard typed, none for others."""
    return (CUSTOM,) if isinstance(event, Utterance) and label(event) is None else ()


def metrics(data: Data) -> tuple[Metric, ...]:
    """Return the STAR paper's three metrics, for the entities of the tasks at hand."""
    entities = {text for task in data.corpus.schemas.values() for text in listed(task)}
    return ExactMatch(), Bleu(), EntityF1(entities, "listed-values")


def listed(task: TaskSchema) -> Iterator[str]:
    """Yield the texts that a task's schema lists as values: of slots, calls and tables."""
    columns = [column for table in task.tables.values() for column in table.columns]
    for call in task.calls.values():
        columns += (*call.inputs, *call.outputs)
    texts = [value for slot in task.slots.values() for value in slot.values]
    texts += [v for column in columns for v in (*column.values, *sum(column.lists, ()))]
    for text in texts:
        if isinstance(text, str) and len(text) >= SHORT:
            yield text


GIVEN = (
    "a task's schema, which models may read, holds the templates of its replies; of the paper's "
    "models GPT-2+schema read those of its three likeliest actions, GPT-2 none"
)

TYPED = (
    "replies that the wizard typed are outside the means (the slice custom); whether the paper's "
    "means contain them is not known"
)

REPLIES = Asking(
    NextReply,
    reply,
    metrics,
    "responder",
    slices=slices,
    aside=frozenset({CUSTOM}),
    notes=(GIVEN, TYPED),
)

STAGED = staged("star-response", REPLIES)
DOMAIN = ZeroShot("star-zero-shot-response-domain", "domain", REPLIES).protocol
TASK = ZeroShot("star-zero-shot-response-task", "task", REPLIES).protocol


def call(events: Sequence[Event], index: int) -> Query | None:
    """Return the name and constraints of an event that is a query; None for other events."""
    event = events[index]
    if not isinstance(event, Query):
        return None
    return Query(id="", api=event.api, constraints=event.constraints)


CALLS = Asking(NextCall, call, lambda data: (CallMatch(data.corpus.schemas),), "caller")

CALLS_STAGED = staged("star-call", CALLS)
CALLS_DOMAIN = ZeroShot("star-zero-shot-call-domain", "domain", CALLS).protocol
CALLS_TASK = ZeroShot("star-zero-shot-call-task", "task", CALLS).protocol
