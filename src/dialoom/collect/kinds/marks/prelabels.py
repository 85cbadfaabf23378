"""Pre-labels: the marks that annotators start from, published ones or a model's.

A source is `published`, the name of a model that needs no training, or a file that `dialoom train`
wrote. A model gives the layers of the kinds of questions that it answers; it sees only the texts.
Marks that are not among the annotators' choices are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.collect.kinds.document.dialogue_work import utterances
from dialoom.collect.kinds.marks import layers
from dialoom.collect.kinds.marks.annotated import PUBLISHED, annotated, marks_by
from dialoom.collect.kinds.marks.choices import Choices
from dialoom.collect.kinds.marks.marks import Marks
from dialoom.collect.message import Refused
from dialoom.dialogue import (
    GOLD,
    USER,
    Acts,
    Dialogue,
    Layer,
    Part,
    Question,
    Spans,
    StateOf,
    Utterance,
)
from dialoom.dialogue.annotation import PRELABELS
from dialoom.dialogue.question import kind_name
from dialoom.dialogue.views import parts
from dialoom.errors import UsageError
from dialoom.learn.model import Model, Schemas, Unlearnt
from dialoom.models import MODELS, load
from dialoom.schema.service import NO_INTENT

KINDS = {Spans: "spans", Acts: "acts", StateOf: "states"}
"""Kind of question to the layer of its answers."""


@cache
def model_of(source: str) -> Model:
    """Return an untrained or saved model for `KINDS`; `UsageError` for one that does not fit."""
    is_name = source in MODELS or not Path(source).exists()
    model: Model = MODELS.get(source)() if is_name else load(Path(source)).model
    if is_name and not isinstance(model, Unlearnt):
        raise UsageError(f"prelabels: {source} has to learn first: name a file of `dialoom train`")
    if not any(kind in KINDS for kind in model.kinds):
        kinds = ", ".join(map(kind_name, model.kinds))
        raise UsageError(f"prelabels: {source} answers {kinds}, which annotators do not mark")
    return model


def check_prelabels(sources: Sequence[str]) -> None:
    """Check the sources of pre-labels; errors are those of `model_of`."""
    for source in sources:
        if source != PUBLISHED:
            model_of(source)


def prelabelled(
    dialogue: Dialogue, choices: Choices, sources: Sequence[str], schemas: Schemas
) -> Dialogue:
    """Return a dialogue with pre-labels; a later source replaces an earlier one's same layer."""
    marks = [Marks() for _ in utterances(dialogue)]
    for source in sources:
        if source == PUBLISHED:
            new_marks = marks_by(dialogue, choices, GOLD)
            names: set[str] = set(choices.layers)
        else:
            new_marks = _answered(dialogue, choices, model_of(source), schemas)
            names = {KINDS[kind] for kind in model_of(source).kinds if kind in KINDS}
        fields = {"active" if name == "frames" else name for name in names}
        marks = [
            replace(old, **{field: getattr(new, field) for field in fields})
            for old, new in zip(marks, new_marks, strict=True)
        ]
    pairs = zip(marks, utterances(dialogue), strict=True)
    return annotated(dialogue, choices, {PRELABELS: [_sound(*each, choices) for each in pairs]})


def _answered(dialogue: Dialogue, choices: Choices, model: Model, schemas: Schemas) -> list[Marks]:
    turns = [_text(each, choices) for each in utterances(dialogue)]
    questions = [
        (place, service, question)
        for place in range(len(turns))
        for service, question in _asked(turns[: place + 1], choices, model)
    ]
    groups: dict[int, list[Part]] = {}
    answers = model.predict([question for _, _, question in questions], schemas)
    for (place, service, question), answer in zip(questions, answers, strict=True):
        groups.setdefault(place, []).append(_part(question.asked, service, answer.answer))
    return [
        layers.read(Layer(PRELABELS, tuple(groups.get(place, ()))), each, choices)
        for place, each in enumerate(turns)
    ]


def _text(utterance: Utterance, choices: Choices) -> Utterance:
    """Return an utterance without annotation, but with the services that it may be about."""
    names = [part.service for part in parts(utterance) if part.service in choices.services]
    about = tuple(Part(service) for service in names or choices.services)
    return Utterance(agent=utterance.agent, text=utterance.text, layers=(Layer(GOLD, about),))


def _asked(
    turns: Sequence[Utterance], choices: Choices, model: Model
) -> Iterator[tuple[str | None, Question[Any]]]:
    history = Dialogue(id="0", events=tuple(turns))
    user = turns[-1].agent == USER

    def question(kind: Any) -> Question[Any]:
        return Question(history, len(turns), kind)

    if Acts in model.kinds and "acts" in choices.layers:
        yield choices.first, question(Acts())
    for service in choices.services if user else ():
        part = service if choices.listed else None
        if StateOf in model.kinds and "states" in choices.layers:
            yield part, question(StateOf((service,)))
        if Spans in model.kinds and "spans" in choices.layers and _by_service(choices):
            begins = f"{service}."
            own = (each for each in choices.labels if each.startswith(begins))
            labels = tuple(each.removeprefix(begins) for each in own)
            yield part, question(Spans(labels, service))
    if Spans in model.kinds and "spans" in choices.layers and not _by_service(choices):
        yield None, question(Spans(choices.labels))


def _by_service(choices: Choices) -> bool:
    return choices.listed or choices.stripped


def _part(kind: Any, service: str | None, answer: Any) -> Part:
    if isinstance(kind, Spans):
        return Part(service, spans=tuple(answer))
    if isinstance(kind, Acts):
        return Part(service, acts=tuple(answer))
    [state] = answer.values()
    return Part(
        service, state=replace(state, intent=None if state.intent == NO_INTENT else state.intent)
    )


def _sound(marks: Marks, utterance: Utterance, choices: Choices) -> Marks:
    def possible(**single: Any) -> bool:
        try:
            layers.check(Marks(**single), utterance, choices)
        except Refused:
            return False
        return True

    single: Mapping[str, Any] = {
        name: tuple(each for each in getattr(marks, name) if possible(**{name: (each,)}))
        for name in ("spans", "acts", "states")
    }
    related = (
        each for each in marks.relations if possible(spans=single["spans"], relations=(each,))
    )
    active = marks.active if possible(active=marks.active) else None
    return Marks(**single, relations=tuple(related), active=active)
