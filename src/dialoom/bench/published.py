"""Published figures that stand beside ours, each with its source. F1 is weighted, in percent."""

from __future__ import annotations

import msgspec


class Published(msgspec.Struct, frozen=True, omit_defaults=True):
    """One system's published figure for a protocol.

    Attributes:
        system: The system.
        source: Who measured it, and on what.
        f1: The mean over hold-outs; None where only parts were published.
        holdouts: F1 by hold-out.
        accuracy: Accuracy.
        happy: Which flags the figure goes by: "sam" or "published".
        test: The stages asked about (see `stages.spell`).
    """

    system: str
    source: str
    f1: float | None = None
    holdouts: dict[str, float] = {}
    accuracy: float | None = None
    happy: str = "sam"
    test: str = "happy"


_RESCORED = "Mehri & Eskenazi 2021, released predictions re-scored, 13 domains"
_PAPER = "STAR paper (Mosig et al. 2020), 24 tasks"

_SAM_DOMAINS = {
    "ride": 54.02,
    "trip": 35.03,
    "plane": 66.70,
    "spaceship": 64.01,
    "meeting": 56.25,
    "weather": 58.48,
    "party": 49.17,
    "doctor": 71.61,
    "trivia": 82.86,
    "apartment": 43.91,
    "restaurant": 52.13,
    "hotel": 53.03,
    "bank": 37.60,
}


def _paper(happy: tuple[str, float, float], both: tuple[float, float]) -> tuple[Published, ...]:
    """Return the paper's two systems, trained on happy (H) and on all single-task dialogues."""
    kind, *figures = happy
    systems = ("BERT", "BERT+schema")
    named = [(f"{s} (H)", f1, "happy") for s, f1 in zip(systems, figures, strict=True)]
    named += [(f"{s} (H+U)", f1, "happy,unhappy") for s, f1 in zip(systems, both, strict=True)]
    return tuple(
        Published(system, f"{_PAPER}, {kind} transfer", f1, happy="published", test=test)
        for system, f1, test in named
    )


PUBLISHED: dict[str, tuple[Published, ...]] = {
    "star-zero-shot-domain": (
        Published("SAM", _RESCORED, 55.76, _SAM_DOMAINS, 58.02),
        Published("BERT+S", _RESCORED, 28.76, accuracy=31.77),
        Published("SGP-TOD (GPT-3.5)", "as cited in the literature, about", 53.5),
        *_paper(("domain", 34.84, 37.20), (35.63, 35.71)),
    ),
    "star-zero-shot-task": (
        Published("SAM", "as cited in the literature, 22 tasks", 49.8),
        Published("SGP-TOD (GPT-3.5)", "as cited in the literature", 50.8),
        *_paper(("task", 36.45, 36.77), (36.89, 37.15)),
    ),
    "star-next-action": (
        Published(
            "BERT",
            _PAPER,
            holdouts={"happy": 73.30, "unhappy": 73.93, "multi": 73.61},
            happy="published",
        ),
        Published(
            "BERT+schema",
            _PAPER,
            holdouts={"happy": 71.09, "unhappy": 72.28, "multi": 73.13},
            happy="published",
        ),
    ),
}


def of(protocol: str, test: str = "happy") -> tuple[Published, ...]:
    """Return the published figures of a protocol; none where it is not a published one.

    Beside the protocol's own questions all of them stand, beside those about other stages only
    figures about the same stages.
    """
    known = PUBLISHED.get(protocol, ())
    return tuple(figure for figure in known if test in ("happy", figure.test))
