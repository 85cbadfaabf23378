"""What a model may see of a dialogue when it is asked a question of each kind.

Everything a model reads of a test dialogue comes through `visible`, so that no model can peek at
what comes after the question, at annotations, or at what only the other side knew. A test damages
all the rest and demands the same questions, and the same predictions.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Choice,
    Dialogue,
    Event,
    Layer,
    NextAction,
    Part,
    Query,
    Result,
    Selection,
    StateOf,
    Utterance,
)
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import gold

View = Callable[[Event], Event | None]
"""Returns what may be seen of an event; None where nothing may."""


def visible(dialogue: Dialogue, view: View) -> tuple[tuple[Event, ...], list[int]]:
    """Return what may be seen of a dialogue, and for each of its events how much comes before it.

    Scenario, questionnaires, outcome and workers are never seen.
    """
    events: list[Event] = []
    positions = []
    for event in dialogue.events:
        positions.append(len(events))
        shown = view(event)
        if shown is not None:
            events.append(shown)
    return tuple(events), positions


def system_log(event: Event) -> Event | None:
    """Show what the system itself saw or did, and may have known from the event alone.

    Instructions are between the guide and the user. What a wizard typed to get suggestions, and
    the item they put before themselves, tell what they were about to do, and even that it is not a
    query. What remains is what the Schema Attention Model reads (utterances, queries, results), the
    labels of the system's own actions, and the choice of task, which the question names anyway.
    """
    if isinstance(event, Selection):
        return Selection(kind="task", task=event.task) if event.kind == "task" else None
    if isinstance(event, Utterance) and event.agent == SYSTEM:
        return Utterance(agent=SYSTEM, text=event.text, layers=_acts(event, arguments=False))
    return words_and_calls(event)


def words_and_calls(event: Event) -> Event | None:
    """Show utterances without annotation, queries and results."""
    if isinstance(event, Utterance):
        return Utterance(agent=event.agent, text=event.text)
    if isinstance(event, Query):
        return replace(event, time=None, selected=None, extra={})
    if isinstance(event, Result):
        return replace(event, time=None, extra={})
    return None


def words(event: Event) -> Event | None:
    """Show utterances, and of annotations only which services a user's utterance has frames of.

    That much the question about each such utterance names.
    """
    if not isinstance(event, Utterance):
        return None
    layers: tuple[Layer, ...] = ()
    layer = gold(event)
    if event.agent == USER and layer is not None:
        layers = (Layer(layer.source, tuple(Part(part.service) for part in layer.parts)),)
    return Utterance(agent=event.agent, text=event.text, layers=layers)


def words_and_acts(event: Event) -> Event | None:
    """Show what `words` does, and the acts of the system's utterances."""
    if isinstance(event, Utterance) and event.agent == SYSTEM:
        return Utterance(agent=SYSTEM, text=event.text, layers=_acts(event, arguments=True))
    return words(event)


def annotated(event: Event) -> Event:
    """Show everything: to learn from, never to be asked about."""
    return event


def _acts(event: Utterance, *, arguments: bool) -> tuple[Layer, ...]:
    """Return the gold layer with nothing but acts, or nothing but their names."""
    layer = gold(event)
    if layer is None:
        return ()
    parts = []
    for part in layer.parts:
        acts = part.acts if arguments else tuple(Act(act.name) for act in part.acts or ())
        parts.append(Part(part.service, acts=acts))
    return (Layer(layer.source, tuple(parts)),)


VIEWS: dict[type[Struct], View] = {
    NextAction: system_log,
    Choice: words_and_calls,
    StateOf: words,
}
"""Kind of question to the most that any model is shown, unless a protocol's setting shows more."""
