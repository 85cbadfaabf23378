"""Hypothesis strategies for dialogues: every kind of event, layer, part, constraint and value."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from dialoom.dialogue import (
    Act,
    Answer,
    Argument,
    Candidate,
    Capability,
    Completion,
    Constraint,
    Dialogue,
    Event,
    Frame,
    FrameQuestion,
    FrameValue,
    Instruction,
    Layer,
    Options,
    Origin,
    Part,
    Query,
    Reference,
    Result,
    Scenario,
    Selected,
    Selection,
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.constraint import CALLS, Operator

EXAMPLES = int(os.environ.get("DIALOOM_EXAMPLES", "10"))


def sampled(test: Callable[..., None]) -> Callable[..., None]:
    """For properties that are slow to try, of whole dialogues for the most part.

    The tests try each on ten examples; `make fuzz`, which runs all properties, on more.
    """
    tried: Callable[..., None] = settings(max_examples=EXAMPLES)(test)
    return tried


names = st.text(min_size=1, max_size=12)
texts = st.text(max_size=60)
"""All of Unicode but surrogates, which UTF-8 cannot hold: control characters, emoji, any script."""

whole = st.integers(-(10**17), 10**17)
fractions = st.floats(allow_nan=False, allow_infinity=False)
values = st.none() | st.booleans() | whole | fractions | texts
times = st.none() | st.integers(0, 2**53)
agents = st.sampled_from(["user", "system", "kb", "guide"]) | names

json_values: st.SearchStrategy[Any] = st.recursive(
    values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
extras = st.dictionaries(names, json_values, max_size=2)
items = st.dictionaries(names, json_values, max_size=4)


def few(strategy: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return tuples of at most three values."""
    return st.lists(strategy, min_size=least, max_size=3).map(tuple)


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return values or None."""
    return st.none() | strategy


operators: st.SearchStrategy[Operator] = st.sampled_from(list(CALLS.values()))


@st.composite
def constraints(draw: st.DrawFn) -> Constraint:
    """Return a constraint that was read from its values; only one-of has other than one."""
    operator = draw(operators)
    count = few(values) if operator == "one_of" else st.tuples(values)
    return Constraint(draw(names), operator, draw(count))


plain_arguments = st.builds(Argument, names, few(values), optional(few(values)), extra=extras)
references = st.builds(Reference, st.integers(1, 40), optional(few(plain_arguments)), extra=extras)
arguments = plain_arguments | st.builds(
    Argument, st.sampled_from(["ref", "read", "write"]), references=few(references, least=1)
)
acts = st.builds(Act, names, few(arguments), extras)
spans = st.builds(
    Span,
    st.integers(0, 60),
    st.integers(0, 60),
    few(names),
    optional(texts),
    values,
    extras,
)
states = st.builds(
    State,
    optional(names),
    few(names),
    st.dictionaries(names, few(values), max_size=3),
    extras,
)
frame_values = st.builds(FrameValue, values, st.booleans(), extras)
frame_questions = st.builds(
    FrameQuestion, few(names), json_values, optional(st.sampled_from(["user", "system"])), extras
)
frames = st.builds(
    Frame,
    id=st.integers(1, 40),
    parent=optional(st.integers(1, 40)),
    info=st.dictionaries(names, few(frame_values), max_size=3),
    requests=few(frame_questions),
    binary_questions=few(frame_questions),
    compare_requests=few(frame_questions),
    extra=extras,
)
parts = st.builds(
    Part,
    service=optional(names),
    acts=optional(few(acts)),
    spans=optional(few(spans)),
    state=optional(states),
    frames=optional(few(frames)),
    active_frame=optional(st.integers(1, 40)),
    extra=extras,
)
layers = st.builds(Layer, st.just("gold") | names, few(parts), extras)
selected = st.builds(Selected, optional(items), optional(items))

utterances = st.builds(
    Utterance,
    agent=agents,
    text=texts,
    time=times,
    layers=few(layers),
    selected=optional(selected),
    extra=extras,
)
instructions = st.builds(Instruction, text=texts, agent=agents, time=times, extra=extras)
queries = st.builds(
    Query,
    id=names,
    api=names,
    constraints=few(constraints()),
    service=optional(names),
    agent=agents,
    time=times,
    selected=optional(selected),
    extra=extras,
)
results = st.builds(
    Result,
    query=st.just("") | names,
    items=few(items),
    total=optional(st.integers(-1, 10**6)),
    api=optional(names),
    agent=agents,
    time=times,
    extra=extras,
)
candidates = st.builds(Candidate, names, optional(texts), extras)
options = st.builds(
    Options,
    agent=agents,
    text=optional(texts),
    candidates=few(candidates),
    choice=optional(names),
    time=times,
    selected=optional(selected),
    extra=extras,
)
selections = st.builds(
    Selection,
    kind=st.sampled_from(["task", "primary", "secondary"]),
    agent=agents,
    task=optional(names),
    selected=optional(selected),
    time=times,
    extra=extras,
)
completions = st.builds(Completion, agent=agents, time=times, extra=extras)
events: st.SearchStrategy[Event] = st.one_of(
    utterances, instructions, queries, results, options, selections, completions
)
scenarios = st.builds(
    Scenario,
    domains=few(optional(names)),
    capabilities=few(st.builds(Capability, names, optional(names), extras)),
    user_task=optional(names),
    system_task=optional(names),
    happy=optional(st.booleans()),
    multi_task=optional(st.booleans()),
    instruction_id=optional(names),
    goal=json_values,
    extra=extras,
)


def dialogues(most: int = 4) -> st.SearchStrategy[Dialogue]:
    """Return dialogues of at most `most` events."""
    return st.builds(
        Dialogue,
        id=names,
        events=st.lists(events, max_size=most).map(tuple),
        services=few(names),
        scenario=optional(scenarios),
        workers=st.dictionaries(names, names, max_size=2),
        batch=optional(names),
        outcome=optional(names),
        answers=few(st.builds(Answer, agents, names, values, extras)),
        provenance=st.sampled_from(["imported", "simulated", "collected", "written"]),
        origin=optional(st.builds(Origin, names, optional(st.integers(0, 10**6)))),
        extra=extras,
    )
