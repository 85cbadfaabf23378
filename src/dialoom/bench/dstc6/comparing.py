"""Two sets of items side by side: simulated ones and published ones.

    one, other = profile(simulated), profile(published)
    list(tables(one, other))                # title, header and rows of each table

What is compared needs no answers: kinds of candidates, what the bot does after what, the order in
which it asks, lengths, and the counts of the knowledge base. Acts are told from where lines stand
(sim/booking/roles.py), so that the wording does not matter.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev

from dialoom.dialogue import USER, Dialogue, Options, Result, Utterance
from dialoom.formats.babi.kb import KnowledgeBase
from dialoom.formats.dstc6.names import about
from dialoom.quality.distance.measures import divergence
from dialoom.render.tables import Cell, Row
from dialoom.sim.policies.booking.recorder import CALL
from dialoom.sim.policies.booking.roles import (
    SILENT,
    BotTurn,
    Roles,
    moves,
    roles_of,
    without_entities,
)

USERS, OTHER, TWICE = "user's line", "other line", "repeated"
"""Kinds of candidates that are no act of the bot's."""

Table = tuple[str, tuple[str, ...], list[Row]]
"""Title, header, rows."""

ALL = "all"
"""Stands for all tasks together."""


@dataclass
class Profile:
    """What is counted of a set of items; tasks as their files are named, and `ALL`.

    Attributes:
        items: Task to its number of items.
        kinds: Task to kinds of candidates.
        bigrams: Task to pairs of acts of the bot that follow one another.
        after: Task to what the bot did last before the turn that is asked for.
        asked: Slots asked for, one before the other, in one history.
        lengths: Task and what is measured to its values.
        opening: Task to how many values the first request gives.
    """

    items: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    bigrams: dict[str, Counter[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    after: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    lengths: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    opening: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))


def profile(dialogues: Sequence[Dialogue]) -> Profile:
    """Count what is compared."""
    roles, found = roles_of(dialogues), Profile()
    users = {
        event.text
        for dialogue in dialogues
        for event in dialogue.events
        if isinstance(event, Utterance) and event.agent == USER
    }
    for dialogue in dialogues:
        known = about(dialogue.origin.file) if dialogue.origin else None
        task = known.task if known else ALL
        for name in dict.fromkeys((task, ALL)):
            found.items[name] += 1
        _count_candidates(dialogue, task, found, roles, users)
        _count_history(dialogue, task, found, roles)
    return found


def _count_candidates(
    dialogue: Dialogue, task: str, found: Profile, roles: Roles, users: set[str]
) -> None:
    options = dialogue.events[-1] if dialogue.events else None
    if not isinstance(options, Options):
        return
    seen: set[str] = set()
    kinds: Counter[str] = Counter()
    for candidate in options.candidates:
        text = candidate.text or ""
        kinds[_kind(text, roles, users)] += 1
        kinds[TWICE] += text in seen
        seen.add(text)
    for name in dict.fromkeys((task, ALL)):
        found.kinds[name].update(kinds)


def _kind(text: str, roles: Roles, users: set[str]) -> str:
    """Return what a candidate is; lines that ask for a slot or name no entity are together."""
    if text.startswith(CALL):
        return CALL
    bare = without_entities(text)
    line = roles.lines.get(bare)
    if line is None:
        return USERS if text in users else OTHER
    return line if bare != text else "line without entity"


def _count_history(dialogue: Dialogue, task: str, found: Profile, roles: Roles) -> None:
    history = moves(dialogue, answered=False)
    acts = [_act(move, roles) for move in history]
    asked = [act for act in acts if act.startswith("ask.")]
    found.asked.update(itertools.combinations(asked, 2))
    said = [e for e in dialogue.events if isinstance(e, Utterance) and e.agent == USER]
    spoken = [event for event in said if event.text not in SILENT]
    returned = [event for event in dialogue.events if isinstance(event, Result)]
    for name in dict.fromkeys((task, ALL)):
        found.bigrams[name].update(itertools.pairwise(acts))
        found.after[name][acts[-1] if acts else "nothing"] += 1
        found.lengths[name, "turns of the bot"].append(len(acts))
        found.lengths[name, "turns of the user"].append(len(said))
        found.lengths[name, "words of a user's line"] += [len(e.text.split()) for e in spoken]
        found.lengths[name, "restaurants returned"] += [len(event.items) for event in returned]
        if len(spoken) > 1:
            found.opening[name][len(set(roles.mentioned(spoken[1].text)))] += 1


def _act(move: BotTurn, roles: Roles) -> str:
    return CALL if move.text == CALL else roles.lines.get(move.text, move.text)


def tables(one: Profile, other: Profile) -> Iterator[Table]:
    """Yield the tables that show both, the simulated one first."""
    names = sorted(set(one.items) | set(other.items), key=lambda name: (name == ALL, name))
    yield "Items", ("task", "simulated", "real"), [(n, one.items[n], other.items[n]) for n in names]
    yield _shares("Candidates by kind, %", "kind", one.kinds, other.kinds, names)
    yield _distances(one, other, names)
    yield _shares("The bot's last act before the turn asked for, %", "act", one.after, other.after)
    yield _shares("Values given with the first request, %", "values", one.opening, other.opening)
    yield _order(one, other)
    yield _lengths(one, other, names)


def _shares(
    title: str,
    what: str,
    one: Mapping[str, Counter[str]] | Mapping[str, Counter[int]],
    other: Mapping[str, Counter[str]] | Mapping[str, Counter[int]],
    names: Sequence[str] | None = None,
) -> Table:
    """Return the shares of each thing, and how far the distributions are apart."""
    rows: list[Row] = []
    shown = names or [ALL]
    for name in shown:
        mine: Counter[str | int] = Counter(dict(one.get(name, {})))
        its: Counter[str | int] = Counter(dict(other.get(name, {})))
        sums = mine.total() or 1, its.total() or 1
        for thing in sorted(mine.keys() | its.keys(), key=lambda t: (-its[t], -mine[t], str(t))):
            pair = 100 * mine[thing] / sums[0], 100 * its[thing] / sums[1]
            rows.append((name, str(thing), *pair, pair[0] - pair[1]))
    return title, ("task", what, "simulated", "real", "difference"), rows


def _distances(one: Profile, other: Profile, names: Sequence[str]) -> Table:
    rows: list[Row] = []
    for name in names:
        mine, its = one.bigrams[name], other.bigrams[name]
        only = len(mine.keys() - its.keys()), len(its.keys() - mine.keys())
        apart = divergence(mine, its)
        rows.append((name, len(mine), len(its), *only, apart))
    header = ("task", "simulated", "real", "only simulated", "only real", "divergence")
    return "Pairs of acts of the bot that follow one another", header, rows


def _order(one: Profile, other: Profile) -> Table:
    """Return which slot is asked for before which, and how often the other way round."""
    rows: list[Row] = []
    for first, then in sorted(one.asked.keys() | other.asked.keys()):
        if (then, first) in other.asked and other.asked[then, first] > other.asked[first, then]:
            continue
        cells: list[Cell] = [f"{first[4:]} before {then[4:]}"]
        for counts in (one.asked, other.asked):
            cells += [counts[first, then], counts[then, first]]
        rows.append(cells)
    header = ("order", "simulated", "reversed", "real", "reversed, real")
    return "The order of the bot's questions", header, rows


def _lengths(one: Profile, other: Profile, names: Sequence[str]) -> Table:
    rows: list[Row] = []
    whats = sorted({what for _, what in one.lengths.keys() | other.lengths.keys()})
    for name, what in itertools.product(names, whats):
        mine, its = one.lengths.get((name, what), []), other.lengths.get((name, what), [])
        rows.append((name, what, *_mean_and_deviation(mine), *_mean_and_deviation(its)))
    header = ("task", "what", "simulated", "s.d.", "real", "s.d., real")
    return "Lengths: means and standard deviations", header, rows


def _mean_and_deviation(values: Sequence[int]) -> tuple[float | None, float | None]:
    if not values:
        return None, None
    return fmean(values), pstdev(values)


def knowledge_table(one: KnowledgeBase, other: KnowledgeBase, name: str) -> Table:
    """Return the counts of two knowledge bases."""
    mine, its = _counts(one), _counts(other)
    rows: list[Row] = [(what, mine.get(what), its.get(what)) for what in mine | its]
    return f"Knowledge base {name}", ("what", "simulated", "real"), rows


def _counts(base: KnowledgeBase) -> dict[str, int]:
    groups: dict[tuple[object, ...], list[object]] = defaultdict(list)
    for item in base.items:
        key = tuple(item.get(slot) for slot in ("cuisine", "location", "price"))
        groups[key].append(item.get("rating"))
    found = {
        "restaurants": len(base.items),
        "facts": sum(len(item) - 1 for item in base.items),
        "combinations of cuisine, location and price": len(groups),
        "restaurants of each, least": min(map(len, groups.values()), default=0),
        "restaurants of each, most": max(map(len, groups.values()), default=0),
        "ratings tied within one": sum(len(r) - len(set(r)) for r in groups.values()),
    }
    for slot in sorted({name for item in base.items for name in item}):
        found[f"values of {slot}"] = len({str(item.get(slot)) for item in base.items})
    return found
