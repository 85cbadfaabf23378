"""The replies of STAR's wizards: what is said next, word for word.

A question is asked wherever the wizard says something; the model sees what next action is predicted
from. Splits and hold-outs are those of next action. The replies that wizards picked are scored in
the hold-outs, those in their own words in a slice of their own, `custom`: nobody can be expected to
find their words.

    dialoom bench star-response --corpus corpora
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dialoom.bench.core.protocol import Data
from dialoom.bench.protocols.staged import Staged
from dialoom.bench.protocols.star import Asking
from dialoom.bench.protocols.zero_shot import DOMAINS, TASKS, ZeroShot
from dialoom.dialogue import SYSTEM, Event, NextReply, Utterance
from dialoom.dialogue.views import label
from dialoom.metrics import Metric
from dialoom.metrics.generation import Bleu, EntityF1, ExactMatch
from dialoom.schema.task import TaskSchema

CUSTOM = "custom"
"""The slice of replies that the wizard did not pick."""

SHORT = 3
"""Letters that a listed value has at least to count as an entity: shorter ones are in any text."""


def reply(events: Sequence[Event], index: int) -> str | None:
    """Return an event's text if the system says it."""
    event = events[index]
    return event.text if isinstance(event, Utterance) and event.agent == SYSTEM else None


def slices(event: Event) -> tuple[str, ...]:
    """Return the slice of the questions in which a reply is scored."""
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

REPLIES = Asking(
    NextReply,
    reply,
    metrics,
    "responder",
    slices=slices,
    aside=frozenset({CUSTOM}),
    notes=(GIVEN,),
)
"""The system's utterances."""

STAGED = Staged("star-response", REPLIES)
DOMAIN = ZeroShot("star-zero-shot-response-domain", "domain", DOMAINS, REPLIES)
TASK = ZeroShot("star-zero-shot-response-task", "task", TASKS, REPLIES)
