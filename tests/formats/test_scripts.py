"""Dialogues as plain text."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom import formats
from dialoom.errors import FormatError
from dialoom.formats.scripts import read


def test_sections_of_a_script_are_said_by_their_speakers() -> None:
    (dialogue,) = read(b"booking\n\n#me\nA table.\n\n#bot\nFor when?\n", Path("a.txt"), "a.txt")
    assert [(e.agent, e.text) for e in dialogue.events] == [  # type: ignore[union-attr]
        ("user", "A table."),
        ("system", "For when?"),
    ]


def test_a_section_that_nobody_says_is_refused_and_not_left_out() -> None:
    with pytest.raises(FormatError) as error:
        list(read(b"#me\nA table.\n\n#include\nothers\n", Path("a.txt"), "a.txt"))
    assert "include" in str(error.value)


def test_lines_that_end_in_two_characters_are_recognised(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    chatml = "<|im_start|>user\nHi.\nHo.<|im_end|>\n<|im_start|>assistant\nHey.<|im_end|>\n"
    file.write_bytes(chatml.replace("\n", "\r\n").encode())
    (dialogue,) = formats.load(file).dialogues()
    assert [e.text for e in dialogue.events] == ["Hi.\nHo.", "Hey."]  # type: ignore[union-attr]


def test_line_ends_are_unescaped_in_texts_and_labels() -> None:
    line = rb"text:hi\nyou" + b"\t" + rb"labels:hey\nyou|no" + b"\tepisode_done:True\n"
    (dialogue,) = read(line, Path("a.txt"), "a.txt")
    assert [e.text for e in dialogue.events] == ["hi\nyou", "hey\nyou"]  # type: ignore[union-attr]
