"""The error tree: one line each, with the place; and what it is to Python."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import errors
from dialoom.errors import (
    DialoomError,
    FormatError,
    MissingDataError,
    MissingExtraError,
    OutputError,
    SchemaError,
    UnknownNameError,
    UsageError,
    clip,
    needs_extra,
)


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (UsageError, ValueError),
        (UnknownNameError, LookupError),
        (MissingDataError, FileNotFoundError),
        (MissingExtraError, ImportError),
        (FormatError, ValueError),
        (SchemaError, FormatError),
        (OutputError, OSError),
    ],
)
def test_every_error_is_ours_and_pythons(
    error: type[DialoomError], builtin: type[Exception]
) -> None:
    assert issubclass(error, DialoomError)
    assert issubclass(error, builtin)


def test_the_docstring_draws_the_whole_tree() -> None:
    ours = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, DialoomError)
    }
    tree = {word for word in (errors.__doc__ or "").split() if word.endswith("Error")}
    assert ours == tree


HELPERS = ("error", "failed", "_failed")
"""Methods that make an error of a message and a code."""


def text_of(node: ast.expr) -> tuple[str, ...]:
    """Return the text that a node spells out, if it does."""
    return (node.value,) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ()


def written_codes() -> Iterator[str]:
    """Yield the codes that the source gives to errors, and those of the error classes."""
    for path in Path(errors.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                if name.endswith("Error") or name in HELPERS:
                    yield from (
                        c for k in node.keywords if k.arg == "code" for c in text_of(k.value)
                    )
                if name in HELPERS and len(node.args) == 2:
                    yield from text_of(node.args[1])
            elif isinstance(node, ast.ClassDef) and node.name.endswith("Error"):
                set_ = (each.value for each in node.body if isinstance(each, ast.Assign))
                yield from (code for value in set_ for code in text_of(value))


def test_every_code_has_a_meaning_and_is_used() -> None:
    assert set(written_codes()) == set(errors.CODES)
    assert list(errors.CODES) == sorted(errors.CODES)


@pytest.mark.parametrize(
    "error",
    [
        UsageError("no such day"),
        UnknownNameError("format", "stra", ["star", "sgd"]),
        MissingDataError("star: not there", code="no-files"),
        MissingExtraError("the model", "neural"),
        FormatError("a.json", "empty", dialogue="7", event=3),
        OutputError("a.json: cannot be written"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_of_a_worker_process_is_the_same_here(error: DialoomError) -> None:
    here = pickle.loads(pickle.dumps(error))
    assert type(here) is type(error)
    assert str(here) == str(error)
    assert vars(here) == vars(error)


def test_a_format_error_carries_its_place() -> None:
    error = FormatError(Path("dialogues/7.json"), "no such act", dialogue="7", event=3)
    assert str(error) == "dialogues/7.json, dialogue 7, event 3: no such act"
    assert (error.path, error.dialogue, error.event) == ("dialogues/7.json", "7", 3)
    assert str(FormatError("a.json", "empty")) == "a.json: empty"
    error = FormatError("a.yaml", "no such key", line=3, column=5)
    assert str(error) == "a.yaml, line 3, column 5: no such key"
    assert (error.what, error.line, error.column) == ("no such key", 3, 5)


@given(st.text(), st.text(max_size=40), st.integers())
def test_a_message_is_one_line(what: str, dialogue: str, event: int) -> None:
    for error in (
        FormatError("a.json", what, dialogue=dialogue, event=event),
        UnknownNameError("format", what, ["star", "sgd"]),
    ):
        assert len(str(error).splitlines()) == 1
        assert len(str(error)) < 700


def test_an_unknown_name_lists_close_ones() -> None:
    assert str(UnknownNameError("format", "sdg", {"star", "sgd"})) == (
        "unknown format 'sdg': did you mean sgd? known: sgd, star"
    )
    assert str(UnknownNameError("format", "x", [])) == "unknown format 'x': known: none"


def test_a_missing_extra_prints_the_command() -> None:
    assert str(MissingExtraError("the follower", "models")) == (
        "the follower needs more libraries: pip install 'dialoom[models]'"
    )
    with pytest.raises(MissingExtraError) as caught, needs_extra("a server", "mcp"):
        raise ModuleNotFoundError(name="anyio.streams")
    assert (caught.value.feature, caught.value.extra) == ("a server", "mcp")
    with pytest.raises(ModuleNotFoundError), needs_extra("mcp", "mcp"):
        raise ModuleNotFoundError(name="dialoom.nosuch")  # a bug of ours


@given(st.text(), st.integers(1, 50))
def test_clip_gives_one_short_line(text: str, limit: int) -> None:
    short = clip(text, limit)
    assert len(short) <= limit
    assert len(short.splitlines()) <= 1
    assert clip("a  b\n c") == "a b c"
    assert clip("abcdef", 4) == "abc…"
