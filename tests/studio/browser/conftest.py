"""A studio that is served, and somebody in front of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dialoom.serve.server import address, listen
from dialoom.studio.app import create_app
from tests.serve.browser.conftest import chromium, people
from tests.serve.served import running
from tests.studio.conftest import TOKEN, folder

__all__ = ["chromium", "folder", "people"]

Link = Callable[..., str]


@pytest.fixture
def link(folder: Path) -> Iterator[Link]:
    """Give a function that returns the link to a place of a served studio."""
    app = create_app(folder, TOKEN)
    with listen("127.0.0.1", 0) as listening, running(app, listening):
        yield lambda place="": f"{address(listening)}/?token={TOKEN}#/{place}"
