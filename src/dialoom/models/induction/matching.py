"""One-to-one matching of induced actions with those of a gold schema, by their templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dialoom.learn.text import Encoder
from dialoom.schema.template import PLACEHOLDER

LEAST = 0.3
"""The least similarity of two actions that are matched."""


def matched(
    found: Mapping[str, Sequence[str]], gold: Mapping[str, Sequence[str]], encoder: Encoder
) -> dict[str, str]:
    """Return gold action to the induced one that it matches.

    Queries are matched by name, replies by the largest sum of similarities over all pairs (the
    assignment problem). `found` and `gold` map actions to their templates, none for a query. The
    encoder is fitted here.
    """
    from scipy.optimize import linear_sum_assignment

    ours, theirs = ([n for n, texts in each.items() if texts] for each in (found, gold))
    same = {name: name for name, texts in gold.items() if not texts and name in found}
    if not ours or not theirs:
        return same
    left, right = (
        [_plain(each[n][0]) for n in names] for each, names in ((gold, theirs), (found, ours))
    )
    encoder.fit([*left, *right])
    alike = encoder.similarity(left, right)
    rows, columns = linear_sum_assignment(-alike)
    pairs = zip(rows, columns, strict=True)
    return same | {theirs[r]: ours[c] for r, c in pairs if alike[r, c] >= LEAST}


def _plain(text: str) -> str:
    return " ".join(PLACEHOLDER.sub(" ", text).split())
