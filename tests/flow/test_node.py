"""Lines of flows: values in the placeholders of templates."""

from __future__ import annotations

import pytest

from dialoom.flow.node import FlowLine, flow_line
from dialoom.schema.values.forms import surface_form


@pytest.mark.parametrize(
    ("template", "value", "language", "text"),
    [
        ("I stay at the {name}.", "The Ibis", "en", "I stay at The Ibis."),
        ("I stay at the {name}.", "Theo's", "en", "I stay at the Theo's."),
        ("We breathe {name}.", "The Ibis", "en", "We breathe The Ibis."),
        ("Ich gehe in das {name}.", "Das Lokal", "de", "Ich gehe in Das Lokal."),
    ],
)
def test_an_article_is_not_doubled(template: str, value: str, language: str, text: str) -> None:
    line = flow_line(template, {"name": 1}, language)
    filled, (span,) = line.fill((surface_form("name", value, (value,)),))
    assert filled == text
    assert filled[span.start : span.end] == value


def test_a_language_without_such_words_changes_nothing() -> None:
    line = FlowLine(("I stay at the ", "."), ("name",), 1, frozenset())
    filled, _ = line.fill((surface_form("name", "The Ibis", ("The Ibis",)),))
    assert filled == "I stay at the The Ibis."
