"""The admin's changes of items while a study runs: added, withdrawn, given out earlier or later.

listed(study)                                        # a row for each item of people alone
arrange(study, "judge-7", now, withdrawn=True)
add(study, "judge", [{"id": "8", "context": […], "outputs": {…}}], now)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import DocumentKind
from dialoom.collect.log.change import Change
from dialoom.collect.log.record import STUDY, Arranged, Offered
from dialoom.collect.message import Refused
from dialoom.collect.study.study import Study
from dialoom.collect.study.transaction import ADMIN
from dialoom.errors import FormatError, clip

LOWEST, HIGHEST = -1000, 1000
"""The bounds of a priority."""


def _stages(study: Study) -> dict[str, DocumentKind]:
    kinds = study.state.kinds
    found = {each.name: kinds[each.name] for each in study.state.stages}
    return {name: kind for name, kind in found.items() if isinstance(kind, DocumentKind)}


def listed(study: Study) -> Iterator[dict[str, Any]]:
    """Yield a row for each item that was offered so far in stages of people who work alone."""
    for stage in _stages(study):
        for row in study.state.pool.rows(stage):
            yield {"stage": stage, **row}


def arrange(
    study: Study, item: str, now: int, *, priority: int | None = None, withdrawn: bool | None = None
) -> Change:
    """Set the priority of an item, or withdraw it, or take that back; None changes nothing.

    Units that are under way or complete stay.

    Raises:
        Refused: `unknown`, or `bad_value`: the priority is out of range.
    """
    stages = (stage for stage in _stages(study) if item.startswith(f"{stage}-"))
    if not any(study.pairing.until(stage, item, now) for stage in stages):
        raise Refused("unknown", f"there is no item {clip(item)!r}")
    if priority is not None and not LOWEST <= priority <= HIGHEST:
        what = f"a priority is from {LOWEST} to {HIGHEST}"
        raise Refused("bad_value", what, field="priority")
    row = study.state.pool.row(item)
    body = Arranged(
        item=item,
        priority=row["priority"] if priority is None else priority,
        withdrawn=row["withdrawn"] if withdrawn is None else withdrawn,
    )
    study.transaction.write(STUDY, ADMIN, body, now)
    study.pairing.pair_all(now)
    return study.transaction.take()


def add(study: Study, stage: str, values: Sequence[Any], now: int) -> Change:
    """Add items to a stage: lines of a file of outputs, or native dialogues, as JSON values.

    Raises:
        Refused: `unknown`: there is no such stage; `bad_value`: a value is not an item; then
            nothing is added.
    """
    kind = _stages(study).get(stage)
    if kind is None:
        raise Refused("unknown", f"there is no stage {clip(stage)!r} of people who work alone")
    try:
        made = [each for value in values for each in kind.added(value)]
    except FormatError as error:
        raise Refused("bad_value", str(error)) from error
    for number, (content, key) in enumerate(made, start=study.state.pool.added[stage] + 1):
        item = kind.item(number, content, key)
        item = replace(item, id=f"{stage}-added-{number}", added=True)
        study.transaction.write(STUDY, ADMIN, Offered(msgspec.to_builtins(item)), now)
    study.pairing.pair_all(now)
    return study.transaction.take()
