"""A Ray cluster: joined where one is running, else started on this machine.

    with joined(workers=8):
        ray.get(task.remote())

Takes the cluster that this process is connected to, else the one that `RAY_ADDRESS` names, else
starts one here and ends it afterwards.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray

from dialoom.errors import UsageError

ADDRESS = "RAY_ADDRESS"
"""Ray's own variable for a cluster that is running."""

STORE = 100 * 1024 * 1024
"""Bytes of shared memory of a cluster of our own: shards go to files, and jobs are small."""

PATIENCE = 10.0
"""Seconds that a cluster may take to answer."""


@contextmanager
def joined(workers: int) -> Iterator[None]:
    """Be connected to a cluster while the block runs.

    Args:
        workers: Processes of a cluster that is started here.

    Raises:
        UsageError: There is none where `RAY_ADDRESS` says.
    """
    if ray.is_initialized():
        yield
        return
    _connect(workers)
    try:
        yield
    finally:
        ray.shutdown()


def _connect(workers: int) -> None:
    """Join the cluster that the environment names, or start one here."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    ended = signal.getsignal(signal.SIGTERM)  # Ray puts its own in the place of ours
    try:
        if address := os.environ.get(ADDRESS):
            _knock(address)
            ray.init(address=address, **quiet)
        else:
            ray.init(
                address="local",
                num_cpus=workers,
                object_store_memory=STORE,
                include_dashboard=False,
                **quiet,
            )
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"no Ray cluster to work on: {error}; see {ADDRESS}") from error
    finally:
        signal.signal(signal.SIGTERM, ended)


def _knock(address: str) -> None:
    """Fail at once where nobody listens: Ray itself tries for minutes.

    Raises:
        OSError: Nobody does.
    """
    host, _, port = address.rpartition(":")
    if host and port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
