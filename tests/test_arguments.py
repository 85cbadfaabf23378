"""Arguments of functions that people call from Python are checked by their annotations."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pytest
from msgspec import Meta

import dialoom
from dialoom.arguments import Positive, Share, checked, expected
from dialoom.errors import UnknownNameError, UsageError
from tests.make import refuses

if TYPE_CHECKING:
    from dialoom.dialogue import Nothing  # type: ignore[attr-defined]

SAMPLE = Path(__file__).parents[1] / "examples" / "sample"


@checked
def bake(
    what: str | Path,
    number: Positive = 1,
    *,
    heat: Annotated[float, Meta(gt=0, le=300)] = 200.0,
    shares: Mapping[str, Share] | None = None,
    names: Sequence[str] = (),
    once: Iterable[str] = (),
    done: Callable[[], None] | None = None,
    loud: bool = False,
    other: Nothing = None,
    anything: Any = None,
) -> int:
    """Bake."""
    return number


RIGHT: list[dict[str, Any]] = [
    {"what": Path("x"), "number": np.int64(3), "heat": 3, "names": ("a",), "once": {"a"}},
    {"what": "x", "shares": {"a": 0.5, "b": 0}, "done": print, "loud": True, "other": 7},
    {"what": "x", "once": iter([1]), "anything": print},
]

WRONG: list[tuple[str, Any, str]] = [
    ("what", 5, "wrong-type"),
    ("what", None, "wrong-type"),
    ("number", 0, "out-of-range"),
    ("number", "3", "wrong-type"),
    ("number", True, "wrong-type"),
    ("number", 1.5, "wrong-type"),
    ("heat", 0, "out-of-range"),
    ("heat", 301, "out-of-range"),
    ("heat", float("nan"), "wrong-type"),
    ("shares", {"a": -1}, "out-of-range"),
    ("shares", {1: 1}, "wrong-type"),
    ("shares", [("a", 1)], "wrong-type"),
    ("names", "ab", "wrong-type"),
    ("names", ["a", 1], "wrong-type"),
    ("once", "ab", "wrong-type"),
    ("done", "print", "wrong-type"),
    ("loud", 1, "wrong-type"),
]


@pytest.mark.parametrize("named", RIGHT)
def test_right_arguments_are_handed_on(named: dict[str, Any]) -> None:
    assert bake(**named) == named.get("number", 1)


@pytest.mark.parametrize(("name", "value", "code"), WRONG)
def test_a_wrong_argument_is_named(name: str, value: Any, code: str) -> None:
    with refuses(UsageError, code, "bake", name):
        bake(**{"what": "x", name: value})


def test_an_unknown_name_is_close_to_a_known_one() -> None:
    with refuses(UnknownNameError, "unknown-name", "number"):
        bake("x", nmber=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        bake()  # type: ignore[call-arg]


def test_an_object_itself_is_no_known_argument() -> None:
    class Oven:
        @checked
        def heat(self, degrees: int = 0) -> None: ...

    with refuses(UnknownNameError, "unknown-name", "known: degrees") as caught:
        Oven().heat(bogus=1)  # type: ignore[call-arg]
    assert caught.value.known == ["degrees"]


def test_types_are_said_in_words() -> None:
    assert expected(Positive) == "a whole number of at least 1"
    assert expected(Annotated[float, Meta(ge=0, le=1)]) == "a number from 0 to 1"
    assert expected(Mapping[str, Any]) == "a mapping (a text to anything)"
    assert expected(str | Path | None) == "a text or a path or None"
    assert expected(Sequence[str]) == "a list (a text)"
    assert expected(Callable[[int], str]) == "a function"


@pytest.mark.parametrize("name", ["evaluate", "load", "load_task", "play", "publish", "score"])
def test_functions_of_the_surface_are_checked(name: str) -> None:
    function = getattr(dialoom, name)
    with refuses(UnknownNameError, "unknown-name", "nonsense"):
        function(nonsense=1)
    assert "nonsense" not in inspect.signature(function).parameters


def test_functions_of_a_corpus_are_checked(tmp_path: Path) -> None:
    corpus = dialoom.load(SAMPLE)
    with refuses(UsageError, "out-of-range", "workers"):
        corpus.convert("chat", tmp_path / "out", workers=-1)
    with refuses(UsageError, "out-of-range", "number"):
        corpus.sample(0)
    with refuses(UsageError, "out-of-range", "shares"):
        corpus.split({"a": -1, "b": 2})
    with refuses(UsageError, "out-of-range", "shares"):
        corpus.split({"a": 0})
    assert not (tmp_path / "out").exists()
