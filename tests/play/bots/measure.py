"""Measure free-worded bots with simulated users, next to the same bots in the task file's words.

    python -m tests.play.bots.measure [--goals 40] [--users happy,unhappy,multi] [--styles …]

Prints the success in per cent for each style and kind of user, and the share of the agent's turns
that the user did not understand.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from dialoom.dialogue import Completion, Dialogue, Utterance
from dialoom.play.agents.base import AGENTS
from dialoom.play.results.summary import played, summarise
from dialoom.play.running.plan import PlayPlan
from dialoom.schema import pack
from tests.play.bots.bots import STYLES, words

USERS = {"happy": "simulated", "unhappy": "simulated:unhappy", "multi": "simulated:multi"}


def run(style: str, user: str, goals: int, seed: int, tasks: Iterable[str]) -> list[Dialogue]:
    """Let a bot serve users; return the dialogues with their verdicts."""
    AGENTS._builtin["free"] = "tests.play.bots.bots:FreeBots"
    held = tuple(pack.load(name) for name in tasks)
    agent, many = f"free:{style}", goals * (1 if "multi" in user else len(held))
    plan = PlayPlan(seed=seed, dialogues=many, tasks=held, agent=agent, user=user, goals=goals)
    make = plan.source()
    return [make(index) for index in range(many)]


def share_of_styles(style: str, goals: int, tasks: Iterable[str]) -> float:
    """Return the success of a bot with happy users, in per cent."""
    made = run(style, USERS["happy"], goals, 7, tasks)
    success: float = summarise([p for d in made if (p := played(d)) is not None])["all"]["success"]
    return success


def show(dialogues: Iterable[Dialogue]) -> None:
    """Print dialogues with their verdicts."""
    for dialogue in dialogues:
        print("-----", dialogue.extra["play"])
        for event in dialogue.events:
            if isinstance(event, Utterance):
                print(f"{event.agent[:1]}: {event.text}")
            elif not isinstance(event, Completion):
                print(f"   {str(event)[:180]}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--goals", type=int, default=10)
    parser.add_argument("--users", default="happy,unhappy,multi")
    parser.add_argument("--styles", default=",".join(("task", "task+pairs", *STYLES)))
    parser.add_argument("--tasks", default=",".join(words()))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=int, default=0, help="failed dialogues to print")
    given = parser.parse_args()
    for user in given.users.split(","):
        for style in given.styles.split(","):
            made = run(style, USERS[user], given.goals, given.seed, given.tasks.split(","))
            figures = summarise([p for d in made if (p := played(d)) is not None])["all"]
            unread = figures.get("not_understood", 0.0)
            show([d for d in made if (p := played(d)) and not p.passed][: given.show])
            print(f"{user:8} {style:12} success {figures['success']:5.1f}  unread {unread:4.1f}")


if __name__ == "__main__":
    main()
