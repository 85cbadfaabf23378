"""The stages of STAR's collection, which single out dialogues by how they were to go.

    happy      one task, along a path of the flow graph
    unhappy    one task, and the user makes it harder: a changed mind, small talk
    multi      several tasks

The STAR paper trains what it tests on one stage on the earlier stages as well.
"""

from __future__ import annotations

from dialoom.errors import UnknownNameError

HAPPY, UNHAPPY, MULTI = "happy", "unhappy", "multi"
STAGES = (HAPPY, UNHAPPY, MULTI)
ALL = "all"


def parse(text: str) -> tuple[str, ...]:
    """Read stages with commas between them, or `all`; they come in their own order.

    Raises:
        UnknownNameError: There is no such stage.
    """
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in (*STAGES, ALL):
            raise UnknownNameError("stage", name, (*STAGES, ALL))
    return tuple(stage for stage in STAGES if stage in names or ALL in names)


def with_earlier(stages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stages up to the last of these."""
    return STAGES[: STAGES.index(stages[-1]) + 1]


def spell(stages: tuple[str, ...]) -> str:
    """Return stages as `parse` reads them."""
    return ALL if stages == STAGES else ",".join(stages)
