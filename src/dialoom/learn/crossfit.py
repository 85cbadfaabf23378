"""Folds of training examples, for scores by models that were not fitted on them (stacking)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


def dealt(names: Sequence[str], most: int) -> Integers:
    """Return the fold of each example; names are dealt in alphabetical order."""
    order = {name: n % most for n, name in enumerate(sorted(set(names)))}
    return np.array([order[name] for name in names], np.int64)


def balanced(names: Sequence[str], most: int) -> Integers:
    """Return the fold of each example by its name, with folds of about equal sizes."""
    loads, fold = [0] * min(most, len(set(names))), {}
    for name, count in sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])):
        fold[name] = loads.index(min(loads))
        loads[fold[name]] += count
    return np.array([fold[name] for name in names], np.int64)


def parts(folds: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield for each fold the indices of the examples of all others, and of its own."""
    for fold in np.unique(folds):
        yield np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
