"""The view of a dialogue that a model gets with a question of each kind.

Everything a model reads of a test dialogue comes through `visible`, so that no model can read what
comes after the question, annotations, or what only the other side knew. A test changes everything
else and demands the same questions and predictions.

A protocol's setting `see` withholds more, in training and test alike, to compare models with the
same input; `Withheld` lists its values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Literal

from msgspec.structs import replace

from dialoom.dialogue import (
    Acts,
    Choice,
    Dialogue,
    FrameOf,
    InScope,
    NextAction,
    NextActs,
    NextCall,
    NextCalls,
    NextReply,
    Realise,
    Spans,
    StateOf,
)
from dialoom.dialogue.annotation import GOLD, LABELS, TOKEN, Act, Layer, Part, Struct
from dialoom.dialogue.event import SYSTEM, USER, Event, Options, Query, Result, Selection, Utterance
from dialoom.dialogue.views import gold, parts
from dialoom.schema.flow import FlowGraph
from dialoom.schema.task import TaskSchema

Withheld = Literal["sam-window", "sam-schema", "no-api", "no-labels"]
"""Information that a protocol's setting `see` may withhold.

    sam-window   of the history, all but the last 100 words and punctuation marks
    sam-schema   of the schema, what the Schema Attention Model's view of it lacks: the edges of
                 STAR's own graph, the wizards' examples, the descriptions of APIs
    no-api       of the schema, the inputs and outputs of its calls
    no-labels    of the history, the labels of the system's actions
"""

WINDOW = 100
"""Tokens that the Schema Attention Model reads of a history (its `max_seq_length`). Its tokens
are word pieces; ours are words and punctuation marks, of which a text has somewhat fewer."""

View = Callable[[Event], Event | None]


def visible(dialogue: Dialogue, view: View) -> tuple[tuple[Event, ...], list[int]]:
    """Return the visible events of a dialogue, and for each of all its events how many precede it.

    Scenario, questionnaires, outcome and workers are never visible.
    """
    events: list[Event] = []
    positions = []
    for event in dialogue.events:
        positions.append(len(events))
        part = view(event)
        if part is not None:
            events.append(part)
    return tuple(events), positions


def system_log(event: Event) -> Event | None:
    """Show utterances, queries, results, the labels of the system's actions, and the task in hand.

    Hidden are instructions, which are between the guide and the user, and what a wizard typed to
    get suggestions or which item they selected, because these reveal the next action.
    The Schema Attention Model reads utterances, queries and results.
    """
    if isinstance(event, Selection):
        return Selection(kind="task", task=event.task) if event.kind == "task" else None
    if isinstance(event, Utterance) and event.agent == SYSTEM:
        return replace(bare(event), layers=_acts(event, arguments=False))
    return words_and_calls(event)


def wizard_page(event: Event) -> Event | None:
    """Show what `system_log` does, what a wizard typed to get suggestions, and the items selected.

    Hidden are the replies that were suggested, and which one was picked.
    """
    if isinstance(event, Options):
        return Options(text=event.text, selected=event.selected)
    if isinstance(event, Selection):
        return replace(event, time=None, extra={})
    return system_log(event)


def words_and_calls(event: Event) -> Event | None:
    """Show utterances without annotation, queries and results."""
    if isinstance(event, Utterance):
        return bare(event)
    if isinstance(event, Query):
        return replace(event, time=None, selected=None, extra={})
    if isinstance(event, Result):
        return replace(event, time=None, extra={})
    return None


def words(event: Event) -> Event | None:
    """Show utterances, and which services a user's utterance has frames of.

    The services are no secret: the question about the utterance names them.
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


def of_service(event: Event, service: str) -> Event:
    """Show an event without the annotation of all services but one."""
    if not isinstance(event, Utterance):
        return event
    layers = (
        replace(layer, parts=tuple(part for part in layer.parts if part.service == service))
        for layer in event.layers
    )
    return replace(event, layers=tuple(layers))


def acts_and_results(event: Event) -> Event | None:
    """Show utterances with their acts and states, queries and results: for turns before."""
    if not isinstance(event, Utterance):
        return words_and_calls(event)
    pieces = tuple(Part(part.service, acts=part.acts, state=part.state) for part in parts(event))
    return replace(bare(event), layers=(Layer(GOLD, pieces),) if pieces else ())


def acts_alone(event: Event) -> Event | None:
    """Show utterances with their acts, which both user and system know."""
    if not isinstance(event, Utterance):
        return None
    return Utterance(agent=event.agent, text=event.text, layers=_acts(event, arguments=True))


def acts_and_frames(event: Event) -> Event | None:
    """Show utterances with their acts, frames and active frame: for turns before."""
    if not isinstance(event, Utterance):
        return None
    pieces = tuple(
        Part(acts=part.acts, frames=part.frames, active_frame=part.active_frame)
        for part in parts(event)
    )
    return replace(bare(event), layers=(Layer(GOLD, pieces),) if pieces else ())


def frames_alone(event: Utterance) -> Utterance:
    """Show an utterance with its frames, which published models of frame tracking read (a leak)."""
    pieces = tuple(Part(frames=part.frames) for part in parts(event))
    return Utterance(agent=event.agent, text=event.text, layers=(Layer(GOLD, pieces),))


def bare(event: Utterance) -> Utterance:
    """Show an utterance without annotation."""
    return Utterance(agent=event.agent, text=event.text)


def unlabelled(event: Event) -> Event | None:
    """Show what `system_log` does without the labels of the system's actions."""
    return system_log(event) if isinstance(event, Selection) else words_and_calls(event)


def window(
    events: tuple[Event, ...], position: int, see: Collection[Withheld]
) -> tuple[tuple[Event, ...], int]:
    """Cut the visible events to a window before a question, if `see` says so.

    With `sam-window` in `see`, the last `WINDOW` tokens before the question are left, and nothing
    after it. An utterance at the window's edge is cut; a query or result there is left out.

    Returns:
        The events, and how many of them come before the question.
    """
    if "sam-window" not in see:
        return events, position
    left = WINDOW
    tail: list[Event] = []
    for event in reversed(events[:position]):
        tokens = list(TOKEN.finditer(_spelled(event)))
        if len(tokens) > left:
            if left and isinstance(event, Utterance):
                tail.append(replace(event, text=event.text[tokens[-left].start() :]))
            break
        tail.append(event)
        left -= len(tokens)
    return tuple(reversed(tail)), len(tail)


def _spelled(event: Event) -> str:
    """Spell an event as the Schema Attention Model reads it."""
    if isinstance(event, Utterance):
        return event.text
    if isinstance(event, Query):
        return "".join(f"{each.slot} = {each.values} ; " for each in event.constraints)
    if isinstance(event, Result):
        return "".join(f"{k} = {v} ; " for item in event.items for k, v in item.items())
    return ""


def schemas(tasks: Mapping[str, TaskSchema], see: Collection[Withheld]) -> Mapping[str, TaskSchema]:
    """Return the visible part of task schemas; the same object where nothing is withheld."""
    if not {"sam-schema", "no-api"}.intersection(see):
        return tasks
    views = {name: without_api(task) for name, task in tasks.items()}
    return {n: sam_view(t) for n, t in views.items()} if "sam-schema" in see else views


def without_api(task: TaskSchema) -> TaskSchema:
    """Return a task without inputs and outputs of its calls, slots and tables."""
    calls = {
        name: replace(call, key=(), inputs=(), outputs=(), answers={}, refuses=(), sets={}, also=())
        for name, call in task.calls.items()
    }
    return replace(task, slots={}, constraints=(), calls=calls, tables={}, source=None)


def sam_view(task: TaskSchema) -> TaskSchema:
    """Return a task as the Schema Attention Model's view of it.

    Edges of the flow lead only to what users say and to results; examples and the nodes that may
    come at any time are left out.
    """
    nodes = task.flow.nodes
    between = {name for name, node in nodes.items() if node.kind in ("user", "result")}
    anytime = {node.name for node in task.flow.anytime}
    remainder = {
        name: node
        if name in between
        else replace(node, examples=(), then=tuple(each for each in node.then if each in between))
        for name, node in nodes.items()
        if name not in anytime
    }
    return replace(task, flow=FlowGraph(nodes=remainder, complete=task.flow.complete))


def annotated(event: Event) -> Event:
    """Show everything: for training dialogues only."""
    return event


def acts_apart(event: Event) -> Event:
    """Show everything, the system's gold layer under the source `LABELS`: for training only.

    That source shows a model that test dialogues lack the system's acts.
    """
    layer = gold(event) if isinstance(event, Utterance) and event.agent == SYSTEM else None
    return event if layer is None else replace(event, layers=(replace(layer, source=LABELS),))


def _acts(event: Utterance, *, arguments: bool) -> tuple[Layer, ...]:
    layer = gold(event)
    if layer is None:
        return ()
    parts = []
    for part in layer.parts:
        acts = part.acts if arguments else tuple(Act(act.name) for act in part.acts or ())
        parts.append(Part(part.service, acts=acts))
    return (Layer(layer.source, tuple(parts)),)


VIEWS: dict[type[Struct], View] = {
    InScope: system_log,
    NextAction: system_log,
    NextCall: system_log,
    NextCalls: words_and_calls,
    NextReply: system_log,
    Choice: words_and_calls,
    StateOf: words,
    Realise: words_and_acts,
    FrameOf: acts_and_frames,
    Acts: acts_and_frames,
    NextActs: acts_and_results,
    Spans: words_and_calls,
}
"""Kind of question to its default view; a protocol may choose another."""
