"""Constraints as plain parameters: only equality can be written, and nothing else becomes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Constraint, Dialogue, Query, Result, Utterance
from dialoom.formats.base import parameters

EQUAL = Constraint("dock", "equal", ("East",))
ONE_OF = Constraint("day", "one_of", ("Monday", "Tuesday"))
OTHERS = (
    Constraint("port", "not", ("Nord",)),
    Constraint("seats", "greater", (4,)),
    Constraint("boat", "equal", ()),
    Constraint("speed", None, (), "api.is_equal_to()"),
)


def test_only_equality_is_written() -> None:
    note = Constraint("extras", None, (), '["oars"]')
    later = Constraint("dock", "equal", ("West",))
    written = parameters.write((*OTHERS, EQUAL, ONE_OF, note, later))
    assert written == {"dock": "East", "day": ["Monday", "Tuesday"], "extras": '["oars"]'}
    assert tuple(parameters.read({"dock": "East", "day": ["Monday", "Tuesday"], "no": {}})) == (
        EQUAL,
        ONE_OF,
    )


@pytest.mark.parametrize("name", ["convlab", "frames", "sgd", "gem"])
def test_what_a_query_excludes_is_not_asked_for(name: str, tmp_path: Path) -> None:
    query = Query(id="1", api="hire", service="hire", constraints=(*OTHERS, EQUAL, ONE_OF))
    dialogue = Dialogue(
        id="1",
        services=("hire",),
        events=(
            Utterance(agent=USER, text="Anywhere but Nord."),
            query,
            Result(query="1", items=({"Boat": "Gull"},)),
            Utterance(agent=SYSTEM, text="The Gull."),
        ),
    )
    formats.get(name).write([dialogue], {}, tmp_path)
    [back] = formats.load(tmp_path, name).dialogues()
    [call] = [event for event in back.events if isinstance(event, Query)]
    assert set(call.constraints) == {EQUAL, ONE_OF}  # SGD sorts them
