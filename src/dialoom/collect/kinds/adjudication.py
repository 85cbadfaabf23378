"""Adjudication: somebody settles what the annotators of a dialogue disagree about.

The item is the dialogue with the layers of those who annotated it; the document has the same parts
as theirs, and what they agree on need not be touched. Nobody settles their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dialoom.collect.kinds.annotation import (
    AnnotationKind,
    MarkedAct,
    MarkedSpan,
    Marks,
    plain,
    with_layers,
)
from dialoom.collect.kinds.document.about import utterances
from dialoom.collect.log.record import Place
from dialoom.collect.unit import Data, Result
from dialoom.dialogue import GOLD, Dialogue, Layer, Utterance
from dialoom.dialogue.views import annotators

ADJUDICATOR: Place = "adjudicator"


class AdjudicationKind(AnnotationKind):
    """Settled annotations, made from those of several people."""

    name = "adjudication"
    places = (ADJUDICATOR,)

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield nothing: items come from the stage whose annotations are settled."""
        return iter(())

    def page(self, given: Dialogue) -> Data:
        """Return the utterances with each annotator's marks, and whether they are the same."""
        shown = super().page(given)
        for line, utterance in zip(shown["lines"], utterances(given), strict=True):
            line["marks"] = marks = [plain(each) for each in _marks(utterance)]
            line["same"] = all(each == marks[0] for each in marks)
        return shown

    def problems(self, given: Dialogue, document: Mapping[str, Any]) -> list[Data]:
        """Return the utterances that the annotators disagree about and nobody settled."""
        return [
            {"code": "open", "part": str(place)}
            for place, utterance in enumerate(utterances(given))
            if str(place) not in document and len(set(_marks(utterance))) > 1
        ]

    def dialogues(self, given: Dialogue, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the dialogue with what was settled as its gold layer, the others kept."""
        [result] = results[:1]
        document = {
            str(place): result.document.get(str(place), plain(marks[0]))
            for place, utterance in enumerate(utterances(given))
            if (marks := _marks(utterance))
        }
        yield with_layers(given, [(GOLD, document)])


def _marks(utterance: Utterance) -> list[Marks]:
    """Return the marks of each annotator, in the order of the text."""
    return [_of(layer, utterance.text) for layer in annotators(utterance)]


def _of(layer: Layer, text: str) -> Marks:
    spans = [span for part in layer.parts for span in part.spans or ()]
    acts = [act for part in layer.parts for act in part.acts or ()]
    marked = [
        MarkedSpan(span.start, span.end, text[span.start : span.end], tuple(sorted(span.labels)))
        for span in spans
    ]
    told = [
        MarkedAct(
            act.name,
            act.arguments[0].slot if act.arguments else None,
            str(act.arguments[0].values[0]) if act.arguments and act.arguments[0].values else None,
        )
        for act in acts
    ]
    return Marks(
        tuple(sorted(marked, key=lambda each: (each.start, each.end))),
        tuple(sorted(told, key=lambda each: (each.act, each.slot or "", each.value or ""))),
    )
