"""Writes predictions of frame tracking for the evaluation script of Schulz et al. (2017).

The file is Frames JSON with a key `predictions` on each turn of a user. It has the turn's acts;
each argument has the probabilities of the frames 1 to F from before the turn and of a new one,
which add up to 1. A last `ref` argument has those of the act as a whole, which need not.

    "predictions": {"acts": [{"name": "inform", "args": [
        {"key": "ref", "val": [{"frame": [0.9, 0.1], "annotations": [{"val": "Oslo", "key": …}]}]},
        {"key": "ref", "val": [{"frame": [0.8, 0.1]}]}]}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from dialoom.bench.core.protocol import Outcome, Plan
from dialoom.dialogue import Act
from dialoom.dialogue.frames import ID
from dialoom.dialogue.references import NEW, ActFrames, Shares
from dialoom.formats.base.values import Json
from dialoom.formats.frames.acts import ARGUMENT, REFERENCES
from dialoom.formats.frames.dialogues import to_json

Answered = dict[tuple[str, int], Sequence[Json]]
"""(Dialogue, turn) to its acts with the predicted probabilities."""


def write_official(plan: Plan, outcomes: Iterable[Outcome]) -> bytes:
    """Return the prediction file of all dialogues that were asked about."""
    answers = {outcome.holdout: outcome.predictions for outcome in outcomes}
    guesses: Answered = {}
    for holdout in plan.holdouts:
        for target, prediction in zip(holdout.test, answers[holdout.name], strict=True):
            acts = zip(target.asked.acts, prediction.answer, strict=True)
            guesses[target.source, target.event] = [_act(act, frames) for act, frames in acts]
    sources = {source for source, _ in guesses}
    dialogues = (each for each in plan.data.corpus.dialogues() if each.id in sources)
    return msgspec.json.encode([_predicted(to_json(each), guesses) for each in dialogues])


def _predicted(raw: Json, guesses: Answered) -> Json:
    for number, turn in enumerate(raw["turns"]):
        if turn["author"] == "user":
            turn["predictions"] = {"acts": guesses.get((raw["id"], number), [])}
    return raw


def _act(act: Act, frames: ActFrames) -> Json:
    pairs = zip(act.arguments, frames.arguments, strict=True)
    references = [
        {"frame": _row(shares), "annotations": [ARGUMENT.write(argument)]}
        for argument, shares in pairs
        if argument.slot != ID
    ]
    references.append({"frame": _row(frames.act)})
    return {"name": act.name, "args": [{"key": REFERENCES[0], "val": [r]} for r in references]}


def _row(shares: Shares) -> list[float]:
    """Return the probability of each frame by its number, that of a new one last."""
    numbered = [shares.get(frame, 0.0) for frame in range(1, max(shares, default=0) + 1)]
    return [*numbered, shares[NEW]] if NEW in shares else numbered
