"""The part of a dialogue that pages for people show: facts, the lines of the transcript, answers.

A page cannot be read back, so `shown` returns what it shows, field by field, of the lines that
dialogue/event_lines.py writes; the loss report compares that with the dialogue.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from dialoom.corpus.format import ExportOnly
from dialoom.dialogue import Dialogue, Query, Result, Selection, Utterance
from dialoom.dialogue.annotation import Act, Argument, Layer, Part, Reference, Span, State
from dialoom.dialogue.dialogue import Answer, Capability, Scenario
from dialoom.dialogue.event import Candidate, Completion, Event, Instruction, Options, Selected
from dialoom.dialogue.event_lines import SHOWN

UNKNOWN = -1
"""Start or end of a span of which only the text is shown."""


class PageFormat(ExportOnly):
    """Base class of formats for people to read, which are only written."""

    why = "it is for people to read"

    def kept(self, dialogue: Dialogue) -> Dialogue:
        """Return the part of a dialogue that its page shows."""
        return shown(dialogue)


def facts(dialogue: Dialogue) -> list[tuple[str, str]]:
    """Return the facts above the transcript, as pairs of name and value."""
    scenario = dialogue.scenario or Scenario()
    pairs: list[tuple[str, str | None]] = [
        ("services", ", ".join(dialogue.services)),
        ("domains", ", ".join(domain or "(none)" for domain in scenario.domains)),
        ("tasks", ", ".join(map(_capability, scenario.capabilities))),
        ("the user's task", scenario.user_task),
        ("the system's task", scenario.system_task),
        ("happy", _yes(scenario.happy)),
        ("several tasks", _yes(scenario.multi_task)),
        ("instructions", scenario.instruction_id),
        ("goal", None if scenario.goal is None else _spelled(scenario.goal)),
        ("outcome", dialogue.outcome),
        ("batch", dialogue.batch),
        ("provenance", dialogue.provenance),
    ]
    return [(name, value) for name, value in pairs if value]


def questionnaire(dialogue: Dialogue) -> list[tuple[str, str]]:
    """Return the answers below the transcript, as pairs of question (with its agent) and answer."""
    return [(f"{each.agent}: {each.question}", _answer(each)) for each in dialogue.answers]


def _capability(capability: Capability) -> str:
    return f"{capability.task} ({capability.domain})" if capability.domain else capability.task


def _yes(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _spelled(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{name}: {_within(entry)}" for name, entry in value.items())
        return "; ".join(pairs) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(_within, value)) or "nothing"
    if isinstance(value, bool) or value is None:
        return _yes(value) or "none"
    return str(value)


def _within(value: object) -> str:
    nested = isinstance(value, Mapping | list | tuple) and bool(value)
    return f"({_spelled(value)})" if nested else _spelled(value)


def _answer(answer: Answer) -> str:
    value = answer.answer
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def shown(dialogue: Dialogue) -> Dialogue:
    """Return the dialogue as a page shows it, with values in spellings for people."""
    scenario = dialogue.scenario
    if scenario is not None:
        capabilities = tuple(replace(each, extra={}) for each in scenario.capabilities)
        scenario = replace(scenario, capabilities=capabilities, extra={})
    last: str | None = None
    events: list[Event] = []
    for event in dialogue.events:
        if isinstance(event, Query):
            last = event.id
        events.append(_event(event, last))
    return replace(
        dialogue,
        events=tuple(events),
        scenario=scenario,
        answers=tuple(replace(answer, extra={}) for answer in dialogue.answers),
        workers={},
        extra={},
    )


def _event(event: Event, call: str | None) -> Event:
    """Return the part of an event that its line shows; `call` is the last query's id."""
    match event:
        case Utterance():
            layers = tuple(view for layer in event.layers if (view := _layer(layer, event.text)))
            return Utterance(agent=event.agent, text=event.text, layers=layers)
        case Instruction():
            return Instruction(agent=event.agent, text=event.text)
        case Query():
            limits = event.constraints
            terms = (each if each.operator is None else replace(each, raw=None) for each in limits)
            bare = replace(event, time=None, selected=None, extra={})
            return replace(bare, constraints=tuple(terms), service=event.service or None)
        case Result():
            return _result(event, call)
        case Options():
            return _options(event)
        case Selection():
            return _selection(event)
        case Completion():
            return Completion(agent=event.agent)


def _result(result: Result, call: str | None) -> Result:
    total = result.total if result.total and result.total > 0 else None
    items = result.items[: 1 if total == 1 else SHOWN]
    query = result.query if result.query == call else ""
    return Result(agent=result.agent, query=query, items=items, total=total)


def _options(options: Options) -> Options:
    candidates = tuple(
        Candidate(each.id if each.text is None else "", each.text)
        for each in options.candidates[:SHOWN]
    )
    ids = {each.id for each in options.candidates if each.text is not None}
    choice = None if options.choice in ids else options.choice
    return Options(agent=options.agent, text=options.text, candidates=candidates, choice=choice)


def _selection(selection: Selection) -> Selection:
    kind, items = selection.kind, selection.selected
    bare = Selection(kind=kind, agent=selection.agent)
    if kind == "task":
        return replace(bare, task=selection.task)
    item = items and (items.primary if kind == "primary" else items.secondary)
    return replace(bare, selected=Selected(**{kind: item})) if item else bare


def _layer(layer: Layer, text: str) -> Layer | None:
    parts = tuple(view for part in layer.parts if (view := _part(part, text)))
    return Layer(layer.source, parts) if parts else None


def _part(part: Part, text: str) -> Part | None:
    spans = None
    if part.acts is None and part.spans:
        spans = tuple(_span(span, text) for span in part.spans)
    state = None
    if part.state and not part.acts and (part.state.values or part.state.requested):
        state = State(requested=part.state.requested, values=part.state.values)
    if not part.acts and spans is None and state is None and part.active_frame is None:
        return None
    bare = (Act(act.name, tuple(map(_argument, act.arguments))) for act in part.acts or ())
    acts = tuple(bare) or None
    frame = part.active_frame
    return Part(part.service, acts=acts, spans=spans, state=state, active_frame=frame)


def _span(span: Span, text: str) -> Span:
    """Return a span with its place only if its text occurs once in the utterance."""
    words = text[span.start : span.end]
    if words and text.count(words) == 1 and text.find(words) == span.start:
        return Span(span.start, span.start + len(words), span.labels)
    return Span(UNKNOWN, UNKNOWN, span.labels)


def _argument(argument: Argument) -> Argument:
    if argument.references:
        references = tuple(
            Reference(each.frame, tuple(map(_argument, each.arguments)) if each.arguments else None)
            for each in argument.references
        )
        return Argument(argument.slot, references=references)
    canonical = argument.canonical if argument.values else None
    return Argument(argument.slot, argument.values, canonical)
