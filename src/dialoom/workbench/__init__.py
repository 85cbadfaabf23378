"""The functions of Python users: corpora that lint, count, compare and convert themselves; runs.

    corpus = dialoom.simulate("hotel_book, weather", n=200, scenario="mixed", seed=7)
    corpus.lint().errors; corpus.stats(); corpus.convert("chat", "out")
    result = dialoom.evaluate("sim-zero-shot", corpus, model="follower", only="weather")

corpus          `OpenCorpus`: a corpus with these methods
simulation      simulates a corpus
statistics      the counts of a corpus, which a notebook shows as tables
task            `OpenTask`: a task that checks and draws itself

`dialoom.evaluate` and `dialoom.play` are in `bench.evaluation` and `play.functions`.

The commands of `dialoom.cli` call these.
"""

from dialoom.workbench.corpus import OpenCorpus, load

__all__ = ["OpenCorpus", "load"]
