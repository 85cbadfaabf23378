"""Values in a text, found word by word by a conditional random field (Lafferty et al. 2001).

Labels are coarse: where a value begins and goes on, and of which kind it is, so that the values of
services that were never seen are found as well. In training some words of values are hidden, so
that shape and neighbours have to tell them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from dialoom.models.tracker.turns import Place, Side
from dialoom.models.tracker.words import shape

HIDDEN = 0.4
"""Share of training texts whose values are hidden."""

ROUNDS = 12
"""How often the trainer goes through the texts."""

_OUT = "O"


def attributes(side: Side, agent: str, hidden: frozenset[int] = frozenset()) -> list[list[str]]:
    """Return what the field sees of each word."""
    words, stems = side.words, side.stems
    shapes = [shape(word) for word in words]
    low = ["?" if n in hidden else each for n, each in enumerate(stems)]
    found = []
    last = len(words) - 1
    for n, word in enumerate(words):
        seen = [agent, f"w={low[n]}", f"s={shapes[n]}", f"as={agent}{shapes[n]}"]
        if n not in hidden:
            seen.append(f"e={word[-3:].lower()}")
        if n:
            seen += (f"-w={low[n - 1]}", f"-s={shapes[n - 1]}", f"-ww={low[n - 1]} {low[n]}")
            if n > 1:
                seen.append(f"--w={low[n - 2]}")
                seen.append(f"--ww={low[n - 2]} {low[n - 1]}")
        else:
            seen.append("first")
        if n < last:
            seen += (f"+w={low[n + 1]}", f"+s={shapes[n + 1]}", f"+ww={low[n]} {low[n + 1]}")
            if n + 1 < last:
                seen.append(f"++w={low[n + 2]}")
        else:
            seen.append("last")
        found.append(seen)
    return found


class SpanTagger:
    """Finds the words of a text that are values, and of which kind."""

    def __init__(self) -> None:
        self._model = b""
        self._tagger: Any = None

    def fit(self, sides: Iterable[tuple[Side, str, dict[tuple[str, str], str]]], seed: int) -> None:
        """Learn from utterances with annotated spans: (utterance, agent, kind of each slot)."""
        from pycrfsuite import Trainer

        draw = Random(seed)
        trainer = Trainer(algorithm="ap", params={"max_iterations": ROUNDS}, verbose=False)
        self._model, self._tagger, kinds_found = b"", None, set()
        for side, agent, kinds in sides:
            labels = labelled(side, kinds)
            inside = frozenset(n for n, label in enumerate(labels) if label != _OUT)
            hidden = inside if draw.random() < HIDDEN else frozenset()
            kinds_found.update(labels)
            trainer.append(attributes(side, agent, hidden), labels)
        if len(kinds_found) < 2:  # the trainer makes a model then that cannot be opened
            return
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "spans.crf"
            trainer.train(str(file))
            self._model = file.read_bytes()

    def find(self, side: Side, agent: str) -> list[Place]:
        """Return where values stand in an utterance."""
        if not side.words or not self._model:
            return []
        if self._tagger is None:
            from pycrfsuite import Tagger

            self._tagger = Tagger()
            self._tagger.open_inmemory(self._model)
        return places(self._tagger.tag(attributes(side, agent)))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made of the model when it is needed."""
        return {"_model": self._model, "_tagger": None}


def labelled(side: Side, kinds: dict[tuple[str, str], str]) -> list[str]:
    """Return the label of each word: B- and I- with the kind of a value, else O."""
    labels = [_OUT] * len(side.words)
    for start, end, service, slot in side.spans or ():
        kind = kinds.get((service, slot))
        inside = [
            n
            for n, (begins, ends) in enumerate(zip(side.starts, side.ends, strict=True))
            if begins < end and start < ends
        ]
        for n in inside if kind else ():
            labels[n] = f"{'B' if n == inside[0] else 'I'}-{kind}"
    return labels


def places(labels: Sequence[str]) -> list[Place]:
    """Return the runs of words with labels."""
    found: list[Place] = []
    for n, label in enumerate(labels):
        if label == _OUT:
            continue
        mark, kind = label.split("-", 1)
        if mark == "I" and found and found[-1].end == n and found[-1].kind == kind:
            found[-1] = Place(found[-1].start, n + 1, kind)
        else:
            found.append(Place(n, n + 1, kind))
    return found
