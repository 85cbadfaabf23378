"""Opening the corpora that an experiment asks about and learns from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dialoom import formats
from dialoom.bench.core.protocol import Data, Plan
from dialoom.corpus import MixedCorpus
from dialoom.corpus.mixed import place
from dialoom.corpus.parts import FilePart, file_parts
from dialoom.errors import MissingDataError

if TYPE_CHECKING:
    from dialoom.bench.core.protocol import Protocol
    from dialoom.corpus import Corpus


def open_data(
    protocol: Protocol, corpus: Path, train_corpora: Sequence[Path] = (), split: str | None = None
) -> Data:
    """Open the corpora of an experiment; `FormatError` if no format fits.

    `corpus` is a corpus root, folder of the protocol's format or native corpus. `split` is one of
    its folders, a name of its files, or a list of dialogues; by default the protocol's.
    """
    tested, trained = protocol.parts or (None, None)
    own = _open(protocol.corpus, corpus, tested, split)
    for folder in train_corpora:
        if not folder.exists():
            raise MissingDataError(f"{folder}: no such folder; --train-corpus names one")
    learnt = [_open(protocol.corpus, folder, trained, None) for folder in train_corpora]
    return Data(own, MixedCorpus(learnt) if len(learnt) > 1 else next(iter(learnt), None))


def open_training(
    protocol: Protocol, corpus: Path, train_corpora: Sequence[Path] = (), split: str | None = None
) -> Data:
    """Open the training corpora; `FormatError` if no format fits one."""
    if train_corpora:
        return open_data(protocol, corpus, train_corpora, split)
    return Data(_open(protocol.corpus, corpus, protocol.parts and protocol.parts[1], split))


def check_found(
    matches: object, corpus: Corpus, lacking: str, code: str = "nothing-to-ask"
) -> None:
    """Check that something was found; `MissingDataError` says what a corpus lacks otherwise."""
    if not matches:
        raise MissingDataError(f"{corpus.path}: {lacking}", code=code)


def check_taught(plan: Plan) -> Plan:
    """Return the plan; `MissingDataError` if one of several training corpora has no question."""
    corpus = plan.data.train_corpus
    if isinstance(corpus, MixedCorpus):
        numbers = {place(target.source) for holdout in plan.holdouts for target in holdout.train}
        for number, part in enumerate(corpus.parts, 1):
            if number not in numbers:
                what = f"has nothing that {plan.protocol} learns from"
                raise MissingDataError(
                    f"{part.path}: {what}; leave it out of --train-corpus", code="nothing-to-learn"
                )
    return plan


def _open(format: str, root: Path, usual: str | None, choice: str | None) -> Corpus:
    """Open a part (folder, files of its name, list): `choice`, else `usual`, else the whole."""
    folder = formats.locate(root, format)
    name = choice or usual or ""
    part = folder / name
    if part.is_dir():
        return formats.load(part)
    corpus = formats.load(folder)
    names = file_parts(corpus)
    if name in names:
        return FilePart(corpus, name)
    if name in corpus.splits:
        ids = frozenset(corpus.splits[name])
        return corpus.filter(lambda dialogue: dialogue.id in ids)
    if choice is not None:
        below = (file.relative_to(corpus.root).parts[:-1] for file in corpus.files)
        folders = sorted({parts[0] for parts in below if parts})
        there = ", ".join(names or sorted(corpus.splits) or folders)
        raise MissingDataError(
            f"{folder}: has no part {choice!r}; its parts: {there or 'none'}", code="unknown-name"
        )
    return corpus
