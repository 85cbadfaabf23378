from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from dialoom.collect.log.record import ROLES
from dialoom.collect.study.matcher import MatchRules, Waiter, match, obstacle


def _rules(
    met: int = 0, had: frozenset[str] = frozenset(), left: bool = True, cap: int = 5
) -> MatchRules:
    return MatchRules(
        met=lambda one, other: met,
        cap=cap,
        item=lambda user, person: None if user.worker in had or not left else "s1",
        left=lambda waiter: left,
    )


def _waiter(assignment: int, worker: str | None = None, **more: object) -> Waiter:
    fields = {"since": assignment, "stage": "single", **more}
    return Waiter(assignment=assignment, worker=worker or f"w{assignment}", **fields)  # type: ignore[arg-type]


def _seated(*waiters: Waiter, rules: MatchRules | None = None) -> tuple[str, str] | None:
    pair = match(waiters[0], waiters[1:], rules or _rules())
    return None if pair is None else (pair.user.worker, pair.wizard.worker)


def test_two_who_wait_are_paired() -> None:
    assert _seated(_waiter(1), _waiter(2)) == ("w1", "w2")


def test_nobody_is_paired_with_themselves() -> None:
    assert _seated(_waiter(1, "w"), _waiter(2, "w")) is None
    assert obstacle(_waiter(1, "w"), [_waiter(2, "w")], _rules()) == "self"


def test_two_programs_are_not_paired() -> None:
    assert _seated(_waiter(1, "bot:a"), _waiter(2, "bot:b")) is None
    assert _seated(_waiter(1, "bot:a"), _waiter(2, stage="multi")) is not None


def test_two_of_different_languages_are_not_paired() -> None:
    english, german = _waiter(1, language="en"), _waiter(2, language="de")
    assert _seated(english, german) is None
    assert obstacle(english, [german], _rules()) == "language"
    assert _seated(german, _waiter(3, language="en"), _waiter(4, language="de")) == ("w2", "w4")
    languages: list[str] = []
    rules = replace(_rules(), item=lambda user, person: languages.append(person.language))
    match(_waiter(5, "bot:a"), [german], rules)  # a program talks in its partner's language
    assert set(languages) == {"de"}


def test_who_lost_a_partner_goes_first_then_who_waits_longest() -> None:
    newcomer = _waiter(9)
    assert _seated(newcomer, _waiter(2), _waiter(1)) == ("w1", "w9")
    assert _seated(newcomer, _waiter(1), _waiter(2, first=True)) == ("w2", "w9")


def test_fixed_roles_hold() -> None:
    assert _seated(_waiter(1, roles=("wizard",)), _waiter(2)) == ("w2", "w1")
    assert _seated(_waiter(1, roles=("user",)), _waiter(2, roles=("user",))) is None


def test_who_is_short_of_a_role_is_seated_there_and_wishes_come_after() -> None:
    assert _seated(_waiter(1, role_surplus=-1), _waiter(2, role_surplus=1)) == ("w2", "w1")
    assert _seated(_waiter(1, preferred="wizard"), _waiter(2)) == ("w2", "w1")
    assert _seated(_waiter(1, preferred="wizard", role_surplus=2), _waiter(2)) == ("w1", "w2")


def test_each_obstacle_is_reported() -> None:
    one, other = _waiter(1), _waiter(2)
    assert obstacle(one, [], _rules()) == "partner"
    assert obstacle(one, [_waiter(2, stage="multi")], _rules()) == "stage"
    assert obstacle(_waiter(1, roles=("user",)), [_waiter(2, roles=("user",))], _rules()) == "roles"
    assert obstacle(one, [other], _rules(met=5)) == "pair_cap"
    assert obstacle(one, [other], _rules(had=frozenset({"w1", "w2"}))) == "texts"
    assert obstacle(one, [other], _rules(left=False)) == "full"
    assert obstacle(one, [other], _rules()) == "none"


def test_a_user_who_had_all_texts_can_still_play_the_wizard() -> None:
    assert _seated(_waiter(1), _waiter(2), rules=_rules(had=frozenset({"w1"}))) == ("w2", "w1")


WAITERS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "d", "bot:e", "bot:f"]),
        st.sampled_from([ROLES, ("user",), ("wizard",)]),
        st.sampled_from(["single", "multi"]),
        st.booleans(),
    ),
    max_size=10,
)


@given(WAITERS, st.sets(st.sampled_from(["a", "b", "c", "d"])))
def test_taking_them_in_turn_leaves_no_two_who_could_be_paired(
    raw: list[tuple[str, tuple[str, ...], str, bool]], had: set[str]
) -> None:
    rules = _rules(had=frozenset(had))
    waiting = [
        _waiter(number, worker, roles=roles, stage=stage, first=first)
        for number, (worker, roles, stage, first) in enumerate(raw, start=1)
    ]
    waiting.sort(key=lambda waiter: waiter.rank)
    left: list[Waiter] = []
    while waiting:
        one = waiting.pop(0)
        pair = match(one, waiting, rules)
        if pair is None:
            left.append(one)
            continue
        assert pair.user.worker != pair.wizard.worker
        assert one in (pair.user, pair.wizard)
        waiting = [w for w in waiting if w not in (pair.user, pair.wizard)]
    for one, other in combinations(left, 2):
        assert match(one, [other], rules) is None
        assert match(other, [one], rules) is None
