"""Labels of spans that name a service and its argument, as Taskmaster-1 has them.

    read("pizza_ordering.size.pizza.accept", {"pizza_ordering"})
    # Label("pizza_ordering", "size.pizza", "accept")

A label is `<service>.<argument>`, with or without a final `.accept` or `.reject`;
`<service>.accept` is about the whole transaction, and a label may leave the service out.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

ACCEPT, REJECT = "accept", "reject"
"""Endings of a label: whether the transaction ended with this value or without it."""


class Label(NamedTuple):
    """The parts of a label: no argument is the whole transaction, `ending` accepts or rejects."""

    service: str | None
    argument: str
    ending: str


def read(label: str, services: Collection[str]) -> Label:
    """Return a label's parts; a first part that is not in `services` belongs to the argument."""
    first, _, rest = label.partition(".")
    service, rest = (first, rest) if first in services else (None, label)
    argument, dot, ending = rest.rpartition(".")
    if ending in (ACCEPT, REJECT) and (dot or service is not None):
        return Label(service, argument, ending)
    return Label(service, rest, "")
