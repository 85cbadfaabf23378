"""Similarity of texts and of results to the nodes of a task; each comparison is made once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz

from dialoom.flow.action_view import ActionView
from dialoom.flow.actions import wordings
from dialoom.learn.text import TfidfEncoder
from dialoom.schema.lexicon import fields
from dialoom.schema.template import PLACE, PLACEHOLDER

Vector = npt.NDArray[np.float64]

_PAIR = re.compile(r"\s*([\w.]+)\s*=\s*([^;]*?)\s*(?:;|$)")
"""One attribute of a result, as SAM's schemas print it."""

VALUED = 0.75
"""Weight of the attributes of a node with values, relative to those with placeholders."""

MATCHED = 0.45
"""Least similarity at which a typed reply counts as one of the task's replies."""


def bare(text: str) -> str:
    """Return a node's text without its placeholders."""
    return PLACEHOLDER.sub(" ", PLACE.sub(" ", text))


def schema_texts(program: ActionView) -> list[str]:
    """Return every text of a task that an encoder may learn from."""
    nodes = program.task.flow.nodes.values()
    return [
        *(bare(text) for text in program.texts.values() if text),
        *(bare(edge.condition) for edge in program.edges if edge.condition),
        *(line for node in nodes if node.kind == "system" for line in wordings(node)),
    ]


class Similarity:
    """Compares texts of a dialogue with the nodes of one task."""

    def __init__(self, program: ActionView, encoder: TfidfEncoder) -> None:
        self.program, self.encoder = program, encoder
        self._conditions = [bare(edge.condition) for edge in program.edges]
        self._wordings: list[str] = []
        self._owners: list[int] = []
        for number, action in enumerate(program.actions):
            node = program.task.flow.nodes.get(action)
            examples = wordings(node) if node is not None and node.kind == "system" else ()
            for text in (bare(program.texts[action]), *examples):
                if text.strip():
                    self._wordings.append(text)
                    self._owners.append(number)
        self._rows: dict[str, tuple[Vector, Vector]] = {}

    def prepare(self, texts: Iterable[str]) -> None:
        """Compare many texts at once, which is faster than one by one."""
        new = sorted(set(texts) - self._rows.keys())
        if not new:
            return
        to_edges = self.encoder.similarity(new, self._conditions)
        to_wordings = self.encoder.similarity(new, self._wordings)
        to_actions = np.zeros((len(new), len(self.program.actions)))
        for column, owner in enumerate(self._owners):
            np.maximum(to_actions[:, owner], to_wordings[:, column], out=to_actions[:, owner])
        for number, text in enumerate(new):
            self._rows[text] = (to_edges[number], to_actions[number])

    def edges(self, text: str) -> Vector:
        """Return the similarity of a text to the condition of each edge."""
        return self._row(text)[0]

    def actions(self, text: str) -> Vector:
        """Return the similarity of a text to the best wording of each action."""
        return self._row(text)[1]

    def match(self, text: str) -> tuple[str | None, float]:
        """Return the action with the most similar wording, or None, and the similarity."""
        pairs = zip(self.program.actions, self.actions(text).tolist(), strict=True)
        best, score = max(pairs, key=lambda pair: pair[1], default=("", 0.0))
        return (best if score >= MATCHED else None), score

    def _row(self, text: str) -> tuple[Vector, Vector]:
        if text not in self._rows:
            self.prepare([text])
        return self._rows[text]


def fits_result(condition: str, item: Mapping[str, Any] | None) -> float:
    """Return how well an item fits the result of a node, from 0 to 1.

    Attributes that the node gives as placeholders count by their presence, the others by their
    value; values distinguish outcomes, so their mean, if any, has the weight `VALUED`. A node
    without attributes represents an empty result.
    """
    pairs = _pairs(condition)
    if not pairs or item is None:
        return float(not pairs and item is None)
    valued: list[float] = []
    there: list[float] = []
    for key, value in pairs:
        text = bare(value).strip().lower()
        if not text:
            there.append(float(key in item))
        else:
            valued.append(_alike(text, fields(item[key]).lower()) if key in item else 0.0)
    missing = len(set(item) - {key for key, _ in pairs})
    present = sum(there) / max(1, len(there) + missing)
    if not valued:
        return present
    return VALUED * sum(valued) / len(valued) + (1 - VALUED) * present


def open_values(condition: str, item: Mapping[str, Any]) -> list[Any]:
    """Return the item's values that a node leaves open, as placeholders."""
    return [item[key] for key, value in _pairs(condition) if key in item and PLACE.search(value)]


@lru_cache(maxsize=1024)
def _pairs(condition: str) -> tuple[tuple[str, str], ...]:
    return tuple((match[1], match[2]) for match in _PAIR.finditer(condition))


@lru_cache(maxsize=1 << 14)
def _alike(one: str, other: str) -> float:
    # squared, so that two messages of the same words but one differ clearly
    return float(fuzz.ratio(one, other) / 100) ** 2
