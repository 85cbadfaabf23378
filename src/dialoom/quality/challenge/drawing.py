"""Draw the samples of a corpus that its challenge sets are made of, in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from heapq import heappush, heappushpop
from pathlib import Path

from dialoom.dialogue import Dialogue
from dialoom.errors import MissingDataError, UnknownNameError, UsageError
from dialoom.quality.challenge.backtranslation import BACK_TRANSLATORS
from dialoom.quality.challenge.items import GenerationItem, PartName, items, part_of
from dialoom.quality.challenge.sets import FIRST, LAST, SETS, TEST, ChallengeSettings
from dialoom.sim.noise.speech import speech


class Sample:
    """Keeps the `size` items whose ids rank lowest under a hash."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.offered = 0
        self._kept: list[tuple[int, int, GenerationItem]] = []

    def offer(self, item: GenerationItem, rank: int) -> None:
        """Offer an item with the rank of its id; it is kept if the rank is low enough."""
        self.offered += 1
        entry = (-rank, -self.offered, item)  # the heap gives up its smallest: the highest rank
        if len(self._kept) < self.size:
            heappush(self._kept, entry)
        else:
            heappushpop(self._kept, entry)

    @property
    def items(self) -> list[GenerationItem]:
        """The items kept, in the order in which they were offered."""
        return [item for _, _, item in sorted(self._kept, key=lambda entry: -entry[1])]


def rank_of(seed: int, name: str, item: str) -> int:
    """Return the hash of seed, name and item id by which items are ranked."""
    key = f"{seed}:{name}:{item}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "little")


WHOLE = "whole corpus"
"""The name of the whole corpus, which a set is drawn from where its own part is missing."""

POOL = "pool"
"""The sample of the test part that the subpopulations are made of."""

_ASKED: dict[str, tuple[PartName, ...]] = {s.name: s.parts for s in SETS} | {POOL: TEST}


class Drawing:
    """The samples of one corpus.

    Raises:
        UsageError: A size is not positive.
        UnknownNameError: There is no such back-translator, language or choice of an act.
    """

    def __init__(self, settings: ChallengeSettings, where: Path | str = "corpus") -> None:
        for name, size in (("size", settings.size), ("pool", settings.pool)):
            if size < 1:
                raise UsageError(
                    f"--{name} is a number of items, at least 1, not {size}", code="out-of-range"
                )
        if settings.act_type not in (FIRST, LAST):
            raise UnknownNameError("act type", settings.act_type, (FIRST, LAST))
        BACK_TRANSLATORS.get(settings.back_translator)
        speech(settings.language)
        self._settings, self._where = settings, where
        self._samples: dict[tuple[str, str], Sample] = {}
        self.parts: Counter[str] = Counter()
        """Items by the part of the corpus they are in; "none" if unknown."""

    def add_all(self, dialogues: Iterable[Dialogue]) -> None:
        """Offer every item of some dialogues to the samples."""
        for dialogue in dialogues:
            part = part_of(dialogue)
            for item in items(dialogue):
                self.parts[part or "none"] += 1
                for name, parts in _ASKED.items():
                    rank = rank_of(self._settings.seed, name, item.id)
                    self._sample(name, WHOLE).offer(item, rank)
                    if part in parts:
                        self._sample(name, part).offer(item, rank)

    def drawn(self, name: str) -> tuple[str, list[GenerationItem]]:
        """Return a set's part and its unchanged items; `MissingDataError` if there are none."""
        for part in (*_ASKED[name], WHOLE):
            if sample := self._samples.get((name, part)):
                return part, sample.items
        what = f"{self._where}: no system utterance has acts; the sets are made of those that do"
        raise MissingDataError(what, code="nothing-to-ask")

    def _sample(self, name: str, part: str) -> Sample:
        key = (name, part)
        if key not in self._samples:
            self._samples[key] = Sample(
                self._settings.pool if name == POOL else self._settings.size
            )
        return self._samples[key]
