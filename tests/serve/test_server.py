"""The server beside what its process has already."""

from __future__ import annotations

import logging

from starlette.applications import Starlette

from dialoom.serve.server import server


class Watched(logging.Handler):
    """A log handler that tells whether it was closed."""

    closed = False

    def close(self) -> None:
        self.closed = True
        super().close()


def test_log_handlers_of_the_process_stay_open() -> None:
    """Some close what they write to as well: absl's, which rouge-score brings."""
    handler = Watched()
    server(Starlette())
    assert not handler.closed
