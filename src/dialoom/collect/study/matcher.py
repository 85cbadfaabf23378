"""The matcher: who is paired with whom; a pure function that leaves no possible pair.

    match(newcomer, others, rules)     # Pair(user=…, wizard=…, item="s3") or None
    obstacle(waiter, others, rules)    # "texts": why they wait

Two can be paired when they are different workers of one stage and language, not both programs, one
may play the user and the other one the wizard, they have not met too often, and there is an item
whose texts the user has not had. Those whose partner was lost come first, then those who wait
longest. Of two who may both play either role, the one short of user dialogues becomes the user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from dialoom.collect.log.record import ROLES, USER_ROLE, WIZARD_ROLE, Place, is_bot
from dialoom.dialogue.annotation import Struct

Obstacle = Literal[
    "none", "partner", "self", "stage", "language", "bots", "roles", "pair_cap", "texts", "full"
]
"""Why two are not paired, from the plainest to the rarest; `partner` is that nobody else waits,
`texts` that the user has had all there are, `full` that nothing is left for anybody."""

ORDER: tuple[Obstacle, ...] = (
    "partner",
    "self",
    "stage",
    "language",
    "bots",
    "roles",
    "pair_cap",
    "full",
    "texts",
)


class Waiter(Struct, frozen=True, kw_only=True):
    """Somebody who is ready to be paired.

    Attributes:
        assignment: Their assignment.
        worker: Who they are.
        stage: The stage they are in.
        language: The language they talk in.
        since: When they became ready, in ms.
        roles: What they may play.
        first: Whether they lost their partner and go before others.
        preferred: What they would like to play.
        role_surplus: Dialogues as wizard less those as user; above 0 they are short of user ones.
    """

    assignment: int
    worker: str
    stage: str
    since: int
    language: str = ""
    roles: tuple[Place, ...] = ROLES
    first: bool = False
    preferred: Place | None = None
    role_surplus: int = 0

    @property
    def rank(self) -> tuple[bool, int, int]:
        """The sort key of waiters: who is served first."""
        return not self.first, self.since, self.assignment


class Pair(Struct, frozen=True):
    """Two people to be seated, and their item."""

    user: Waiter
    wizard: Waiter
    item: str


@dataclass(frozen=True)
class MatchRules:
    """The facts of the study that the matcher needs.

    Attributes:
        met: How often two workers have been paired.
        cap: How often they may be.
        item: The item for a user, of the stage and in the language of a person (of the two, one
            may be a program); None where there is none that they may have.
        left: Whether anybody could be given an item of the stage and language of somebody.
    """

    met: Callable[[str, str], int]
    cap: int
    item: Callable[[Waiter, Waiter], str | None]
    left: Callable[[Waiter], bool]


def match(waiter: Waiter, others: Iterable[Waiter], rules: MatchRules) -> Pair | None:
    """Return the best pair that `waiter` can be part of."""
    for other in sorted(others, key=lambda one: one.rank):
        if _forbidden(waiter, other, rules) is not None:
            continue
        for user, wizard in _seatings(waiter, other):
            item = rules.item(user, _person(waiter, other))
            if item is not None:
                return Pair(user, wizard, item)
    return None


def obstacle(waiter: Waiter, others: Iterable[Waiter], rules: MatchRules) -> Obstacle:
    """Return what keeps `waiter` from being paired: of the others, what the nearest one lacks."""
    if not rules.left(waiter):
        return "full"
    found: Obstacle = "partner"
    for other in others:
        one = _forbidden(waiter, other, rules)
        if one is None:
            users = [user for user, _ in _seatings(waiter, other)]
            person = _person(waiter, other)
            if any(rules.item(user, person) is not None for user in users):
                return "none"
            one = "texts"
        found = max(found, one, key=ORDER.index)
    return found


def _forbidden(one: Waiter, other: Waiter, rules: MatchRules) -> Obstacle | None:
    """Return what forbids a pair whatever the item, or None."""
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
    """Return the person of a pair, in whose stage and language a program takes part."""
    return other if is_bot(one.worker) else one


def _seatings(one: Waiter, other: Waiter) -> Iterator[tuple[Waiter, Waiter]]:
    """Yield (user, wizard), the better way first."""
    ways = [
        (user, wizard)
        for user, wizard in ((one, other), (other, one))
        if USER_ROLE in user.roles and WIZARD_ROLE in wizard.roles
    ]
    yield from sorted(ways, key=lambda way: _worse(*way))


def _worse(user: Waiter, wizard: Waiter) -> tuple[int, int, tuple[bool, int, int]]:
    """Return the sort key of a seating: who is short of a role, preferences met, longest wait."""
    met = (user.preferred == USER_ROLE) + (wizard.preferred == WIZARD_ROLE)
    against = (user.preferred == WIZARD_ROLE) + (wizard.preferred == USER_ROLE)
    return wizard.role_surplus - user.role_surplus, against - met, user.rank
