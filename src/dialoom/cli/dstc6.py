"""`dialoom dstc6`: the challenge's scripts, items and simulated bookings; `dialoom rank`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.command import Bounds, Commands, Help
from dialoom.cli.options import JsonFile, Seed
from dialoom.cli.output import STDOUT, report, write_json, write_out
from dialoom.errors import MissingDataError, UsageError
from dialoom.render.progress import track
from dialoom.render.tables import counted
from dialoom.render.transcript import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dialoom.dialogue import Dialogue
    from dialoom.formats.babi.lists import KnowledgeBase
    from dialoom.formats.dstc6.results import Ranking

dstc6_app = Commands("dstc6", "Rank candidates as DSTC6 track 1 asks, and score the rankings.")
baseline_app = Commands("baseline", "Write the challenge's baseline rankings of a dialogue file.")
dstc6_app.add_typer(baseline_app, name="baseline")
_Dialogues = Annotated[Path, Help("A file of dialogues and their candidates.", "DIALOGUES")]
_Results = Annotated[Path, Help("A result file.", "RESULTS")]
_Out = Annotated[Path, Help("Write the result file here; - is stdout.", "--out")]


@dstc6_app.command()
def wording(files: list[Path], out: Path) -> None:
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


@dstc6_app.command()
def compare(simulated: Path, real: Path, json: JsonFile = None) -> None:
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
    by_title = {t.title: [dict(zip(t.header, row, strict=True)) for row in t.rows] for t in results}
    report(by_title, json, tables=results)


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
def score(results: _Results, answers: Path, json: JsonFile = None) -> None:
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


BOOKINGS = ("dstc6", "babi", "native")


def _dialogues(paths: Iterable[Path]) -> Iterable[Dialogue]:
    from dialoom import formats

    for path in paths:
        corpus = formats.load(path)
        if corpus.format not in BOOKINGS:
            problem = f"holds no bookings but dialogues of the format {corpus.format}"
            raise UsageError(f"{path}: {problem}; name some in {', '.join(BOOKINGS)}")
        yield from track(corpus.dialogues(), "reading")


def rank(
    items: Path,
    train: Path,
    out: Path,
    kb: list[Path] | None = None,
    json: Path | None = None,
) -> None:
    """Rank the candidates of each dialogue of a DSTC6 file by a model fitted on other dialogues.

    The model learns from the histories in the folder of --train, and from answers in its files. It
    reads the knowledge-base files in the folder of the training dialogues.

    Example: dialoom rank dialog-task1API-….json --kb kb.txt --train bookings/train --out r.json

    Args:
        items (ITEMS): A file of dialogues and their candidates.
        train (--train, FOLDER): Folder of the dialogues to learn from.
        out (--out): Write the result file here; - is stdout.
        kb: Knowledge-base file; repeatable; default: those in the folder of ITEMS.
        json: Write a record of the run to this JSON file; - is stdout.
    """
    from dialoom import formats
    from dialoom.bench.core.protocol import examples
    from dialoom.bench.dstc6.knowledge import found_near, schemas_of
    from dialoom.bench.dstc6.rankings import by_model
    from dialoom.bench.protocols.dstc6_history import HistorySettings, training
    from dialoom.corpus.files import exists
    from dialoom.formats.babi.lists import load_kb
    from dialoom.formats.dstc6 import FORMAT
    from dialoom.formats.dstc6.results import render_results
    from dialoom.models.ranker import Ranker

    bases: list[KnowledgeBase] = [load_kb(file) for file in kb or ()]
    bases = bases or list(found_near(items).values())
    dialogues = list(track(FORMAT.read_file(items, items.parent), "reading"))
    if not exists(train):
        raise MissingDataError(f"{train}: no such folder; --train names one")
    corpus = formats.load(formats.locate(train, FORMAT.name))
    learnt = training(corpus, HistorySettings()) if corpus.format == FORMAT.name else []
    if not learnt:
        raise MissingDataError(
            f"{train}: there are no DSTC6 files with turns of a bot to learn from",
            code="nothing-to-learn",
        )
    model = Ranker(adapt=True)
    model.fit(examples(learnt), schemas_of(found_near(corpus.path).values()))
    rankings = list(by_model(dialogues, model, schemas_of(bases)))
    write_out(render_results(rankings), out)
    record = {"dialogues": len(rankings), "learnt": len(learnt), "lists": len(bases)}
    line = f"{counted(len(rankings), 'ranking')} learnt from {counted(len(learnt), 'turn')}: {out}"
    report(record, json, () if out == STDOUT else (line,))
