"""Folders of dialogues: the corpus, the format protocol, and safe files."""

from dialoom.corpus.corpus import Corpus
from dialoom.corpus.format import Format
from dialoom.corpus.mixed import MixedCorpus

__all__ = ["Corpus", "Format", "MixedCorpus"]
