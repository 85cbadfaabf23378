"""The suite of all experiments: runs those that the data allow, and makes one page of them.

    for done in run_all(experiments(), Sources(Path("corpora"), Path("out")), workers=2): ...

experiments.json  the list of experiments, by the published table that they reproduce
experiments       reads the list
estimate          their order, the cheapest first, and how long they took
running           runs one experiment after the other, and skips those whose result is up to date
page              the page: each published table with our rows
"""

from dialoom.bench.suite.estimate import cheapest_first, estimate
from dialoom.bench.suite.experiments import Experiment, experiments, repeated, suite
from dialoom.bench.suite.page import page
from dialoom.bench.suite.running import Done, Missing, Sources, check_sources, earlier, run_all

__all__ = [
    "Done",
    "Experiment",
    "Missing",
    "Sources",
    "cheapest_first",
    "check_sources",
    "earlier",
    "estimate",
    "experiments",
    "page",
    "repeated",
    "run_all",
    "suite",
]
