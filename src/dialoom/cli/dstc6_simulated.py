"""`dialoom dstc6 wording|compare`: simulated bookings and published ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dialoom.cli.options import JsonFile
from dialoom.cli.output import STDOUT, report, write_json
from dialoom.errors import MissingDataError, UsageError
from dialoom.render.progress import track

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dialoom.dialogue import Dialogue
    from dialoom.render.tables import ResultTable

BOOKINGS = ("dstc6", "babi", "native")


def wording(
    files: list[Path],
    out: Path,
) -> None:
    """Collect the bot's lines from files, for `dialoom simulate --preset dstc6 --wording FILE`.

    The act of a line is derived from its position; values, names and facts become placeholders.

    Example: dialoom dstc6 wording corpora/dstc6/tst1 corpora/dstc6/tst3 --out wording.json

    Args:
        files (FROM_FILES): Dialogue files, or folders of them.
        out (--out): Write the wording to this file; - is stdout.
    """
    from dialoom.sim.policies.booking.roles import roles_of

    lines = roles_of(_dialogues(files)).wording()
    if not lines:
        raise MissingDataError(
            f"{files[0]}: the bot says nothing there; name dialogues of bookings",
            code="nothing-to-learn",
        )
    write_json(lines, out)
    if out != STDOUT:
        typer.echo(f"{len(lines)} lines written to {out}")


def compare(
    simulated: Path,
    real: Path,
    json: JsonFile = None,
) -> None:
    """Compare simulated items with published ones: candidates, acts, order, lengths, facts.

    Knowledge-base files (`extendedkb1.txt`) are compared where both sides have them, in the folder
    or in the one above it.

    Example: dialoom dstc6 compare simulated/tst1 corpora/dstc6/tst1 --json tables.json

    Args:
        simulated (SIMULATED): A file or folder.
        real (REAL): A file or folder.
    """
    from dialoom.bench.dstc6.comparing import knowledge_table, profile, tables
    from dialoom.bench.dstc6.knowledge import found_near

    one, other = (profile(list(_dialogues([path]))) for path in (simulated, real))
    results = list(tables(one, other))
    mine, its = found_near(simulated), found_near(real)
    results += [knowledge_table(mine[n], its[n], n) for n in sorted(mine.keys() & its.keys())]
    _show(results, json)


def _dialogues(paths: Iterable[Path]) -> Iterable[Dialogue]:
    from dialoom import formats

    for path in paths:
        corpus = formats.load(path)
        if corpus.format not in BOOKINGS:
            problem = f"holds no bookings but dialogues of the format {corpus.format}"
            raise UsageError(f"{path}: {problem}; name some in {', '.join(BOOKINGS)}")
        yield from track(corpus.dialogues(), "reading")


def _show(results: list[ResultTable], json: Path | None) -> None:
    by_title = {t.title: [dict(zip(t.header, row, strict=True)) for row in t.rows] for t in results}
    report(by_title, json, tables=results)
