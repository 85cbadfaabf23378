"""What every benchmark shares: timing against a floor in the same run, and how it is reported.

A figure is a value with the same quantity measured for something that cannot be beaten (its floor),
and the ratio of the two: 1 is as fast as the floor, 0.5 takes twice its time. Ratios survive the
move to another machine; values do not.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    """One measured quantity with its floor."""

    value: float
    unit: str
    floor: float
    ratio: float

    @classmethod
    def cost(cls, value: float, floor: float, unit: str = "CPU ms") -> Figure:
        """Return a cost with that of the floor; a ratio below 1 is dearer than the floor."""
        return cls(value, unit, floor, floor / value)


def interleaved(
    jobs: Mapping[str, Callable[[], object]],
    repetitions: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Return each job's median seconds; a round runs all of them, so that drift hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repetitions):
        for name, job in jobs.items():
            gc.collect()
            start = clock()
            job()
            seconds[name].append(clock() - start)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def throughput(seconds: float, floor: float, size: int) -> Figure:
    """Return megabytes a second for `size` bytes compared with those of the floor."""
    megabytes = size / 1e6
    return Figure(megabytes / seconds, "MB/s", megabytes / floor, floor / seconds)


def import_time(statement: str, repetitions: int) -> Figure:
    """Return the CPU seconds a statement takes above a bare interpreter."""
    programs = {"bare": "pass", "with": statement}
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(repetitions + 1):
        for name, program in programs.items():
            seconds[name].append(_cpu_seconds(program))
    # The first round fills the disk cache and writes byte code.
    bare, full = (statistics.median(seconds[name][1:]) for name in programs)
    return Figure(full - bare, "CPU s above bare", bare, bare / full)


def _cpu_seconds(program: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def options_parser(about: str | None, quick: str) -> argparse.ArgumentParser:
    """Return a parser of what every benchmark takes; `about` is its docstring, `quick` its form."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0] if about else None)
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    return parser


def report(figures: Mapping[str, Figure], json_file: Path | None) -> None:
    """Print the figures as a table, and write them as JSON where asked."""
    width = max(map(len, figures))
    print(f"{'':{width}}  {'value':>9}  {'floor':>9}  {'ratio':>6}")
    for name, figure in figures.items():
        numbers = f"{figure.value:9.3f}  {figure.floor:9.3f}  {figure.ratio:6.3f}"
        print(f"{name:{width}}  {numbers}  {figure.unit}")
    if json_file is not None:
        values = {name: asdict(figure) for name, figure in figures.items()}
        json_file.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
