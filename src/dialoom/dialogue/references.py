"""The frames that acts refer to, as annotated or as predicted with probabilities.

    acts = (Act("inform", (Argument("ref", references=(Reference(2, (price,)),)), city)),)
    dereferenced(acts)              # (Act("inform", (price, city)),)
    frames_of(acts, 1, {1, 2})      # (ActFrames(({2: 1.0}, {1: 1.0}), {}),)

The rules are those of the evaluation published with Schulz et al. (2017). An argument without a
reference is about the frame that is active after the turn. An act as a whole refers to the frames
of its references without arguments; if no argument of it has a reference, to the active frame.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from dialoom.dialogue.annotation import Act, Argument, Struct

NEW = 0
"""Number of a frame that is made in the turn; several new frames are not distinguished."""

Shares = dict[int, float]
"""Frame to its probability, 0 to 1."""


class ActFrames(Struct, frozen=True):
    """The frames that a dialogue act refers to: frame to probability.

    The probabilities of each argument add up to 1; those of the act as a whole are independent.
    """

    arguments: tuple[Shares, ...] = ()
    act: Shares = {}


def best(shares: Mapping[int, float]) -> int:
    """Return the most probable frame, the lowest number of equals; `NEW` if there is none."""
    return max(shares, key=lambda frame: (shares[frame], -frame), default=NEW)


def dereferenced(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Return acts with each reference replaced by its arguments."""
    return tuple(
        replace(act, arguments=tuple(each for _, each in _arguments(act, None))) for act in acts
    )


def frames_of(
    acts: Iterable[Act], active: int | None, frames: Collection[int]
) -> tuple[ActFrames, ...]:
    """Return the frames that each act refers to; those not in `frames` are `NEW`."""
    return tuple(_frames_of(act, active, frames) for act in acts)


def _frames_of(act: Act, active: int | None, frames: Collection[int]) -> ActFrames:
    def spelled(frame: int | None) -> int:
        return frame if frame in frames and frame is not None else NEW

    references = [each for argument in act.arguments for each in argument.references]
    whole = {reference.frame for reference in references if not reference.arguments}
    if not whole and not any(reference.arguments for reference in references):
        whole = {spelled(active)}
    return ActFrames(
        tuple({spelled(frame): 1.0} for frame, _ in _arguments(act, active)),
        {spelled(frame): 1.0 for frame in sorted(whole)},
    )


def _arguments(act: Act, active: int | None) -> Iterator[tuple[int | None, Argument]]:
    for argument in act.arguments:
        if not argument.references:
            yield active, argument
        for reference in argument.references:
            for each in reference.arguments or ():
                yield reference.frame, each
