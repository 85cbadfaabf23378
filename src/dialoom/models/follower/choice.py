"""What there is to choose from at one point of a dialogue."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Choice(NamedTuple):
    """The actions of a task at one point, described.

    Attributes:
        actions: The actions, in the schema's order.
        features: A row of numbers for each.
        step: The step that a list being read out calls for, if one is.
        spent: Actions that a list read out to its end leaves no use for.
        unsayable: Actions whose reply needs values that the last result cannot give.
    """

    actions: tuple[str, ...]
    features: npt.NDArray[np.float32]
    step: str | None = None
    unsayable: frozenset[str] = frozenset()
    spent: frozenset[str] = frozenset()
