"""Builders that tests of several packages share."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import dialoom
from dialoom.dialogue import GOLD, Act, Layer, Part, Span, State, Utterance
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_task

ORDER_CANCEL = Path(__file__).parent / "kb" / "order_cancel.yaml"
"""A task with computed columns, several tables and hand-overs."""


@cache
def order_cancel() -> TaskSchema:
    return read_task(ORDER_CANCEL)


def utterance(
    agent: str,
    text: str,
    *acts: str | Act,
    service: str | None = None,
    spans: tuple[Span, ...] = (),
    state: State | None = None,
) -> Utterance:
    """Return an utterance, with a gold layer if anything is annotated."""
    named = tuple(Act(each) if isinstance(each, str) else each for each in acts)
    part = Part(service, named, spans, state)
    return Utterance(agent=agent, text=text, layers=(Layer(GOLD, (part,)),) * (part != Part()))


def drawn(html: str) -> ElementTree.Element:
    """Return the plot, which must be well-formed."""
    return ElementTree.fromstring(f"<div>{html}</div>")


GERMAN = str(Path(dialoom.__file__).with_name("tasks") / "de" / "wetter.yaml")
