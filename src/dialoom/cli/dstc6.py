"""`dialoom dstc6`: what the challenge's five scripts do, and items made of histories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.command import Bounds, Commands
from dialoom.cli.dstc6_simulated import compare, wording
from dialoom.cli.options import JsonFile, Seed
from dialoom.cli.output import STDOUT, report, write_json, write_out
from dialoom.errors import UsageError
from dialoom.render.progress import track
from dialoom.render.tables import counted
from dialoom.render.transcript import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dialoom.formats.dstc6.results import Ranking

dstc6_app = Commands("dstc6", "Rank candidates as DSTC6 track 1 asks, and score the rankings.")
baseline_app = Commands("baseline", "Write the challenge's baseline rankings of a dialogue file.")
dstc6_app.add_typer(baseline_app, name="baseline")
for command in (wording, compare):
    dstc6_app.command()(command)

_Dialogues = Annotated[
    Path, typer.Argument(metavar="DIALOGUES", help="A file of dialogues and their candidates.")
]
_Results = Annotated[Path, typer.Argument(metavar="RESULTS", help="A result file.")]
_Out = Annotated[Path, typer.Option("--out", help="Write the result file here; - is stdout.")]


@dstc6_app.command()
def walk(
    dialogues: _Dialogues,
    dialogue: str | None = None,
    limit: Annotated[int | None, Bounds(1, 10**9)] = None,
    out: Path | None = None,
    json: Path | None = None,
) -> None:
    """Show histories, candidates and answers of a file; --json counts them and their words.

    Example: dialoom dstc6 walk dialog-task1API-kb1_atmosphere-distr0.5-tst1000.json --limit 2

    Args:
        dialogue: Show the dialogue with this id only.
        limit: Most dialogues to show.
        out: Write the text to this file instead of standard output.
        json: Write the counts to this JSON file; - is stdout, without the text.
    """
    from itertools import islice

    from dialoom.bench.dstc6.items import figures, plain

    items = _items(dialogues) if json is None else list(_items(dialogues))
    lines: list[str] = []
    count = 0
    for item in islice((item for item in items if dialogue in (None, item.id)), limit):
        count += 1
        if out is not None:
            lines += plain(item)
        elif json != STDOUT:
            typer.echo("".join(f"{clean(line)}\n" for line in plain(item)), nl=False)
    if dialogue is not None and not count:
        raise UsageError(f"{dialogues}: has no dialogue {dialogue!r}")
    if out is not None:
        write_out("".join(f"{line}\n" for line in lines).encode(), out)
    write_json(figures(items) if isinstance(items, list) else {}, json)


@dstc6_app.command()
def check(
    results: _Results,
    dialogues: Path | None = None,
    strict: bool = False,
    json: JsonFile = None,
) -> None:
    """Check a result file; exit 1 if it cannot be scored.

    Ids, repetitions, gaps and coverage give warnings; with --strict they are errors.

    Example: dialoom dstc6 check results.json --dialogues dialog-task1API-….json --strict

    Args:
        dialogues: The dialogue file, to check ids and coverage as well.
        strict: Exit with 1 on warnings as well as on errors.
    """
    from collections import Counter

    from msgspec.structs import replace

    from dialoom.bench.dstc6.validity import check as find
    from dialoom.corpus.files import parse_json
    from dialoom.formats.base.multi_file import content

    raw = parse_json(content(results), results)
    choices = None
    if dialogues is not None:
        choices = {i.id: frozenset(name for name, _ in i.candidates) for i in _items(dialogues)}
    findings = list(find(raw, str(results), choices))
    if strict:
        findings = [replace(finding, severity="error") for finding in findings]
    counts = Counter(finding.severity for finding in findings)
    entries = len(raw) if isinstance(raw, list) else 0
    summary = {"entries": entries, "errors": counts["error"], "warnings": counts["warning"]}
    wrong = counted(counts["error"], "error"), counted(counts["warning"], "warning")
    last = f"{counted(entries, 'ranking')}: {', '.join(wrong)}"
    lines = (*(clean(str(finding)) for finding in findings), last)
    report({**summary, "findings": findings}, json, lines)
    if counts["error"]:
        raise typer.Exit(1)


@dstc6_app.command()
def score(
    results: _Results,
    answers: Path,
    json: JsonFile = None,
) -> None:
    """Print precision at 1, 2 and 5; a dialogue without a ranking is wrong.

    Example: dialoom dstc6 score results.json dialog-task1API-….answers.json --json score.json

    Args:
        answers (ANSWERS): A file of answers, or dialogues with answers.
    """
    from dialoom.bench.dstc6.items import read_truth
    from dialoom.bench.dstc6.rankings import count, scores
    from dialoom.formats.dstc6.results import load_results

    truth = read_truth(answers)
    rankings = load_results(results)
    context = {"answers": _digest(answers), "results": _digest(results), "n": len(truth)}
    precisions = scores(count(truth, rankings), context)
    missing = len(truth.keys() - {ranking.dialogue for ranking in rankings})
    figures = {score.name: round(score.value, 4) for score in precisions}
    signatures = {score.name: str(score.signature) for score in precisions}
    counts = {"dialogues": len(truth), "missing": missing}
    notice = (
        f"{missing} of the {counted(len(truth), 'dialogue')} have no ranking, and count as wrong"
    )
    lines = [*map(str, precisions), *([notice] if missing else [])]
    report({**counts, **figures, "signatures": signatures}, json, lines)


@baseline_app.command("random")
def random_(dialogues: _Dialogues, out: _Out, seed: Seed = 0, json: JsonFile = None) -> None:
    """Rank each dialogue's candidates in random order.

    Example: dialoom dstc6 baseline random dialog-task1API-….json --out random.json --seed 1
    """
    from dialoom.bench.dstc6.rankings import in_random_order

    rankings = in_random_order(_items(dialogues), seed)
    _write_results(rankings, out, json, {"baseline": "random", "seed": seed}, dialogues)


@baseline_app.command()
def tfidf(dialogues: _Dialogues, out: _Out, json: JsonFile = None) -> None:
    """Rank candidates by the cosine of their TF-IDF vectors with the history's.

    Needs scikit-learn, which `pip install 'dialoom[models]'` brings.

    Example: dialoom dstc6 baseline tfidf dialog-task1API-….json --out tfidf.json
    """
    from dialoom.bench.dstc6.rankings import by_tfidf

    rankings = by_tfidf(_items(dialogues), str(dialogues))
    _write_results(rankings, out, json, {"baseline": "tfidf"}, dialogues)


@dstc6_app.command()
def history(
    dialogues: _Dialogues,
    out: Path,
    last: bool = False,
    seed: Seed = 0,
    json: JsonFile = None,
) -> None:
    """Make items with known answers from the bot turns within the histories of a file.

    Candidates are drawn anew, so scores on these items are not the challenge's.

    Example: dialoom dstc6 history dialog-task1API-….json --out dialog-history.json --last

    Args:
        out (--out): Write the items to this file; - is stdout.
        last: Only the last bot turn of each history.
    """
    from dialoom.bench.dstc6.histories import Histories
    from dialoom.formats.dstc6 import FORMAT

    source = FORMAT.read_file(dialogues, dialogues.parent)
    histories = Histories(track(source, "reading"), seed)
    batch = list(track(histories.items(last=last), "items"))
    write_out(FORMAT.render_file(batch), out)
    _note({"items": len(batch), "seed": seed, "source": _digest(dialogues)}, json, out)


def _items(file: Path) -> Iterator[Any]:
    from dialoom.bench.dstc6.items import load

    return track(load(file), "dialogues")


def _digest(file: Path) -> str:
    import hashlib

    from dialoom.corpus.files import read_bytes

    return hashlib.sha256(read_bytes(file)).hexdigest()[:16]


def _write_results(
    rankings: Iterable[Ranking],
    out: Path,
    json: Path | None,
    made_by: dict[str, object],
    source: Path,
) -> None:
    from dialoom.formats.dstc6.results import render_results
    from dialoom.metrics.base import Signature

    entries = list(rankings)
    write_out(render_results(entries), out)
    signature = Signature().extended({**made_by, "source": _digest(source)})
    _note({"dialogues": len(entries), **made_by, "signature": str(signature)}, json, out)


def _note(record: dict[str, Any], json: Path | None, out: Path) -> None:
    """Print the written files, in JSON or in words, but never into a written file."""
    line = ", ".join(f"{name} {value}" for name, value in record.items())
    report(record, json, () if out == STDOUT else (line,))
