"""The reading of a turn: its acts, each with function, reply and slots, and its values."""

from __future__ import annotations

import msgspec

from dialoom.schema.values import Mention

OTHER_TASK = "other_task"

FILLERS = frozenset({"acknowledge", "wait", "small_talk", OTHER_TASK})
"""Functions of sentences that are no line of the task and are understood all the same."""

INFORM = "inform"
"""Function of a sentence that gives values; a task may have no line for it."""

CLEAR_ALONE = FILLERS | {"not_understood", "hand_over", INFORM}
"""Functions of sentences that are understood even if the task has no line for them."""

RANKS = {
    **dict.fromkeys(("failure", "nothing"), 4),
    **dict.fromkeys(("confirm", "offer"), 3),
    **dict.fromkeys(("success", "inform"), 2),
    **dict.fromkeys(("greeting", "acknowledge", "small_talk", "wait"), 0),
}
"""Rank of functions in turns of several acts, the greatest first; 1 for all others."""


class SpokenAct(msgspec.Struct, frozen=True):
    """One act of a turn, with its function in the terms of `profile.SpokenFunction`.

    `action` is the matching reply of the task, None without one, and for fillers; `certainty` is
    the probability of the reply or of the function, 0 to 1.
    """

    text: str
    function: str
    action: str | None = None
    asks: tuple[str, ...] = ()
    certainty: float = 0.0


class SpokenTurn(msgspec.Struct, frozen=True):
    """The acts of a turn in order, and the mentions of values."""

    acts: tuple[SpokenAct, ...] = ()
    mentions: tuple[Mention, ...] = ()

    @property
    def main(self) -> SpokenAct | None:
        """The act that is to be answered, of those that fit a node: by `RANKS`, then the last."""
        if len(self.acts) == 1:
            return self.acts[0]
        fitting = [act for act in self.acts if act.action is not None] or list(self.acts)
        return max(reversed(fitting), key=lambda act: RANKS.get(act.function, 1), default=None)

    @property
    def action(self) -> str | None:
        """The reply of the main act."""
        return None if self.main is None else self.main.action

    @property
    def function(self) -> str | None:
        """The function of the main act."""
        return None if self.main is None else self.main.function

    @property
    def certainty(self) -> float:
        """The certainty of the main act."""
        return 0.0 if self.main is None else self.main.certainty

    @property
    def understood(self) -> bool:
        """True if part of it is a line of the task, or needs no line of it."""
        return any(act.action is not None or act.function in CLEAR_ALONE for act in self.acts)

    @property
    def asks(self) -> tuple[str, ...]:
        """The slots that the turn asks for, each once."""
        return tuple(dict.fromkeys(slot for act in self.acts for slot in act.asks))
