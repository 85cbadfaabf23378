"""Teach a model to follow schemas, and let it follow one that it has never seen.

    python examples/02_follow_a_schema.py

The model learns from the dialogues of three tasks, and is then asked what the system should do
next in dialogues of a fourth, of which it has only the schema.
"""

from __future__ import annotations

from pathlib import Path

from dialoom import formats
from dialoom.bench.core.protocol import examples, questions
from dialoom.bench.protocols.star import targets
from dialoom.dialogue import Utterance
from dialoom.models import MODELS

UNSEEN = "parking_permit"

corpus = formats.load(Path(__file__).with_name("sample"))
asked = [target for dialogue in corpus.dialogues() for target in targets(dialogue)]
known = [target for target in asked if target.asked.task != UNSEEN]
unseen = [target for target in asked if target.asked.task == UNSEEN]

model = MODELS.get("follower")()
model.fit(examples(known), corpus.schemas)
predictions = model.predict(questions(unseen), corpus.schemas)

print(f"learnt from {len(known)} actions of other tasks; asked for {len(unseen)} of {UNSEEN}\n")
for target, prediction in zip(unseen, predictions, strict=True):
    history = target.seen[: target.position]
    said = [event.text for event in history if isinstance(event, Utterance)]
    verdict = "as the wizard" if prediction.answer == target.gold else f"wizard: {target.gold}"
    print(f"  {said[-1]}\n    → {prediction.answer} ({verdict})")
right = sum(p.answer == t.gold for p, t in zip(predictions, unseen, strict=True))
print(f"\n{right} of {len(unseen)} as the wizard")
