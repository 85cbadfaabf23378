"""Matching of templates in one wording to those in another, by the circumstances of each.

Bots that follow one policy in different words say each line in the same circumstances: right before
a call, after an option was named, before the user is silent. Templates with the same types of
entities are matched by the similarity of the distributions of their circumstances, all together
(the assignment problem; Kuhn 1955). A template that both wordings have matches itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log, sqrt

from dialoom.models.ranker.features import CALL
from dialoom.models.ranker.lines import NAME, Line, LineReader
from dialoom.models.ranker.state import HistoryState

ROUNDS = 3
"""Rounds of matching; from the second on, the matches of adjacent lines count as well."""

FLOOR = 0.01
"""Added to the similarity of distributions, so that its logarithm is finite."""

FEW, OFTEN = 3, 0.8
"""Least number of questions that expect a learnt template which no history has, and least share of
these questions that offer the new template matched to it."""

OTHER = 1000.0
"""The cost of matching lines with different entities, which is never worth it."""

Places = Mapping[str, Mapping[str, Counter[str]]]
"""Template to group of circumstances ("before", "calls", ...) to the count of each."""


def places(states: Iterable[HistoryState], reader: LineReader) -> Places:
    """Count the circumstances in which each line is said."""
    found: defaultdict[str, dict[str, Counter[str]]] = defaultdict(dict)
    for state in states:
        for line, circumstances in _turns(state, reader):
            if not line.is_call:
                for group, value in circumstances:
                    found[line.template].setdefault(group, Counter())[value] += 1
    return found


def _turns(state: HistoryState, reader: LineReader) -> Iterator[tuple[Line, list[tuple[str, str]]]]:
    """Yield each line of a bot with its circumstances: group and value."""
    users = [_kind_of_text(text, reader) for text in (*(t.user for t in state.turns), state.user)]
    lines = state.lines()
    calls = named = 0
    for place, line in enumerate(lines):
        found = [
            ("place", str(min(place, 3))),
            ("before", users[place]),
            ("after", users[place + 1]),
            ("last", _kind(lines[place - 1]) if place else "start"),
            ("line before", lines[place - 1].template if place else "start"),
            ("calls", str(min(calls, 2))),
            ("named", str(min(named, 1))),
        ]
        if place + 1 < len(lines):
            found += [("next", _kind(lines[place + 1])), ("line after", lines[place + 1].template)]
        yield line, found
        calls += line.is_call
        named += bool(line.entities) and not line.is_call


def _kind_of_text(text: str | None, reader: LineReader) -> str:
    """Return the kind of a user's text: "silence", "name", "words", "value" or "values"."""
    if text is None:
        return "silence"
    types = [slot for slot, _ in reader.mentions(text)]
    return NAME if NAME in types else ("words", "value", "values")[min(len(set(types)), 2)]


def _kind(line: Line) -> str:
    """Return the kind of a bot's line: "call", the types of its entities, or "words"."""
    if line.is_call:
        return CALL
    return " ".join(sorted({slot for slot, _ in line.entities})) or "words"


def matched(own: Places, other: Places, besides: frozenset[str]) -> dict[str, str]:
    """Return template of another wording to the learnt one that it matches.

    Args:
        own: The circumstances of the learnt templates.
        other: The circumstances of the templates of the other wording.
        besides: Templates not to be matched: questions for slots, which users' answers identify.
    """
    import numpy
    from scipy.optimize import linear_sum_assignment

    new = sorted(template for template in other if template not in own and template not in besides)
    free = sorted(template for template in own if template not in other and template not in besides)
    names: dict[str, str] = dict.fromkeys(besides, "ask")
    found: dict[str, str] = {}
    if not new or not free:
        return found
    for _ in range(ROUNDS):
        costs = numpy.array(
            [
                [
                    -_similarity(own[mine], other[its], {**names, **found}, names)
                    + OTHER * (_entities(its) != _entities(mine))
                    for mine in free
                ]
                for its in new
            ]
        )
        rows, columns = linear_sum_assignment(costs)
        found = {new[row]: free[column] for row, column in zip(rows, columns, strict=True)}
    return {its: mine for its, mine in found.items() if _entities(its) == _entities(mine)}


def expected(
    offered: Sequence[frozenset[str]], wanted: Sequence[str], new: Iterable[str]
) -> dict[str, str]:
    """Match templates that no history has to learnt ones, by the questions that offer them.

    Args:
        offered: The templates among the candidates of each question.
        wanted: The likeliest template at each question where no history has it, else "".
        new: The templates that neither training nor any history has.

    Returns:
        New template to the learnt one that is likeliest where the new one is offered.
    """
    usual = Counter(template for each in offered for template in each)
    found: dict[str, str] = {}
    left = set(new)
    for name, count in Counter(wanted).most_common():
        if not name or count < FEW:
            continue
        there = Counter(
            template
            for each, expected in zip(offered, wanted, strict=True)
            if expected == name
            for template in each & left
        )
        best = max(
            sorted(there), key=lambda t: there[t] / count - usual[t] / len(offered), default=None
        )
        if best is not None and there[best] >= OFTEN * count:
            found[best] = name
            left.discard(best)
    return found


def _similarity(
    own: Mapping[str, Counter[str]],
    other: Mapping[str, Counter[str]],
    renaming: Mapping[str, str],
    names: Mapping[str, str],
) -> float:
    """Return the similarity of the circumstances of two templates.

    It is the sum over groups of the logarithm of the Bhattacharyya coefficient plus `FLOOR`.
    Groups of adjacent lines count only once templates have been matched.

    Args:
        own: Group to the counts of a learnt template's circumstances.
        other: The same of the other template.
        renaming: Template of the other wording to its match, for adjacent lines.
        names: Template not to be matched to the name it counts under.
    """
    total = 0.0
    for group, mine in own.items():
        its = other.get(group)
        if its is None:
            continue
        if group.startswith("line"):
            mine, its = _renamed(mine, names), _renamed(its, renaming)
            if len(renaming) == len(names):
                continue
        shared = sum(sqrt(mine[value] / mine.total() * its[value] / its.total()) for value in mine)
        total += log(FLOOR + shared)
    return total


def _renamed(counts: Counter[str], names: Mapping[str, str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, count in counts.items():
        found[names.get(name, name)] += count
    return found


def _entities(template: str) -> list[str]:
    return sorted(word for word in template.split(" ") if word.startswith("{"))
