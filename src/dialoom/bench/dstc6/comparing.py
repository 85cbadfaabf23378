"""Compares two sets of items, simulated and published ones, in tables.

The comparison needs no answers: it is of the kinds of candidates, the pairs of successive acts of
the bot, the order in which it asks for slots, lengths, and counts of the knowledge base. Acts are
read off the position of lines in a dialogue (sim/policies/booking/roles.py), whatever the wording.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, product
from statistics import fmean, pstdev
from typing import Any

from dialoom.dialogue import USER, Dialogue, Options, Result, Utterance
from dialoom.formats.babi.lists import KnowledgeBase
from dialoom.formats.dstc6.dialogues import about
from dialoom.quality.distance.measures import divergence
from dialoom.render.tables import Cell, ResultTable, Row
from dialoom.sim.policies.booking.recorder import CALL
from dialoom.sim.policies.booking.roles import SILENT, Roles, moves, roles_of, without_entities

USERS, OTHER, TWICE = "user's line", "other line", "repeated"
"""Kinds of candidates that are not acts of the bot."""

ALL = "all"

ITEMS, KINDS, PAIRS, AFTER, ASKED, OPENING = "items", "kinds", "pairs", "after", "asked", "opening"
"""Names of counts: items, kinds of candidates, pairs of successive acts of the bot, its last act
before the turn asked for, pairs of slots in the order asked for, values in the first request."""

LENGTHS = (
    "restaurants returned",
    "turns of the bot",
    "turns of the user",
    "words of a user's line",
)

Profile = defaultdict[str, defaultdict[str, Counter[Any]]]
"""Name of a count (see above) to task to counter of the things or lengths counted."""


def profile(dialogues: Sequence[Dialogue]) -> Profile:
    """Return the counts of some dialogues, for each task (named as in file names) and for `ALL`."""
    roles, tallies = roles_of(dialogues), Profile(lambda: defaultdict(Counter))
    users = {event.text for dialogue in dialogues for event in _said(dialogue)}
    for dialogue in dialogues:
        facts = about(dialogue.origin.file) if dialogue.origin else None
        for what, things in _counted(dialogue, roles, users):
            counts = Counter(things)
            for task in {facts.task if facts else ALL, ALL}:
                tallies[what][task].update(counts)
    return tallies


def _said(dialogue: Dialogue) -> list[Utterance]:
    return [e for e in dialogue.events if isinstance(e, Utterance) and e.agent == USER]


def _counted(
    dialogue: Dialogue, roles: Roles, users: set[str]
) -> Iterator[tuple[str, Iterable[Hashable]]]:
    yield ITEMS, (ITEMS,)
    options = dialogue.events[-1] if dialogue.events else None
    if isinstance(options, Options):
        texts = [candidate.text or "" for candidate in options.candidates]
        kinds = Counter(_kind(text, roles, users) for text in texts)
        kinds[TWICE] = len(texts) - len(set(texts))
        yield KINDS, kinds
    history = moves(dialogue, answered=False)
    acts = [
        CALL if move.text == CALL else roles.lines.get(move.text, move.text) for move in history
    ]
    yield PAIRS, pairwise(acts)
    yield AFTER, (acts[-1] if acts else "nothing",)
    yield ASKED, combinations([act for act in acts if act.startswith("ask.")], 2)
    utterances = _said(dialogue)
    spoken = [event.text for event in utterances if event.text not in SILENT]
    if len(spoken) > 1:
        yield OPENING, (len(set(roles.mentioned(spoken[1]))),)
    returned = [len(event.items) for event in dialogue.events if isinstance(event, Result)]
    words = [len(text.split()) for text in spoken]
    yield from zip(LENGTHS, (returned, [len(acts)], [len(utterances)], words), strict=True)


def _kind(text: str, roles: Roles, users: set[str]) -> str:
    """Return a candidate's kind: a call, bot's line, `USERS`, `OTHER`, or line without entity."""
    if text.startswith(CALL):
        return CALL
    bare = without_entities(text)
    line = roles.lines.get(bare)
    if line is None:
        return USERS if text in users else OTHER
    return line if bare != text else "line without entity"


def tables(one: Profile, other: Profile) -> Iterator[ResultTable]:
    """Yield the tables that show both, the simulated one first."""
    names = sorted({*one[ITEMS], *other[ITEMS]}, key=lambda name: (name == ALL, name))
    items = [(n, one[ITEMS][n].total(), other[ITEMS][n].total()) for n in names]
    yield ResultTable("Items", ("task", "simulated", "real"), items)
    yield _shares("Candidates by kind, %", "kind", one[KINDS], other[KINDS], names)
    yield _distances(one, other, names)
    title = "The bot's last act before the turn asked for, %"
    yield _shares(title, "act", one[AFTER], other[AFTER], [ALL])
    title = "Values given with the first request, %"
    yield _shares(title, "values", one[OPENING], other[OPENING], [ALL])
    yield _order(one[ASKED][ALL], other[ASKED][ALL])
    yield _lengths(one, other, names)


def _shares(
    title: str,
    what: str,
    one: defaultdict[str, Counter[Any]],
    other: defaultdict[str, Counter[Any]],
    names: Sequence[str],
) -> ResultTable:
    rows: list[Row] = []
    for name in names:
        mine, its = one[name], other[name]
        sums = mine.total() or 1, its.total() or 1
        for thing in sorted({*mine, *its}, key=lambda t: (-its[t], -mine[t], str(t))):
            pair = 100 * mine[thing] / sums[0], 100 * its[thing] / sums[1]
            rows.append((name, str(thing), *pair, pair[0] - pair[1]))
    return ResultTable(title, ("task", what, "simulated", "real", "difference"), rows)


def _distances(one: Profile, other: Profile, names: Sequence[str]) -> ResultTable:
    rows: list[Row] = []
    for name in names:
        mine, its = one[PAIRS][name], other[PAIRS][name]
        only = len(mine.keys() - its.keys()), len(its.keys() - mine.keys())
        rows.append((name, len(mine), len(its), *only, divergence(mine, its)))
    header = ("task", "simulated", "real", "only simulated", "only real", "divergence")
    return ResultTable("Pairs of acts of the bot that follow one another", header, rows)


def _order(one: Counter[Any], other: Counter[Any]) -> ResultTable:
    rows: list[Row] = []
    for first, then in sorted({*one, *other}):
        if (then, first) in other and other[then, first] > other[first, then]:
            continue
        cells: list[Cell] = [f"{first[4:]} before {then[4:]}"]
        for counts in (one, other):
            cells += [counts[first, then], counts[then, first]]
        rows.append(cells)
    header = ("order", "simulated", "reversed", "real", "reversed, real")
    return ResultTable("The order of the bot's questions", header, rows)


def _lengths(one: Profile, other: Profile, names: Sequence[str]) -> ResultTable:
    rows: list[Row] = []
    for name, what in product(names, LENGTHS):
        cells: list[Cell] = [name, what]
        for counts in (one, other):
            values = list(counts[what][name].elements())
            cells += [fmean(values), pstdev(values)] if values else [None, None]
        rows.append(cells)
    header = ("task", "what", "simulated", "s.d.", "real", "s.d., real")
    return ResultTable("Lengths: means and standard deviations", header, rows)


def knowledge_table(one: KnowledgeBase, other: KnowledgeBase, name: str) -> ResultTable:
    """Return the counts of two knowledge bases."""
    mine, its = _counts(one), _counts(other)
    rows: list[Row] = [(what, mine.get(what), its.get(what)) for what in mine | its]
    return ResultTable(f"Knowledge base {name}", ("what", "simulated", "real"), rows)


def _counts(base: KnowledgeBase) -> dict[str, int]:
    groups: dict[tuple[object, ...], list[object]] = defaultdict(list)
    for item in base.items:
        key = tuple(item.get(slot) for slot in ("cuisine", "location", "price"))
        groups[key].append(item.get("rating"))
    totals = {
        "restaurants": len(base.items),
        "facts": sum(len(item) - 1 for item in base.items),
        "combinations of cuisine, location and price": len(groups),
        "restaurants of each, least": min(map(len, groups.values()), default=0),
        "restaurants of each, most": max(map(len, groups.values()), default=0),
        "ratings tied within one": sum(len(r) - len(set(r)) for r in groups.values()),
    }
    for slot in sorted({name for item in base.items for name in item}):
        totals[f"values of {slot}"] = len({str(item.get(slot)) for item in base.items})
    return totals
