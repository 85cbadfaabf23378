"""The challenge's baselines as result files: in random order, and by likeness to the history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from dialoom.bench.dstc6.items import Item
from dialoom.errors import FormatError, MissingExtraError, UsageError
from dialoom.formats.dstc6.results import Ranking
from dialoom.models.candidates import by_likeness, shuffled


def in_random_order(items: Iterable[Item], seed: int) -> Iterator[Ranking]:
    """Yield each item's candidates in an order drawn with `seed`."""
    held = list(items)
    names = ([name for name, _ in item.candidates] for item in held)
    yield from map(_ranked, held, shuffled(names, seed))


def by_tfidf(items: Iterable[Item], source: str) -> Iterator[Ranking]:
    """Yield each item's candidates by the cosine of their TF-IDF vectors with the history's.

    Words are weighted by the histories of the whole file; see `models.candidates.by_likeness`.

    Args:
        items: The items.
        source: What they are from, for messages.

    Raises:
        MissingExtraError: scikit-learn is not installed.
        FormatError: No history has a word.
    """
    if find_spec("sklearn") is None:
        raise MissingExtraError("the TF-IDF baseline", "models")
    held = list(items)
    texts = ([text for _, text in item.candidates] for item in held)
    try:
        orders = list(by_likeness([" ".join(item.history) for item in held], texts))
    except UsageError as error:
        raise FormatError(source, str(error)) from error
    for item, order in zip(held, orders, strict=True):
        yield _ranked(item, [item.candidates[place][0] for place in order])


def _ranked(item: Item, names: list[str]) -> Ranking:
    return Ranking(item.id, tuple((name, rank) for rank, name in enumerate(names, start=1)))
