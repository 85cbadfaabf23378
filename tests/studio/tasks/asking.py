"""Requests about a task of the studio."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from dialoom.schema import pack

HOTEL = pack.text("hotel_book")


def asked(client: TestClient, what: str, text: str = HOTEL, **more: Any) -> Any:
    answer = client.post(
        f"/api/tasks/{what}", json={"path": "hotel_book.yaml", "text": text, **more}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()
