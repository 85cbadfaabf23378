from __future__ import annotations

import pytest

from dialoom.errors import UsageError
from dialoom.schema.pack import starter
from dialoom.schema.yaml.reading import check_text
from tests.make import refuses


@pytest.mark.parametrize("name", ["pizza_order", "x", "a1_b"])
def test_a_new_file_passes_the_check_without_a_warning(name: str) -> None:
    text = starter(name)
    assert check_text(text, "t") == []
    assert f"\ntask: {name} " in text
    assert "my_task" not in text


@pytest.mark.parametrize("name", ["", "Pizza", "pizza order", "1st", "a" * 61, "../x", "a\nb"])
def test_other_names_are_refused(name: str) -> None:
    with refuses(UsageError, "bad-name", "lower_snake_case"):
        starter(name)
