"""Builders that tests of several packages share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree

import pytest

import dialoom
from dialoom.collect.message import Refused
from dialoom.dialogue import GOLD, Act, Layer, Part, Span, State, Utterance
from dialoom.errors import DialoomError
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_task

E = TypeVar("E", bound=DialoomError | Refused)

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
    gold_acts = tuple(Act(each) if isinstance(each, str) else each for each in acts)
    part = Part(service, gold_acts, spans, state)
    return Utterance(agent=agent, text=text, layers=(Layer(GOLD, (part,)),) * (part != Part()))


@contextmanager
def refuses(error: type[E], code: str, *named: str) -> Iterator[pytest.ExceptionInfo[E]]:
    """Expect an error of this class and code; its message names these things, in any words."""
    with pytest.raises(error) as caught:
        yield caught
    assert caught.value.code == code
    for name in named:
        assert name in str(caught.value)


def drawn(html: str) -> ElementTree.Element:
    """Return the plot, which must be well-formed."""
    return ElementTree.fromstring(f"<div>{html}</div>")


GERMAN = str(Path(dialoom.__file__).with_name("tasks") / "de" / "wetter.yaml")
