"""Training data from runs: rewards of dialogues and turns, and pairs of a better and a worse trial.

    {"id": "hotel_book-1-1", "messages": [{"role": "user", …},
      {"role": "assistant", "content": "…", "reward": 1.0}], "reward": 1.0, "goal": "hotel_book-0"}
    {"goal": "hotel_book-0", "tools": […], "chosen": [messages], "rejected": [messages]}

The reward of a trial is 1 if it reached its goal and gave all requested information, else 0. That
of a turn of the agent is the share of its replies and calls that follow the flow. A pair has two
trials of one goal, one that reached it and one that did not; pairs are in a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dialoom.dialogue import Dialogue
from dialoom.formats.base.values import Json

PAIRS = ".pairs.json"
"""Suffix of the file of pairs, instead of that of the conversations."""


def goal_of(dialogue: Dialogue) -> str | None:
    """Return the name of a trial's goal; None outside of runs and for failed ones."""
    verdict = dialogue.extra.get("play")
    if not isinstance(verdict, Mapping) or "failure" in verdict or dialogue.scenario is None:
        return None
    tasks = "+".join(capability.task for capability in dialogue.scenario.capabilities)
    return f"{tasks}-{verdict['goal']}"


def rewarded(dialogue: Dialogue, value: Json) -> Json:
    """Return a dialogue's line, with rewards of the dialogue and its turns if it is of a run."""
    goal = goal_of(dialogue)
    if goal is None:
        return value
    turns = dialogue.extra["play"].get("rewards", ())
    messages, turn = [], -1
    for message in value["messages"]:
        turn += message["role"] == "user"
        own = message["role"] == "assistant" and 0 <= turn < len(turns)
        messages.append({**message, "reward": turns[turn]} if own else message)
    reward = float(dialogue.outcome == "reached")
    return {**value, "messages": messages, "reward": reward, "goal": goal}


def pairs(dialogues: Sequence[Dialogue], lines: Iterable[bytes]) -> Iterator[Json]:
    """Yield pairs of trials of one goal; each trial is in at most one pair."""
    trials: dict[str, tuple[list[Json], list[Json]]] = {}
    for dialogue, line in zip(dialogues, lines, strict=True):
        goal = goal_of(dialogue)
        if goal is not None:
            better, worse = trials.setdefault(goal, ([], []))
            value: dict[str, Any] = msgspec.json.decode(line)
            (better if value["reward"] else worse).append(value)
    for goal, (better, worse) in trials.items():
        for one, other in zip(better, worse, strict=False):
            tools = {key: one[key] for key in ("tools",) if key in one}
            yield {"goal": goal, **tools, "chosen": one["messages"], "rejected": other["messages"]}
