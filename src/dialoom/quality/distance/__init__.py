"""Distances between two corpora, for instance of simulated dialogues from real ones.

    shared = common_tasks(corpus.schemas, real.schemas)
    one, other = CorpusProfile(corpus.schemas, shared), CorpusProfile(real.schemas, shared)
    one.add_all(corpus.dialogues())
    other.add_all(real.dialogues())
    found = compare(one, other)          # JSON values

counting    what is counted of a corpus, its two halves apart
schema      what of a schema its dialogues use
measures    divergence of distributions, distance of lengths, disagreement of orders
comparing   two corpora side by side, and two halves of the real one
fluency     perplexity of users' turns under a model of real ones
sample      as many dialogues of both, whose wording is compared
judge       how well a judge separates simulated from real turns, and by which words
wording     vocabulary, repetition, glued values, agreement errors
report      the result as tables and as a page with plots

A distance means little without knowing how far real dialogues are from one another: every second
real dialogue is compared with the others by the same measure.
"""

from dialoom.quality.distance.comparing import compare
from dialoom.quality.distance.counting import CorpusProfile, common_tasks

__all__ = ["CorpusProfile", "common_tasks", "compare"]
