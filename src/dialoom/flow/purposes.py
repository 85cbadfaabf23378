"""Purposes of the user's nodes of a flow: to open, answer, agree, thank, change, take leave.

It follows from the flow (a node answers a question, opens, changes a slot) or from the cues in the
author's lines (yes, no, thanks, go on). People have many more ways than an author writes, and these
are the same in every task: `lang/<language>-speech.json` has a symbol for each purpose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dialoom.flow.node import FAILURES, FlowLine, Step
from dialoom.flow.program import TaskProgram
from dialoom.schema.flow import reachable
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import once_for_each

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
    if alone and any(b.node.outcome in FAILURES for one in before for b in _before(one, program)):
        return "drop"
    last = not any(each.kind == "user" for each in reachable(step.after, lambda one: one.after))
    if last and alone and questions:
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
