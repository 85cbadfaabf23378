"""The server beside what its process has already."""

from __future__ import annotations

import logging

from starlette.applications import Starlette

from dialoom.errors import UsageError
from dialoom.serve.server import listen, server
from tests.make import refuses


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


def test_a_host_of_another_machine_is_no_matter_of_the_port() -> None:
    with refuses(UsageError, "no-address", "choose another --host"):
        listen("192.0.2.1", 0)
