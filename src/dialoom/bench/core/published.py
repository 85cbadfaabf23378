"""Published figures to compare ours with, each with its source: the rows of published.json."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec


class Published(msgspec.Struct, frozen=True, omit_defaults=True):
    """One system's published figures for a protocol, in percent.

    `scores` are means over hold-outs; `holdouts` has the main score, `others` has other scores by
    hold-out. `options` are the protocol's options of the measurement.
    """

    protocol: str
    system: str
    source: str
    scores: dict[str, float] = {}
    holdouts: dict[str, float] = {}
    others: dict[str, dict[str, float]] = {}
    options: dict[str, str] = {}

    @property
    def conditions(self) -> str:
        """The source with the options that the figures were measured with."""
        return ", ".join(
            [self.source, *(f"{name} {value}" for name, value in self.options.items())]
        )

    def like(self, options: Mapping[str, str]) -> bool:
        """Return whether the figures were measured with the options of a run, as far as known."""
        return self.options.items() <= options.items()


@cache
def rows() -> tuple[Published, ...]:
    """Return all published figures."""
    data = resources.files(__package__).joinpath("published.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[Published, ...])


def of(protocol: str, options: Mapping[str, str]) -> list[Published]:
    """Return the published figures of a protocol that are comparable to a run with some options.

    Figures of a part of the corpus (option `part`) belong to runs on that part only. A run on
    stages of STAR's collection other than the happy one (option `test`) gets figures of those only.
    """
    test, part = options.get("test", "happy"), options.get("part")
    figures = [row for row in rows() if row.protocol == protocol]
    same = [row for row in figures if row.options.get("part", part) == part]
    return [row for row in same if test in ("happy", row.options.get("test", "happy"))]
