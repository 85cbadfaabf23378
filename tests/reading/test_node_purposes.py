"""What the user's nodes of a flow are for."""

from __future__ import annotations

import pytest

from dialoom.flow.program import program_of
from dialoom.reading.purpose import purposes
from dialoom.schema import pack


@pytest.mark.parametrize("name", pack.names())
def test_only_nodes_of_the_user_have_a_purpose_and_the_one_that_opens_opens(name: str) -> None:
    program = program_of(pack.load(name))
    aims = purposes(program)
    assert all(not aims[step.name] for step in program.steps.values() if step.kind != "user")
    assert {aims[step.name] for step in program.openings} == {"open"}


def test_purposes_follow_from_the_flow_and_from_cues() -> None:
    program = program_of(pack.load("restaurant_book"))
    aims = purposes(program)
    for step in program.steps.values():
        if step.kind == "user" and step.node.corrects:
            assert aims[step.name] == "correct"
    assert {"open", "give", "yes"} <= {*aims.values()}
