"""Settings given as NAME=VALUE texts: what is taken, and what a refusal says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from msgspec import Meta

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.settings import read, types_of
from dialoom.errors import UnknownNameError, UsageError
from dialoom.models import MODELS
from tests.make import refuses


@dataclass(frozen=True)
class Settings:
    """A setting of each type."""

    number: Annotated[int, Meta(ge=0)] | None = None
    share: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    turns: Annotated[tuple[Annotated[int, Meta(ge=1, le=9)], ...], Meta(min_length=1)] = (1,)
    form: Literal["coded", "mask"] | None = None
    acts: bool = False


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("number=-1", "'-1' should be a whole number of at least 0"),
        ("share=1", "'1' should be a number above 0 and below 1"),
        ("turns=", "'' should be a whole number from 1 to 9, several with commas between"),
        ("turns=1,10", "'1,10' should be a whole number from 1 to 9, several with commas between"),
        ("acts=perhaps", "'perhaps' should be yes or no"),
    ],
)
def test_a_refusal_says_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(Settings, [text], "setting of a test")
    assert str(caught.value) == f"setting of a test {text.partition('=')[0]}: {said}"


def test_a_listed_value_is_refused_with_the_list() -> None:
    with refuses(UnknownNameError, "unknown-name", "coded", "mask"):
        read(Settings, ["form=masked"], "setting of a test")


def test_values_are_read_by_their_types() -> None:
    values = read(Settings, ["number=3", "turns=2,3", "turns=4", "acts=yes"], "setting of a test")
    assert values == {"number": 3, "turns": (2, 3, 4), "acts": True}


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_no_setting_takes_a_number_without_end(value: str) -> None:
    owners = [PROTOCOLS.get(name).settings for name in PROTOCOLS]
    models = [MODELS.get(name) for name in MODELS]
    for owner in [*owners, *models]:
        for name in (name for name, type_ in types_of(owner).items() if "float" in str(type_)):
            with pytest.raises(UsageError):
                read(owner, [f"{name}={value}"], "setting")
