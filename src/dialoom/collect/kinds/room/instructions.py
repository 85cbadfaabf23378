"""The turns after which users get their instructions: at fixed numbers, as in STAR's files.

    list(reschedule(((0, "Begin …"), (1, "Crack a joke …"), (4, "Change …")), (0, 2, 3, 4, 5, 6)))
    # [(0, "Begin …"), (2, "Crack a joke …"), (3, "Change …")]

Each of STAR's 14,177 instructions comes at the start or right after an utterance of the user, and
each set of instructions has a fixed plan. A set whose first instruction does not come at the start
begins with the second number of the plan; in STAR's files that is one set in five.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def reschedule(
    instructions: Sequence[tuple[int, str]], plan: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """Yield instructions with the number of the user's turns after which they come.

    Args:
        instructions: The instructions with that number in the simulated dialogue.
        plan: The new numbers; a longer set continues with the plan's last distance. Empty to keep
            the numbers of the simulated dialogue.
    """
    places = _going_on(plan)
    if plan and instructions and plan[0] < 1 <= instructions[0][0]:
        next(places)
    for turn, text in instructions:
        yield next(places) if plan else turn, text


def _going_on(plan: Sequence[int]) -> Iterator[int]:
    yield from plan
    last, before = plan[-1], plan[-2] if len(plan) > 1 else plan[-1] - 1
    while True:
        last, before = last + (last - before), last
        yield last
