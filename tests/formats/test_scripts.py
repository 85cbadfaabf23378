"""Dialogues as plain text."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.errors import FormatError
from dialoom.formats.scripts import read


def test_sections_of_a_script_are_said_by_their_speakers() -> None:
    (found,) = read(b"booking\n\n#me\nA table.\n\n#bot\nFor when?\n", Path("a.txt"), "a.txt")
    assert [(e.agent, e.text) for e in found.events] == [  # type: ignore[union-attr]
        ("user", "A table."),
        ("system", "For when?"),
    ]


def test_a_section_that_nobody_says_is_refused_and_not_left_out() -> None:
    with pytest.raises(FormatError) as error:
        list(read(b"#me\nA table.\n\n#include\nothers\n", Path("a.txt"), "a.txt"))
    assert "include" in str(error.value)
