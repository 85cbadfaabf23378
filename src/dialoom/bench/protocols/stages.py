"""The stages of STAR's collection, which differ in the instructions of user and wizard.

    happy      one task, along a path of the flow graph
    unhappy    one task; the user makes it harder, by a changed mind or small talk
    multi      several tasks

The STAR paper trains models for one stage on the earlier stages as well.
"""

from __future__ import annotations

from dialoom.errors import UnknownNameError

HAPPY, UNHAPPY, MULTI = "happy", "unhappy", "multi"
STAGES = (HAPPY, UNHAPPY, MULTI)
ALL = "all"


def parse(text: str) -> tuple[str, ...]:
    """Read stages between commas, or `all`, in order; `UnknownNameError` for others."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in (*STAGES, ALL):
            raise UnknownNameError("stage", name, (*STAGES, ALL))
    return tuple(stage for stage in STAGES if stage in names or ALL in names)


def with_earlier(stages: tuple[str, ...]) -> tuple[str, ...]:
    """Return all stages up to the last of the given ones."""
    return STAGES[: STAGES.index(stages[-1]) + 1]


def spell(stages: tuple[str, ...]) -> str:
    """Return stages as the text that `parse` reads."""
    return ALL if stages == STAGES else ",".join(stages)
