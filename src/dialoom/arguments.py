"""Checks arguments of functions that people call from Python, by their annotations.

    @checked
    def sample(self, number: Annotated[int, Meta(ge=1)], seed: int = 0) -> Self: ...

A wrong argument is then one line that names it, and not a traceback from inside. Annotations that
are imported for type checkers alone, and protocols, are not checked.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache, partial, wraps
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import Meta

from dialoom.errors import UsageError, check_name, clip

P = ParamSpec("P")
R = TypeVar("R")

Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0)]

WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "True or False",
    Path: "a path",
    NoneType: "None",
    Any: "anything",
}
"""Types in words."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that raises `UsageError` for arguments of another name, type or range."""
    signature = inspect.signature(function)
    formals = {name: each for name, each in signature.parameters.items() if name != "self"}
    open_ended = any(each.kind is each.VAR_KEYWORD for each in formals.values())

    @wraps(function)
    def call(*positionals: P.args, **keywords: P.kwargs) -> R:
        for name in () if open_ended else keywords:
            check_name(f"argument of {function.__name__}", name, formals)
        hints = _hints(function)
        for name, value in signature.bind(*positionals, **keywords).arguments.items():
            if name in hints and not fits(value, hints[name]):
                place = f"{function.__name__}({name}={clip(repr(value))})"
                code = "out-of-range" if fits(value, hints[name], ranges=False) else "wrong-type"
                raise UsageError(f"{place}: expected {expected(hints[name])}", code=code)
        return function(*positionals, **keywords)

    return call


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of the single parameters of a function, where they can be resolved."""
    hints: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        alone = type(name, (), {"__annotations__": {name: parameter.annotation}})
        with suppress(NameError):  # imported for type checkers alone
            hints |= get_type_hints(alone, function.__globals__, include_extras=True)
    return hints


def fits(value: Any, hint: Any, *, ranges: bool = True) -> bool:
    """True if a value is of a type, and within its range unless ranges are ignored."""
    kind, inner = get_origin(hint), get_args(hint)
    inside = partial(fits, ranges=ranges)
    if kind is Annotated:
        limits = (limit for limit in inner[1:] if ranges and isinstance(limit, Meta))
        return inside(value, inner[0]) and all(_within(value, limit) for limit in limits)
    if kind in (Union, UnionType):
        return any(inside(value, part) for part in inner)
    if kind is not None:
        return _holds(value, kind, inner, inside)
    if hint in (int, float):
        number = isinstance(value, Integral if hint is int else Real)
        return number and not isinstance(value, bool) and value == value  # no NaN
    plain = isinstance(hint, type) and not getattr(hint, "_is_protocol", False)
    return not plain or hint in (Any, inspect.Parameter.empty) or isinstance(value, hint)


def _holds(
    value: Any, kind: Any, inner: tuple[Any, ...], inside: Callable[[Any, Any], bool]
) -> bool:
    """True if a value is a function, or a container of a kind with such items."""
    if not isinstance(value, kind) or isinstance(value, str | bytes):
        return False
    if issubclass(kind, Mapping):
        return all(inside(k, inner[0]) and inside(v, inner[1]) for k, v in value.items())
    if isinstance(value, Sequence | Set):
        return all(inside(each, inner[0]) for each in value)
    return True  # what can be read once is not read here


def _within(value: Any, limit: Meta) -> bool:
    return (
        (limit.ge is None or value >= limit.ge)
        and (limit.gt is None or value > limit.gt)
        and (limit.le is None or value <= limit.le)
        and (limit.lt is None or value < limit.lt)
    )


def expected(hint: Any) -> str:
    """Return a type in words."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind is Annotated:
        limits = [range_of(limit) for limit in inner[1:] if isinstance(limit, Meta)]
        return " ".join([expected(inner[0]), *filter(None, limits)])
    if kind in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(expected, inner)))
    if kind is Callable:
        return "a function"
    if kind is not None:
        noun = "a mapping" if issubclass(kind, Mapping) else "a list"
        return f"{noun} ({' to '.join(map(expected, inner))})"
    return WORDS.get(hint) or f"a {getattr(hint, '__name__', hint)}"


def range_of(limit: Meta) -> str:
    """Return the range of a number in words; empty where it has no ends."""
    if limit.ge is not None and limit.le is not None:
        return f"from {limit.ge} to {limit.le}"
    ends = {
        "of at least": limit.ge,
        "above": limit.gt,
        "of at most": limit.le,
        "below": limit.lt,
    }
    return " and ".join(f"{words} {end}" for words, end in ends.items() if end is not None)
