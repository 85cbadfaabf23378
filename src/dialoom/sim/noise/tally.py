"""Counts of utterances and spans that noise has changed."""

from __future__ import annotations

from collections import Counter

from dialoom.dialogue import Dialogue, Utterance
from dialoom.sim.noise.noise import ALL


def tally(before: Dialogue, after: Dialogue, counts: Counter[str], agent: str = ALL) -> None:
    """Add one dialogue, before and after noise, to the counts for a speaker (or all)."""
    for old, new in zip(before.events, after.events, strict=True):
        if agent not in (ALL, old.agent):
            continue
        if isinstance(old, Utterance) and isinstance(new, Utterance):
            _utterance(old, new, counts)


def _utterance(old: Utterance, new: Utterance, counts: Counter[str]) -> None:
    counts["utterances"] += 1
    counts["changed_utterances"] += old != new
    covered = _covered(old)
    counts["spans"] += len(covered)
    if old is not new:
        changed = (a != b for a, b in zip(covered, _covered(new), strict=True))
        counts["changed_spans"] += sum(changed)


def line(counts: Counter[str]) -> str:
    """Return the counts as a line of text."""
    return (
        f"changed: {counts['changed_utterances']:,} of {counts['utterances']:,} utterances, "
        f"{counts['changed_spans']:,} of {counts['spans']:,} annotated spans"
    )


def _covered(utterance: Utterance) -> list[str]:
    return [
        utterance.text[span.start : span.end]
        for layer in utterance.layers
        for part in layer.parts
        for span in part.spans or ()
    ]
