"""Asides of a turn: harmless sentences around what the flow leads to ("Is that okay?").

An aside is a reply that may come anywhere and that the flow does not lead to, or an invitation to
answer that names nothing of the task. A hand-over is none after something could not be done, nor is
"Anything else?" or a farewell after a mere statement.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec.structs import replace

from dialoom.reading.spoken import SpokenAct, SpokenTurn
from dialoom.reading.turn import UNDONE

CERTAIN = 0.95
"""Certainty from which a question is accepted without a word of the task. Below it, 1 of 121
questions in the words of tests/play/bots is doubted, and 37 of 48 that no task needs."""

NAMED = 0.75
"""Least certainty of a question or statement that the flow does not lead to."""

IN_PLACE = 0.6
"""Certainty of a reading by the place of a sentence."""

QUESTION = ("?", "？")
"""Marks at the end of a question."""

ALWAYS = frozenset({"more", "goodbye", "greeting", "not_understood", "hand_over", "out_of_scope"})
"""Functions of replies that may come anywhere."""

LAST = frozenset({"more", "goodbye"})
"""Functions of replies that end a dialogue."""

STATEMENTS = UNDONE | {"success", "inform"}
"""Functions of replies that await no answer."""


def without_asides(
    turn: SpokenTurn,
    expected: Mapping[str, float],
    slots: Collection[str],
    concerns: Callable[[str], bool],
) -> SpokenTurn:
    """Return a turn without readings that the flow does not lead to, where another act is due.

    These are asides after the first act that is due, and doubtful statements.

    Args:
        turn: The turn.
        expected: Reply to its bonus; that of replies that the flow leads to is positive.
        slots: The slots that the user has given.
        concerns: Returns True if a text has a word of the task.
    """
    due = [n for n, act in enumerate(turn.acts) if _due(act, expected, slots)]
    if not due:
        return turn
    anywhere, acts = _asides_after({turn.acts[n].function for n in due}), list(turn.acts)
    for n, act in enumerate(acts):
        if n in due or expected.get(act.action or "", 0.0) > 0:
            continue
        if n > due[0] and (act.function in anywhere or _invites(act, concerns)):
            acts[n] = replace(act, function="small_talk", action=None, asks=())
        elif not act.asks and act.certainty < NAMED and act.function not in ALWAYS:
            acts[n] = replace(act, action=None)
    return replace(turn, acts=tuple(acts))


def _asides_after(due: set[str]) -> frozenset[str]:
    """Return the functions of asides in a turn with acts of some functions that are due."""
    hand_over = frozenset({"hand_over"}) if due & UNDONE else frozenset()
    return ALWAYS - hand_over - (LAST if due <= STATEMENTS else frozenset())


def _due(act: SpokenAct, expected: Mapping[str, float], slots: Collection[str]) -> bool:
    """Return True if the flow leads to an act, or if it surely asks for an unknown slot."""
    sure = bool(act.asks) and act.action is not None and act.certainty >= CERTAIN
    led = expected.get(act.action or "", 0.0) > 0 and act.certainty >= IN_PLACE
    return led or (sure and not set(act.asks) <= {*slots})


def _invites(act: SpokenAct, concerns: Callable[[str], bool]) -> bool:
    """Return True if an act asks for an answer, but is no question of the task ("Let me know!")."""
    return bool(act.asks) and not act.text.endswith(QUESTION) and not concerns(act.text)
