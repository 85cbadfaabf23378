"""The suite of all experiments: runs those that the data allow, and makes one page of them."""

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
