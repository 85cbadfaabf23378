"""What the schema doctor looks for in the dialogues that it has simulated.

Rules are functions over what was seen; the table at the end gives them their codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from dialoom.kb.domain import BOOK, CHECK
from dialoom.quality.coverage import ARROW
from dialoom.quality.doctor_seen import Seen
from dialoom.schema.findings import SEVERITIES, Severity
from dialoom.schema.flow import Node
from dialoom.schema.places import Pointer
from dialoom.schema.subject import placeholders
from dialoom.sim.policies.flow.program import FAILURES

ENOUGH = 20
"""How often a choice is made, for each of its ways, before one never taken is worth a word."""

Found = tuple[Pointer, str]
"""Where in the task file, and what is wrong."""


class DoctorRule(NamedTuple):
    """One thing that the doctor looks for.

    Attributes:
        code: Its code.
        title: What is found, in a few words.
        right: What would be right.
        check: Looks for it.
    """

    code: str
    title: str
    right: str
    check: Callable[[Seen], Iterator[Found]]

    @property
    def severity(self) -> Severity:
        """Error or warning, as the code says."""
        return SEVERITIES[self.code[0]]


def _at(node: str) -> Pointer:
    return ("flow", node)


def endless(seen: Seen) -> Iterator[Found]:
    """Find dialogues that cannot be simulated to their end."""
    if seen.broken:
        (why, _), *_ = seen.broken.most_common()
        count = _many(seen.broken.total(), "dialogue")
        yield ("flow",), f"{count} did not end, most often because of {why}"


def unreached(seen: Seen) -> Iterator[Found]:
    """Find a task none of whose dialogues reaches its goal."""
    if seen.ended and seen.goals and not seen.reached:
        listed = " or ".join(sorted(seen.goals))
        yield ("flow",), f"none of {seen.ended} dialogues came to {listed}"


def seldom_reached(seen: Seen) -> Iterator[Found]:
    """Find a task most of whose dialogues miss their goal."""
    if 0 < seen.reached < seen.ended / 2:
        yield ("flow",), f"only {seen.reached} of {seen.ended} dialogues reached their goal"


def never_fires(seen: Seen) -> Iterator[Found]:
    """Find nodes that no dialogue came to, though the way to them was open often enough."""
    for name in seen.coverage.missing("nodes"):
        node = seen.task.flow.nodes[name]
        before = _before(name, seen)
        open_ = [n for n in before if seen.coverage.nodes[n] >= ENOUGH * len(_ways(n, seen))]
        if open_ and node.kind != "result":
            yield _at(name), f"{name} never fires, though {open_[0]} often does"


def never_ends_so(seen: Seen) -> Iterator[Found]:
    """Find results that never came about; what only they lead to cannot fire either."""
    for name in seen.coverage.missing("nodes"):
        node = seen.task.flow.nodes[name]
        asked = [n for n in _before(name, seen) if seen.coverage.nodes[n] >= ENOUGH]
        if node.kind == "result" and asked and not _forestalled(asked, seen):
            times = sum(seen.coverage.nodes[n] for n in asked)
            yield _at(name), f"none of {times} calls of {', '.join(asked)} was {node.outcome!r}"


def _forestalled(asked: list[str], seen: Seen) -> bool:
    """Tell whether a check comes before these calls.

    What was free is free still: in a simulation nobody else books in between.
    """
    nodes = seen.task.flow.nodes
    checked = {node.call for node in nodes.values() if node.request == CHECK}
    return all(nodes[name].request == BOOK and nodes[name].call in checked for name in asked)


def _before(name: str, seen: Seen) -> list[str]:
    return [before for before, after in seen.counting.walk.after.items() if name in after]


def _ways(name: str, seen: Seen) -> tuple[str, ...]:
    return seen.counting.walk.after[name]


def lacks_slot(seen: Seen) -> Iterator[Found]:
    """Find templates that name what is never known where they would be said."""
    for node, number, text in _unused(seen):
        missing = [name for name in placeholders(text) if name not in seen.known[node.name]]
        if missing and seen.coverage.nodes[node.name] >= ENOUGH * len(node.texts):
            named = ", ".join(f"{{{name}}}" for name in missing)
            yield (*_at(node.name), node.kind, number), f"{text!r} needs {named}, never known here"


def never_said(seen: Seen) -> Iterator[Found]:
    """Find templates that could be said and never are."""
    for node, number, text in _unused(seen):
        chances = seen.chances[node.name, number]
        if chances >= ENOUGH * len(node.texts):
            what = f"{text!r} was not said, though it could have been {chances} times"
            yield (*_at(node.name), node.kind, number), what


def _unused(seen: Seen) -> Iterator[tuple[Node, int, str]]:
    for node in seen.task.flow.nodes.values():
        for number, text in enumerate(node.texts):
            if not seen.coverage.templates[f"{node.name}: {text}"]:
                yield node, number, text


def unspoken(seen: Seen) -> Iterator[Found]:
    """Find results that the system passes over in silence before the user speaks again."""
    nodes, after = seen.task.flow.nodes, seen.counting.walk.after
    for node in nodes.values():
        if node.kind != "result":
            continue
        silent = [name for name in after[node.name] if nodes[name].kind == "user"]
        if silent or not after[node.name]:
            yield _at(node.name), f"no reply speaks of {node.outcome!r}"


def same_reply(seen: Seen) -> Iterator[Found]:
    """Find replies that follow a success and a failure of a call alike."""
    nodes, after = seen.task.flow.nodes, seen.counting.walk.after
    for query in nodes.values():
        results = [nodes[name] for name in after[query.name] if nodes[name].kind == "result"]
        for one, other in combinations(results, 2):
            if (one.outcome in FAILURES) == (other.outcome in FAILURES):
                continue
            for reply in set(after[one.name]) & set(after[other.name]):
                what = f"{reply} follows {one.outcome!r} and {other.outcome!r} alike"
                yield _at(other.name), what


def same_result(seen: Seen) -> Iterator[Found]:
    """Find outcomes that the results of a call do not tell apart."""
    nodes, after = seen.task.flow.nodes, seen.counting.walk.after
    told: set[tuple[str, str, str]] = set()
    for query in nodes.values():
        call = seen.task.calls.get(query.call or "")
        if call is None or call.effect in ("search", "find"):
            continue
        outcomes = [nodes[name].outcome or "" for name in after[query.name]]
        for one, other in combinations(outcomes, 2):
            first, second = call.answers.get(one), call.answers.get(other)
            if (not first or not second or first == second) and (call.name, one, other) not in told:
                told.add((call.name, one, other))
                what = f"a result of {call.name} does not tell {one!r} from {other!r}"
                yield ("apis", call.name), what


def edge_not_taken(seen: Seen) -> Iterator[Found]:
    """Find edges between nodes that fire which no dialogue takes."""
    for edge in seen.coverage.missing("edges"):
        before, after = edge.split(ARROW)
        fired = seen.coverage.nodes[before]
        if seen.coverage.nodes[after] and fired >= ENOUGH * len(_ways(before, seen)):
            yield (*_at(before), "then"), f"{edge} is not taken in {fired} times"


def value_not_drawn(seen: Seen) -> Iterator[Found]:
    """Find values that no user ever asks for."""
    listed = [name.partition(" = ")[0] for name in seen.coverage.values]
    for name in seen.coverage.missing("values"):
        slot, _, value = name.partition(" = ")
        given = seen.coverage.slots[slot]
        if given >= ENOUGH * listed.count(slot):
            yield ("slots", slot, "values", value), f"{value!r} is not among {given} of {slot}"


def faulty(seen: Seen) -> Iterator[Found]:
    """Find what lint finds in the simulated dialogues."""
    for code, first in seen.faults.items():
        yield ("flow",), f"lint finds {code} {_many(seen.faulty[code], 'time')}, first: {first}"


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


RULES = (
    DoctorRule(
        "E901", "dialogue without an end", "every dialogue can be followed to its end", endless
    ),
    DoctorRule("E902", "goal that is never reached", "what the user wants can be had", unreached),
    DoctorRule("E903", "node that never fires", "some dialogue comes there", never_fires),
    DoctorRule(
        "E904",
        "template that lacks a slot",
        "a template names what can be known where it is said",
        lacks_slot,
    ),
    DoctorRule(
        "E905", "result that no reply speaks of", "the system tells what came of a call", unspoken
    ),
    DoctorRule(
        "E906",
        "outcomes that a result does not tell apart",
        "the API's `answers` say something else for each",
        same_result,
    ),
    DoctorRule(
        "E907", "simulated dialogue that lint objects to", "simulated dialogues are clean", faulty
    ),
    DoctorRule(
        "W901",
        "goal that is seldom reached",
        "most dialogues end with what the user wants",
        seldom_reached,
    ),
    DoctorRule(
        "W902",
        "result that never comes about",
        "the goals or tables make it happen, or the node may go",
        never_ends_so,
    ),
    DoctorRule("W903", "template that is never said", "some dialogue uses it", never_said),
    DoctorRule(
        "W904",
        "reply to a success and a failure alike",
        "each has a reply of its own",
        same_reply,
    ),
    DoctorRule("W905", "edge that is never taken", "some dialogue goes that way", edge_not_taken),
    DoctorRule("W906", "value that is never drawn", "some user asks for it", value_not_drawn),
)
"""What the doctor looks for, in the order of the codes."""
