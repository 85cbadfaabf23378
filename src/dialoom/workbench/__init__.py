"""What people call from Python: corpora that lint, count, compare and convert themselves; runs.

    corpus = dialoom.simulate("hotel_book, weather", n=200, scenario="mixed", seed=7)
    corpus.lint().errors; corpus.stats(); corpus.convert("chat", "out")
    result = dialoom.evaluate("sim-zero-shot", corpus.path, model="follower", only="weather")

corpus          `OpenCorpus`: a corpus with these methods
simulation      simulates a corpus
evaluation      runs an experiment
statistics      the counts of a corpus, which a notebook shows as tables

The commands of `dialoom.cli` call these.
"""

from dialoom.workbench.corpus import OpenCorpus, load

__all__ = ["OpenCorpus", "load"]
