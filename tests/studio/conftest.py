"""A folder with tasks, and a client of its studio that has the token."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from dialoom.schema import pack
from dialoom.studio.app import create_app

TOKEN = "a-token-of-the-tests"
BASE = "http://127.0.0.1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a task, and a secret outside of it."""
    place = tmp_path / "work"
    place.mkdir()
    (place / "weather.yaml").write_text(pack.text("weather"), encoding="utf-8")
    (tmp_path / "secret.yaml").write_text("task: secret\n")
    (tmp_path / "secret.csv").write_text("Day\nsecret\n")
    return place


@pytest.fixture
def stranger(folder: Path) -> Iterator[TestClient]:
    """Give a client without the token."""
    app = create_app(folder, TOKEN)
    with TestClient(app, BASE, raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


@pytest.fixture
def client(stranger: TestClient) -> TestClient:
    """Return a client with the token."""
    stranger.headers["Authorization"] = f"Bearer {TOKEN}"
    return stranger
