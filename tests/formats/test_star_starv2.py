"""STARv2: labels and belief states of the user's turns are the gold layer, and come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import USER, Utterance
from dialoom.formats.star.lenient import annotated
from dialoom.quality.roundtrip import roundtrip


def test_labels_and_states_are_a_layer() -> None:
    extra = {"ActionLabel": ["user_inform"], "PredictedBeliefState": {"Day": "sunday"}}
    event = annotated(Utterance(agent=USER, text="On Sunday.", extra=extra))
    assert isinstance(event, Utterance)
    part = event.layers[0].parts[0]
    assert part.acts is not None
    assert part.state is not None
    assert [act.name for act in part.acts] == ["user_inform"]
    assert part.state.values == {"Day": ("sunday",)}
    assert event.extra == extra


@pytest.mark.parametrize("extra", [{}, {"ActionLabel": 3}, {"PredictedBeliefState": "a"}])
def test_other_turns_stay_as_they_are(extra: dict[str, object]) -> None:
    event = Utterance(agent=USER, text="Hi.", extra=extra)
    assert annotated(event) == event


@pytest.mark.corpus
def test_every_published_label_is_read_and_written(corpora: Path) -> None:
    root = corpora / "others" / "starv2"
    corpus = formats.load(root)
    assert {verdict for _, verdict in roundtrip(corpus, formats.get("star"))} == {"values"}
    for dialogue, file in zip(corpus.dialogues(), corpus.files, strict=True):
        raw = json.loads(file.read_bytes())
        users = [each for each in raw["Events"] if each["Agent"] == "User" and "Text" in each]
        utterances = [e for e in dialogue.events if isinstance(e, Utterance) and e.agent == USER]
        acts = [e.layers[0].parts[0].acts or () for e in utterances]
        assert [[a.name for a in each] for each in acts] == [e["ActionLabel"] for e in users]
