"""Recognises the dialogues of public corpora by digests of their words.

`fingerprints.json` has digests of a part of each corpus's dialogues: of those whose digest is a
multiple of `every`. They are made of the letters and digits of all utterances, so that they are the
same in every format. A copy is recognised if enough of its dialogues that should be there are.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from importlib import resources
from itertools import islice

import msgspec

from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Utterance

FILE = "fingerprints.json"

SIZE = 3
"""Bytes of a digest: one of other dialogues is among the known ones once in a thousand times."""

DRAWN = 160
"""Most dialogues of a copy that are looked at, spread over its files."""

SHARE = 0.25
"""Least share of known digests. For some corpora only half of the dialogues were at hand."""

_SIGNS = re.compile(r"[\W_]+")


class Fingerprints(msgspec.Struct, frozen=True):
    """Digests that are multiples of `every`, SIZE bytes each, in base 64."""

    every: int
    digests: str

    def known(self) -> frozenset[int]:
        """Return the digests as numbers."""
        data = b64decode(self.digests)
        return frozenset(
            int.from_bytes(data[at : at + SIZE], "big") for at in range(0, len(data), SIZE)
        )


@cache
def fingerprints() -> dict[str, Fingerprints]:
    """Return the name of each corpus in the catalogue to its digests."""
    data = resources.files(__package__).joinpath(FILE).read_bytes()
    return msgspec.json.decode(data, type=dict[str, Fingerprints])


def fingerprint(dialogues: Iterable[Dialogue], every: int) -> Fingerprints:
    """Return the digests of dialogues."""
    numbers = {number for each in dialogues if (number := _digest(each)) % every == 0}
    data = b"".join(number.to_bytes(SIZE, "big") for number in sorted(numbers))
    return Fingerprints(every, b64encode(data).decode())


def recognised(corpus: Corpus) -> str | None:
    """Return the corpus of the catalogue whose dialogues these are; None if that is not evident."""
    counts = SourceCounts()
    for dialogue in drawn(corpus):
        counts.add(dialogue)
    return next((name for name, share in counts.shares().items() if share >= SHARE), None)


class SourceCounts:
    """Counts the dialogues that public corpora have."""

    def __init__(self) -> None:
        self._prints = [(name, each.every, each.known()) for name, each in fingerprints().items()]
        self._asked: Counter[str] = Counter()
        self._known: Counter[str] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count a dialogue."""
        number = _digest(dialogue)
        for name, every, digests in self._prints:
            if number % every == 0:
                self._asked[name] += 1
                self._known[name] += number in digests

    def shares(self, least: int = 1) -> dict[str, float]:
        """Return the known share of dialogues by corpus, where at least so many are known."""
        return {
            name: self._known[name] / total
            for name, total in self._asked.items()
            if self._known[name] >= least
        }


def drawn(corpus: Corpus) -> Iterator[Dialogue]:
    """Yield some of a corpus's dialogues, from files spread over all of them."""
    files = corpus.files
    sample = files[:: max(1, len(files) // DRAWN)]
    for file in sample:
        yield from islice(corpus.read_file(file), max(1, DRAWN // len(sample)))


def _digest(dialogue: Dialogue) -> int:
    texts = (event.text for event in dialogue.events if isinstance(event, Utterance))
    words = _SIGNS.sub("", "".join(texts).lower())
    return int.from_bytes(
        blake2b(words.encode("utf-8", "replace"), digest_size=SIZE).digest(), "big"
    )
