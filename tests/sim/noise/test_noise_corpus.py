"""Noise over SGD, whose spans of user and system utterances are exact."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import Dialogue, Span, Utterance
from dialoom.sim.noise import Noise
from dialoom.sim.noise.speech import speech


@pytest.fixture(scope="module")
def some(corpora: Path) -> list[Dialogue]:
    return list(formats.load(corpora / "sgd" / "dev" / "dialogues_001.json").dialogues())


def covered(dialogue: Dialogue) -> list[tuple[Span, str]]:
    return [
        (span, event.text[span.start : span.end])
        for event in dialogue.events
        if isinstance(event, Utterance)
        for layer in event.layers
        for part in layer.parts
        for span in part.spans or ()
    ]


@pytest.mark.corpus
@pytest.mark.parametrize("kind", ["casing-lower", "disfluencies", "punctuation", "typos"])
def test_spans_stay_on_their_words(some: list[Dialogue], kind: str) -> None:
    near = speech("en").neighbours
    many = changed = 0
    for dialogue in some:
        variant = Noise(kind, 0.3, seed=1).dialogue(dialogue)
        changed += variant != dialogue
        for (_, old), (span, new) in zip(covered(dialogue), covered(variant), strict=True):
            many += 1
            assert span.end > span.start
            if kind == "casing-lower":
                assert new.lower() == old.lower()
            elif kind == "typos":
                assert all(a == b or b in near[a] for a, b in zip(old, new, strict=True))
            elif kind == "disfluencies":
                assert new == old
            else:
                assert old.startswith(new)
    assert many > 500
    assert changed > 0.8 * len(some)
