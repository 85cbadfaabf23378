"""Chooses who is paired with whom, by pure functions.

Two people can be paired if they are different workers in the same stage and language (a program
takes part in its partner's), not both are programs, one may play the user and the other the wizard,
they have not been paired too often, and there is an item whose texts the user has not had. People
who lost their partner are served first, then those who have waited longest. If both may play either
role, the one with fewer dialogues as user relative to wizard becomes the user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from dialoom.collect.log.record import ROLES, USER_ROLE, WIZARD_ROLE, Role, is_bot
from dialoom.dialogue.annotation import Struct

Obstacle = Literal[
    "none", "partner", "self", "stage", "language", "bots", "roles", "pair_cap", "full", "texts"
]
"""Why a person is not paired: `partner`: nobody else waits; `texts`: the user has had all items;
`full`: no items are left for anybody. The later an obstacle is in the list, the closer the pair."""

ORDER: tuple[Obstacle, ...] = get_args(Obstacle)


class Waiter(Struct, frozen=True, kw_only=True):
    """A person or program that waits to be paired.

    Attributes:
        first: Whether they lost their partner and are served before others.
        preferred: The role that they prefer; None without a preference.
        role_surplus: Their dialogues as wizard minus those as user, in this stage.
    """

    assignment: int
    worker: str
    stage: str
    since: int
    language: str = ""
    roles: tuple[Role, ...] = ROLES
    first: bool = False
    preferred: Role | None = None
    role_surplus: int = 0

    @property
    def rank(self) -> tuple[bool, int, int]:
        """The sort key by which waiting people are served, smallest first."""
        return not self.first, self.since, self.assignment


class Pair(Struct, frozen=True):
    """Two waiting people who are paired, and their item."""

    user: Waiter
    wizard: Waiter
    item: str


@dataclass(frozen=True)
class MatchRules:
    """Facts of the study that the matcher needs.

    Attributes:
        met: Returns how often two workers have been paired.
        cap: The most often that two workers may be paired.
        item: Returns the id of an item for the user (first argument), in the stage and language of
            the second argument, the person of the pair; None where there is none.
        left: Returns whether any item is left in a person's stage and language.
    """

    met: Callable[[str, str], int]
    cap: int
    item: Callable[[Waiter, Waiter], str | None]
    left: Callable[[Waiter], bool]


def match(waiter: Waiter, others: Iterable[Waiter], rules: MatchRules) -> Pair | None:
    """Return the best pair that `waiter` can be part of; None where there is none."""
    for other in sorted(others, key=lambda one: one.rank):
        if _forbidden(waiter, other, rules) is not None:
            continue
        for user, wizard in _seatings(waiter, other):
            item = rules.item(user, _person(waiter, other))
            if item is not None:
                return Pair(user, wizard, item)
    return None


def obstacle(waiter: Waiter, others: Iterable[Waiter], rules: MatchRules) -> Obstacle:
    """Return why `waiter` is not paired: the reason that applies to the closest candidate."""
    if not rules.left(waiter):
        return "full"
    reason: Obstacle = "partner"
    for other in others:
        one = _forbidden(waiter, other, rules)
        if one is None:
            users = [user for user, _ in _seatings(waiter, other)]
            person = _person(waiter, other)
            if any(rules.item(user, person) is not None for user in users):
                return "none"
            one = "texts"
        reason = max(reason, one, key=ORDER.index)
    return reason


def _forbidden(one: Waiter, other: Waiter, rules: MatchRules) -> Obstacle | None:
    if one.assignment == other.assignment or one.worker == other.worker:
        return "self"
    bots = is_bot(one.worker) + is_bot(other.worker)
    if not bots and one.stage != other.stage:
        return "stage"
    if not bots and one.language != other.language:
        return "language"
    if bots == len((one, other)):
        return "bots"
    if next(_seatings(one, other), None) is None:
        return "roles"
    if not bots and rules.met(one.worker, other.worker) >= rules.cap:
        return "pair_cap"
    return None


def _person(one: Waiter, other: Waiter) -> Waiter:
    """Return the person of a pair; a program takes part in their stage and language."""
    return other if is_bot(one.worker) else one


def _seatings(one: Waiter, other: Waiter) -> Iterator[tuple[Waiter, Waiter]]:
    ways = [
        (user, wizard)
        for user, wizard in ((one, other), (other, one))
        if USER_ROLE in user.roles and WIZARD_ROLE in wizard.roles
    ]
    yield from sorted(ways, key=lambda way: _worse(*way))


def _worse(user: Waiter, wizard: Waiter) -> tuple[int, int, tuple[bool, int, int]]:
    """Return the sort key of a seating, by balance of roles, preferences, and time of waiting."""
    met = (user.preferred == USER_ROLE) + (wizard.preferred == WIZARD_ROLE)
    against = (user.preferred == WIZARD_ROLE) + (wizard.preferred == USER_ROLE)
    return wizard.role_surplus - user.role_surplus, against - met, user.rank
