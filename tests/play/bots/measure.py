"""Measure free-worded bots with simulated users, next to the same bots in the task file's words.

    python -m tests.play.bots.measure [--goals 40] [--users happy,unhappy,multi] [--styles …]
    python -m tests.play.bots.measure --http [--goals 30] [--users happy,unhappy]
    python -m tests.play.bots.measure --wrong [--goals 30]

Prints the success in per cent with its 95 % interval for each style and kind of user, and the share
of the agent's turns that the user did not understand. With --http the bots are those of
machines.py, which follow no flow. With --wrong, prints for each bot of wrong.py in how many
dialogues it was wrong, and the share of these in which the verdict fails it or a figure of its own
counts it; besides, in how many the user contradicts it.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dialoom.dialogue import SYSTEM, USER, Completion, Dialogue, Utterance
from dialoom.dialogue.views import parts
from dialoom.play.agents.base import AGENTS
from dialoom.play.results.summary import Played, played, summarise
from dialoom.play.running.plan import PlayPlan
from dialoom.schema import pack
from dialoom.sim.policies.flow.scenario_texts import scenario_texts
from tests.play.bots.bots import STYLES, words
from tests.play.bots.machines import BOARD, FORM, BotPlan, in_task_words, serving
from tests.play.bots.misconduct import BANNED
from tests.play.bots.wrong import WRONG
from tests.play.bots.wrong_bot import happened

PATIENCE = 2.0
"""The threshold for the 95th percentile of the latency, in seconds."""

USERS = {"happy": "simulated", "unhappy": "simulated:unhappy", "multi": "simulated:multi"}


def run(style: str, user: str, goals: int, seed: int, tasks: Iterable[str]) -> list[Dialogue]:
    """Let a bot serve users; return the dialogues with their verdicts."""
    AGENTS._builtin["free"] = "tests.play.bots.bots:FreeBots"
    schemas = tuple(pack.load(name) for name in tasks)
    agent, many = f"free:{style}", goals * (1 if "multi" in user else len(schemas))
    plan = PlayPlan(seed=seed, dialogues=many, tasks=schemas, agent=agent, user=user, goals=goals)
    make = plan.source()
    return [make(index) for index in range(many)]


def share_of_styles(style: str, goals: int, tasks: Iterable[str]) -> float:
    """Return the success of a bot with happy users, in per cent."""
    logs = run(style, USERS["happy"], goals, 7, tasks)
    success: float = summarise([p for d in logs if (p := played(d)) is not None])["all"]["success"]
    return success


def bounds(passed: Sequence[bool]) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share, in per cent."""
    n, share, z = len(passed), sum(passed) / len(passed), 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    width = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return 100 * (middle - width), 100 * (middle + width)


def show(dialogues: Iterable[Dialogue]) -> None:
    """Print dialogues with their verdicts."""
    for dialogue in dialogues:
        print("-----", dialogue.extra["play"])
        for event in dialogue.events:
            if isinstance(event, Utterance):
                print(f"{event.agent[:1]}: {event.text}")
            elif not isinstance(event, Completion):
                print(f"   {str(event)[:180]}")


def wrong_dialogues(name: str, style: str, goals: int, seed: int) -> Iterator[WrongDialogue]:
    """Yield the dialogues of a wrong bot in which it was wrong."""
    AGENTS._builtin["wrong"] = "tests.play.bots.wrong:WrongBots"
    for task in WRONG[name].tasks:
        plan = PlayPlan(
            seed=seed,
            dialogues=goals,
            tasks=(pack.load(task),),
            agent=f"wrong:{name}:{style}",
            user="simulated",
            goals=goals,
            forbidden=BANNED,
        )
        make = plan.source()
        for index in range(goals):
            happened.clear()
            log = make(index)
            verdict = played(log)
            if happened and verdict is not None:
                repeats = WRONG[name].repeats
                objected = any(_objects(log, wrong, repeats=repeats) for wrong in happened)
                slow = (
                    summarise([verdict])["all"].get("spent", {}).get("latency_p95", 0.0) > PATIENCE
                )
                figures = (*verdict.verdict.get("conduct", {}), *(("latency_p95",) if slow else ()))
                yield WrongDialogue(log, tuple(happened), objected, not verdict.passed, figures)


class WrongDialogue(NamedTuple):
    """A dialogue with a wrong bot: what it said or did wrong, and how that was found."""

    dialogue: Dialogue
    wrong: tuple[str, ...]
    objected: bool
    failed: bool
    figures: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether the verdict fails it, or a figure of its own counts it."""
        return self.failed or bool(self.figures)


def _objects(dialogue: Dialogue, wrong: str, *, repeats: bool) -> bool:
    """Return whether the user does not understand a wrong text, or gives values again.

    Args:
        dialogue: The dialogue.
        wrong: The wrong text.
        repeats: Whether values given again contradict it.
    """
    turns = [event for event in dialogue.events if isinstance(event, Utterance)]
    wrongly = [n for n, e in enumerate(turns[:-1]) if e.agent == SYSTEM and wrong in e.text]
    return any(_contradicts(turns[: at + 1], turns[at + 1], repeats=repeats) for at in wrongly)


def _contradicts(before: Sequence[Utterance], answer: Utterance, *, repeats: bool) -> bool:
    texts = scenario_texts("en")
    lost = any(answer.text.startswith(text) for text in (*texts.lost, *texts.gone))
    pairs = {value for event in before for value in _values(event)}
    return lost or (repeats and bool(pairs.intersection(_values(answer))))


def _values(turn: Utterance) -> set[tuple[str, str]]:
    """Return the slots and values that a user's turn gives."""
    acts = [act for part in parts(turn) for act in part.acts or ()]
    fills = [a for act in acts for a in act.arguments if turn.agent == USER]
    return {(a.slot, str(list(a.canonical or a.values))) for a in fills if a.canonical or a.values}


def show_wrong(goals: int, seed: int, styles: Iterable[str], shown: int) -> None:
    """Print the share of wrong dialogues that are found, by bot and over all."""
    whole: list[bool] = []
    for name, fault in WRONG.items():
        for style in styles:
            cases = list(wrong_dialogues(name, style, goals, seed))
            hits = [each.found for each in cases]
            whole += hits
            missed = [each.dialogue for each in cases if not each.found]
            figures = Counter(name for each in cases for name in each.figures)
            share = 100 * sum(hits) / max(1, len(hits))
            objected = sum(each.objected for each in cases)
            failed = sum(each.failed for each in cases)
            print(f"{name:15} {style:8} {len(cases):4} wrong  {share:5.1f} found", end="")
            print(f"  {objected:4} contradicted {failed:4} failed  {fault.what}", end="")
            print(f"  {dict(figures)}", flush=True)
            show(missed[:shown])
    print(f"all {len(whole)} wrong, {100 * sum(whole) / max(1, len(whole)):.1f} found")


def served(plan: BotPlan, tasks: Iterable[str], user: str, goals: int, seed: int) -> list[Played]:
    """Let a bot serve users over HTTP; return the verdicts."""
    schemas = tuple(pack.load(name) for name in tasks)
    with serving(plan) as url:
        many = goals * len(schemas)
        factory = PlayPlan(
            seed=seed, dialogues=many, tasks=schemas, agent=f"http:{url}", user=user, goals=goals
        ).source()
        return [verdict for n in range(many) if (verdict := played(factory(n))) is not None]


def show_machines(goals: int, seed: int, users: Iterable[str]) -> None:
    """Print the success of the bots over HTTP, in their own words and in the task files'."""
    for user in users:
        for name, plan in {"form": FORM, "board": BOARD}.items():
            for words_, each in {"own": plan, "task's": in_task_words(plan)}.items():
                figures = summarise(served(each, each.phrases, USERS[user], goals, seed))["all"]
                unread = figures["not_understood"]
                print(f"{user:8} {name:6} {words_:7} success {figures['success']:5.1f}", end="")
                print(f"  unread {unread:4.1f}  faults {figures['counts']}", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--goals", type=int, default=10)
    parser.add_argument("--users", default="happy,unhappy,multi")
    parser.add_argument("--styles", default=",".join(("task", "task+pairs", *STYLES)))
    parser.add_argument("--tasks", default=",".join(words()))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=int, default=0, help="failed dialogues to print")
    parser.add_argument("--wrong", action="store_true", help="measure wrong bots")
    parser.add_argument("--http", action="store_true", help="measure bots that follow no flow")
    options = parser.parse_args()
    if options.http:
        show_machines(options.goals, options.seed, options.users.split(","))
        return
    if options.wrong:
        show_wrong(options.goals, options.seed, ("task", "casual"), options.show)
        return
    for user in options.users.split(","):
        for style in options.styles.split(","):
            logs = run(style, USERS[user], options.goals, options.seed, options.tasks.split(","))
            figures = summarise([p for d in logs if (p := played(d)) is not None])["all"]
            unread = figures.get("not_understood", 0.0)
            show([d for d in logs if (p := played(d)) and not p.passed][: options.show])
            low, high = bounds([bool(p and p.passed) for p in map(played, logs)])
            print(f"{user:8} {style:12} success {figures['success']:5.1f}", end="")
            print(f" ({low:.1f} to {high:.1f})  unread {unread:4.1f}", end="")
            print(f"  faults {figures['counts']}, misstated {figures['misstated']:.1f}", flush=True)


if __name__ == "__main__":
    main()
