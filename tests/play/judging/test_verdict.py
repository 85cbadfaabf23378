"""What a dialogue came to, found by rule."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Event, Utterance
from dialoom.kb.state import Changes, Difference
from dialoom.play.agents.base import AgentSeat
from dialoom.play.agents.flow import OracleAgent
from dialoom.play.judging.target import AgentTurn, DialogueTarget, DueValue, says, target_of
from dialoom.play.judging.verdict import Verdict, judge
from dialoom.play.running.trial import play
from dialoom.play.users.base import UserSeat
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema import pack
from dialoom.sim.core.rng import seed_of
from dialoom.sim.policies.flow.simulator import Simulator

SIMULATOR = Simulator(pack.load("bank_balance"), 3)
PROGRAM = SIMULATOR.program
SEAT = UserSeat((SIMULATOR,), seed_of(3, 0), seed_of(3, 1))
EVENTS, ENDED = play(
    SimulatedUsers().join(SEAT),
    OracleAgent().join(AgentSeat(programs=(PROGRAM,), seed=b"")),
    SIMULATOR.base.call,
    reads_acts=True,
)
TARGET = target_of([PROGRAM], EVENTS, {})


def judged(
    events: Sequence[Event], target: DialogueTarget = TARGET, changed: Difference | None = None
) -> Verdict:
    done = changed or Difference()
    return judge([PROGRAM], events, ENDED, target, done.data(), SEAT.goal)


def test_what_is_to_be_told_is_what_the_user_did_not_know() -> None:
    assert {each.name for each in TARGET.due} == {"BankName", "Balance"}


def test_a_dialogue_as_it_should_be() -> None:
    verdict = judged(EVENTS)
    assert verdict.passed
    assert (verdict.kept, verdict.twice, verdict.faults) == (verdict.steps, 0, ())


def test_what_was_not_told_is_missed() -> None:
    silent = [e for e in EVENTS if not isinstance(e, Utterance) or e.agent == USER]
    verdict = judged(silent)
    assert verdict.reached
    assert verdict.unreported == TARGET.due
    assert not verdict.passed


def test_what_nobody_asked_for_is_counted() -> None:
    row = {"FullName": "Mei Standish"}
    done = Difference({"account_balances": Changes(added=(row,))})
    verdict = judged(EVENTS, changed=done)
    assert (verdict.reached, verdict.unasked) == (False, 1)
    assert verdict.changed == done.data()
    success = judged(EVENTS, DialogueTarget(effects=done.data()), done)
    assert (success.reached, success.unasked, success.changed) == (True, 0, {})
    either = judged(EVENTS, DialogueTarget(others=(done.data(),)), done)
    assert (either.reached, either.unasked) == (True, 0)


def test_values_are_told_in_any_of_their_forms() -> None:
    born = AgentTurn("You were born on the 3rd of May 1990.", {"birth_date": ["1990-05-03"]})
    assert says(PROGRAM, [born], DueValue("birth_date", "1990-05-03"))
    assert says(PROGRAM, [AgentTurn("It is 1204.", {"Balance": [1204]})], DueValue("Balance", 1204))
    balance = DueValue("Balance", 1204)
    assert not says(PROGRAM, [AgentTurn("It is 12045.", {"Balance": [1204]})], balance)
    assert not says(PROGRAM, [AgentTurn("It is 1204.", {"Balance": [1205]})], balance)
    assert not says(PROGRAM, [AgentTurn("It is not 1204.", {"Balance": [1204]})], balance)
    many = AgentTurn(", ".join(map(str, range(1200, 1210))), {"Balance": [*range(1200, 1210)]})
    assert not says(PROGRAM, [many], balance)


def test_replies_without_a_label_keep_to_the_flow_by_their_words() -> None:
    bare = [
        replace(e, layers=()) if isinstance(e, Utterance) and e.agent == SYSTEM else e
        for e in EVENTS
    ]
    assert judged(bare).kept == judged(EVENTS).kept


def test_a_user_who_leaves_early_is_at_fault() -> None:
    place = next(n for n, e in enumerate(EVENTS) if isinstance(e, Utterance) and e.agent == SYSTEM)
    assert judged(EVENTS[: place + 1]).faults == ("leaves",)


def test_a_user_who_says_another_value_is_at_fault() -> None:
    other = UserSeat((SIMULATOR,), seed_of(3, 8), seed_of(3, 1))
    goal = {"values": {**other.goal["values"]}}
    verdict = judge([PROGRAM], EVENTS, ENDED, TARGET, {}, goal)
    assert "contradicts" in verdict.faults or "invents" in verdict.faults
