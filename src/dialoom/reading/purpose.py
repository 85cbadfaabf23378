"""The purpose of a user's turn, in words that no task file has: thanks, a change, no preference.

    purpose_odds(program, "No thanks, I'm good.")["finish"]      # log odds of that node

A log-linear model over the words of a turn without values, learned by `make reading` from simulated
users and our own sentences. It covers only purposes shared by all tasks; the task's words decide
between several nodes of one purpose.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from dialoom.flow.node import FAILURES, FlowLine, Step
from dialoom.flow.program import TaskProgram
from dialoom.reading.function_scorer import function_scorer
from dialoom.reading.profile import value_token
from dialoom.reading.wording import KEPT, NAME, sentences, wording_of
from dialoom.schema.flow import reachable
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import once_for_each
from dialoom.schema.template import PLACEHOLDER

COMMON = 0.4
"""Least share of a node's lines with a cue, for the node to be one of that kind."""

CUES: Sequence[tuple[str, str]] = (
    ("farewell", "leave"),
    ("detail", "detail"),
    ("thanks", "thanks"),
    ("proceed", "proceed"),
    ("yes", "yes"),
    ("unsure", "unsure"),
    ("no", "no"),
)
"""Cues of the lexicon and the kinds of turns that they show, in the order of the decision."""


@once_for_each
def purposes(program: TaskProgram) -> Mapping[str, str]:
    """Return node to its purpose; empty if unknown (cached)."""
    return {step.name: _purpose(step, program) for step in program.steps.values()}


def _purpose(step: Step, program: TaskProgram) -> str:
    node = step.node
    if step.kind != "user" or node.set or node.takes or node.next or node.anytime:
        return ""
    if node.corrects:
        return "correct"
    if node.gives_none:
        return "none"
    before = _before(step, program)
    if any(each.asks & step.gives for each in before):
        return "give"
    if step is program.first or program.opening.issuperset(before):
        return "open"
    if step.forget:
        return "change"
    cue = _shown(step, program)
    alone = all(each.forget for one in before for each in one.users if each is not step)
    questions = bool(before) and all(_asks(one.lines) for one in before)
    failure = any(b.node.outcome in FAILURES for one in before for b in _before(one, program))
    if alone and failure and cue != "yes":
        return "drop"
    last = not any(each.kind == "user" for each in reachable(step.after, lambda one: one.after))
    if last and alone and questions and step in program.closing:
        return "no-more"
    if cue in ("yes", "no", "unsure") and step in program.closing:
        return ""
    ends = {line.literals[-1][-1:] for one in before for line in one.lines}
    fine = before and not _asks(step.lines) and ends <= {".", "!"}
    return cue or ("fine" if fine else "")


def _before(step: Step, program: TaskProgram) -> list[Step]:
    return [program.steps[name] for name in program.schema.flow.before[step.name]]


def _asks(lines: Sequence[FlowLine]) -> bool:
    return sum("?" in line.literals[-1] for line in lines) > COMMON * len(lines)


def _shown(step: Step, program: TaskProgram) -> str:
    texts = [" ".join(line.literals).lower() for line in step.lines if not line.names]
    cues = lexicon(program.language).cues
    for cue, kind in CUES:
        phrases = "|".join(map(re.escape, cues.get(cue, ())))
        pattern = re.compile(
            rf"^(?:{phrases})\b" if cue in ("yes", "no") else rf"\b(?:{phrases})\b"
        )
        hits = sum(bool(pattern.search(text)) for text in texts)
        if phrases and texts and hits >= COMMON * len(texts):
            return kind
    return ""


CHAT, MOSTLY = "chat", 0.5
"""The purpose of small talk, and its share from which on a sentence is that."""

PURPOSES = "purposes"
"""Name of the weights in `lang/<language>-reading.json`."""

RARE = 0.01
"""Added to every share: people say nearly anything for any purpose."""

LIKELY = 0.2
"""Least share of the likeliest purpose; below it the words are unknown, and the rest is a prior."""

DECLINES = ("none", "no", "no-more", "unsure")
"""The purposes of answers that decline to give a value."""

OWN = 0.7
"""Share of a node's purpose, if the flow decides it; the rest is that of its author's lines."""


def purpose_odds(program: TaskProgram, text: str) -> Mapping[str, float]:
    """Return node to the log ratio of a text's likeness to its purpose, to that of any purpose.

    `text` has `{slot}` for values. Empty for a language without learned weights, or if no purpose
    is likely.
    """
    shares = purpose_shares(program, text)
    if max(shares.values(), default=0.0) < LIKELY:
        return {}
    return {
        node: math.log((math.fsum(shares[k] * w for k, w in profile.items()) + RARE) * len(shares))
        for node, profile in _profiles(program).items()
    }


def purpose_shares(program: TaskProgram, text: str) -> Mapping[str, float]:
    """Return purpose to its probability; empty for a language without learned weights."""
    return _shares(_marked(program, text), program.language)


def declining(program: TaskProgram, text: str) -> float:
    """Return the log odds that a text without a value of the question declines to give one.

    "I'm good" would also end a dialogue, and "no" refuse an offer. 0 without learned weights.
    """
    shares = purpose_shares(program, text)
    return (
        math.log((math.fsum(shares.get(each, 0.0) for each in DECLINES) + RARE) * len(shares))
        if shares
        else 0.0
    )


def wishes(program: TaskProgram, text: str) -> float:
    """Return the probability that a text, or a sentence of it, states the user's wish."""
    marked = _marked(program, text)
    pieces = (marked, *sentences(marked))
    return max(_shares(piece, program.language).get("open", 0.0) for piece in pieces)


def _marked(program: TaskProgram, text: str) -> str:
    slots, language = program.schema.slots, program.language
    return PLACEHOLDER.sub(
        lambda match: f" {value_token(slots[match[1]], language) if match[1] in slots else NAME} ",
        text,
    )


@lru_cache(maxsize=KEPT)
def _shares(text: str, language: str) -> Mapping[str, float]:
    return function_scorer(language, PURPOSES).probabilities(
        wording_of(without_chat(text, language), language)
    )


@lru_cache(maxsize=KEPT)
def without_chat(text: str, language: str, least: float = MOSTLY) -> str:
    """Return a text without its sentences of small talk, unless it has no others.

    `least` is the probability from which on a sentence is small talk.
    """
    parts = sentences(text)
    if len(parts) < 2:
        return text
    scorer = function_scorer(language, PURPOSES)
    chat = [scorer.probabilities(wording_of(part, language)).get(CHAT, 0.0) for part in parts]
    rest = [part for part, share in zip(parts, chat, strict=True) if share < least]
    return " ".join(rest or parts)


@once_for_each
def _profiles(program: TaskProgram) -> Mapping[str, Mapping[str, float]]:
    """Return node to the share of each purpose: its own, and those of its lines."""
    profiles: dict[str, Mapping[str, float]] = {}
    for step in program.steps.values():
        if step.kind != "user" or not step.node.texts:
            continue
        read = [_shares(_marked(program, text), program.language) for text in step.node.texts]
        own = purposes(program)[step.name]
        lines = (1 - OWN if own in read[0] else 1.0) / len(read)
        shares = {k: lines * math.fsum(each[k] for each in read) for k in read[0]}
        if own in shares:
            shares[own] += OWN
        profiles[step.name] = {k: share for k, share in shares.items() if share >= RARE}
    return profiles
