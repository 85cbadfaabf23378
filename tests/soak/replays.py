"""A study is the same whichever way its log is replayed: whole, or without what was said before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from unittest.mock import patch

from dialoom.collect.log import reader
from dialoom.collect.log.record import Record, Role, unit_stream
from dialoom.collect.studies import open_study
from dialoom.collect.study import dashboard, page
from dialoom.collect.study.study import Study
from dialoom.collect.unit import WorkUnit


def differences(where: str) -> Iterator[str]:
    """Yield what a study that starts from the sums of its rooms knows otherwise than from all."""
    with open_study(where, None, 0) as opened:
        records = list(opened.store.records())
        whole = Study(opened.study.settings, opened.library)
        for record in records:
            whole.state.apply(record)
        with patch.object(reader, "RECENT", 0):
            sums = opened.replay()
    facts = _known(whole, records)
    for way, study in (("as it is opened", opened.study), ("from sums alone", sums)):
        short = _known(study, records)
        for name, value in facts.items():
            if short[name] != value:
                yield f"{name}, {way}: {_difference(value, short[name])}"


def _seen(unit: WorkUnit, role: Role) -> list[dict[str, Any]]:
    """Return the events of a unit that a role sees."""
    return [] if unit.work is None else unit.work.events.since(role)


def _known(study: Study, records: Sequence[Record]) -> dict[str, Any]:
    """Return all that a study tells and goes by."""
    state, now = study.state, records[-1].time if records else 0
    seats = {one: seat for one in state.live if (seat := study.seat(one)) is not None}
    return {
        "records": state.records,
        "dashboard": dashboard.state(study, now),
        "states": {number: page.state(study, number, now) for number in state.assignments},
        "seen": {number: _seen(*seat) for number, seat in seats.items()},
        "seqs": {stream: state.next_seq(stream) for stream in {r.stream for r in records}},
        "units": {
            unit_stream(number): (one.outcome, one.last, one.live, one.answers, one.departed)
            for number, one in state.units.items()
        },
        "workers": state.workers,
        "offers": vars(state.pool),
        "codes": state.codes,
        "invites": state.invites,
    }


def _difference(one: Any, other: Any) -> str:
    """Return where two values differ first."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *other]:
            if one.get(key) != other.get(key):
                return f"{key}: {_difference(one.get(key), other.get(key))}"
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (mine, its) in enumerate(zip(one, other, strict=True)):
            if mine != its:
                return f"{place}: {_difference(mine, its)}"
    return f"{one!r:.200} and {other!r:.200}"
