"""The soak's own checks can fail: each is shown what it has to find."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom.collect.kinds.room.sounds import SOUND
from dialoom.collect.log.change import Change
from dialoom.collect.log.record import Answered, Closed, Departed, Opened, Record
from dialoom.collect.log.store import Store
from dialoom.dialogue import SYSTEM, USER, Utterance
from tests.collect.studied import Played
from tests.soak.invariants import violations
from tests.soak.replays import differences
from tests.soak.world import World


@pytest.fixture(scope="module")
def played() -> Played:
    """Give a study with a dialogue that is over and one that is not."""
    played = Played()
    played.dialogue("w1", "w2")
    played.ready("w3", "user")
    played.ready("w4", "wizard")
    return played


def kept(folder: Path, played: Played, records: list[Record]) -> str:
    """Write a study with these records; return where it is."""
    where = str(folder / "study.sqlite")
    with Store.open(where) as store:
        store.submit(Change(tuple(records), tuple(played.claims))).result()
    return where


def first(records: list[Record], body: type, which: int = 0) -> int:
    """Return the place of the first record of a kind, or of one after it."""
    return [place for place, record in enumerate(records) if isinstance(record.body, body)][which]


def seen(played: Played) -> World:
    """Return what the user of the first room was shown there: its first event."""
    opened = played.log[first(played.log, Opened)]
    return World(shown={(1, "user"): {1: (opened.time, "opened", None, None)}})


def test_all_is_well(tmp_path: Path, played: Played) -> None:
    clients = [record.client for record in played.log if record.client]
    world = seen(played)
    world.acknowledged.update(clients)
    world.refused.add("never there")
    where = kept(tmp_path, played, played.log)
    assert violations(where, world, range(0)) == ([], len(played.log))


@pytest.mark.parametrize(
    ("told", "what"),
    [
        ({"acknowledged": {"m-1"}}, "message m-1 was acknowledged and is lost"),
        ({"refused": {"c-1"}}, "message c-1 was refused and is there"),
        ({"brought": {"3f"}}, "sound 3f was taken and is lost"),
        ({"shown": {(1, "user"): {2: (0, "say", "Hi", None)}}}, "was shown events [2]"),
        ({"shown": {(1, "user"): {1: (0, "say", "Hi", None)}}}, "; the log has "),
        ({"shown": {(9, "wizard"): {1: (0, "opened", None, None)}}}, "which is not in the log"),
    ],
)
def test_what_people_were_told_is_not_so(
    tmp_path: Path, played: Played, told: dict[str, Any], what: str
) -> None:
    faults, _ = violations(kept(tmp_path, played, played.log), World(**told))
    assert any(what in line for line in faults), faults


def other_agent(records: list[Record]) -> None:
    place = first(records, Utterance)
    records[place] = msgspec.structs.replace(
        records[place], body=Utterance(agent=SYSTEM, text="I am first.")
    )


def twice(records: list[Record]) -> None:
    place = first(records, Utterance, 1)
    records[place] = msgspec.structs.replace(
        records[place], client=next(record.client for record in records if record.client)
    )


def after_the_end(records: list[Record]) -> None:
    closed = records[first(records, Closed)]
    body = Utterance(agent=USER, text="And one thing more.")
    records.append(msgspec.structs.replace(closed, seq=closed.seq + 1, body=body))


def lost(records: list[Record]) -> None:
    last = records[first(records, Opened, 1)]
    seq = sum(record.stream == last.stream for record in records) + 1
    body = Departed(role="user", cause="lost")
    records.append(msgspec.structs.replace(last, seq=seq, body=body, author="server"))


def seated_twice(records: list[Record]) -> None:
    place = first(records, Opened, 1)
    user = records[place].body
    assert isinstance(user, Opened)
    body = msgspec.structs.replace(user, seats={"user": 4, "wizard": 4})
    records[place] = msgspec.structs.replace(records[place], body=body)


def nothing_brought(records: list[Record]) -> None:
    place = first(records, Utterance)
    extra = {SOUND: {"Digest": "3f", "Media": "audio/wav", "Seconds": 1.0}}
    body = Utterance(agent=USER, text="", extra=extra)
    records[place] = msgspec.structs.replace(records[place], body=body)


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        (nothing_brought, "sound 3f is said 1 times"),
        (other_agent, "speaks out of turn"),
        (twice, "is there 2 times"),
        (after_the_end, "Utterance follows the end"),
        (lost, "lost at "),
        (seated_twice, "w4 got a seat in unit/2, and has one in unit/2"),
    ],
)
def test_what_may_not_be_in_a_log(
    tmp_path: Path, played: Played, harm: Callable[[list[Record]], None], what: str
) -> None:
    records = list(played.log)
    harm(records)
    always = range(1 << 50)
    faults, _ = violations(kept(tmp_path, played, records), World(), always)
    assert any(what in line for line in faults), faults


def test_two_ways_to_replay_that_differ(
    tmp_path: Path, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = kept(tmp_path, played, played.log)
    assert list(differences(where)) == []
    needed = Store.needed

    def without_answers(store: Store) -> Iterator[Record]:
        return (
            record
            if not isinstance(record.body, Answered)
            else msgspec.structs.replace(record, body=Answered(role=record.body.role, answers={}))
            for record in needed(store)
        )

    monkeypatch.setattr(Store, "needed", without_answers)
    faults = list(differences(where))
    assert any(line.startswith("units, as it is opened: unit/1") for line in faults), faults
    assert any(line.startswith("units, from sums alone: unit/1") for line in faults), faults
