"""Every experiment that the data at hand allow, one after the other, on one page.

    for done in run_all(experiments(), Sources(Path("corpora"), Path("out")), workers=2): ...

experiments.json  what is run, by the published table that it stands beside
experiments       reading it
running           one experiment after the other; those that nothing changed for are not run again
page              the page: each published table with our rows
"""

from dialoom.bench.suite.experiments import Experiment, experiments, suite
from dialoom.bench.suite.page import page
from dialoom.bench.suite.running import Done, Missing, Sources, earlier, run_all

__all__ = [
    "Done",
    "Experiment",
    "Missing",
    "Sources",
    "earlier",
    "experiments",
    "page",
    "run_all",
    "suite",
]
