"""`dialoom lint`: what is wrong in the dialogues of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import CorpusPath, FormatName, HtmlFile, JsonLines, RejectsFile
from dialoom.cli.output import STDOUT, print_table, rejecting, staged_output, write_out
from dialoom.errors import UnknownNameError
from dialoom.render.progress import track
from dialoom.render.transcript import clean

if TYPE_CHECKING:
    from dialoom.quality.lint import Finding, Linter


def _explain(code: str | None) -> None:
    if code is None:
        return
    from dialoom.schema.findings import RULES

    if code != "all" and code not in RULES:
        raise UnknownNameError("code", code, RULES)
    for rule in RULES.values() if code == "all" else (RULES[code],):
        typer.echo(rule.explanation)
    raise typer.Exit


def lint(
    path: CorpusPath,
    format: FormatName = None,
    rejects: RejectsFile = None,
    json: JsonLines = None,
    html: HtmlFile = None,
    examples: Annotated[int, Bounds(0, 1000)] = 5,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain",
            metavar="CODE",
            is_eager=True,
            callback=_explain,
            help="Explain a code, or `all` of them, and exit.",
        ),
    ] = None,
) -> None:
    """Report errors in a corpus by codes (docs/reference/codes.md); exits 1 if there is an error.

    The table has a row for each code; --json has every finding, --html the first few of each code
    with the utterances around them.

    Example: dialoom lint corpora/star --json findings.jsonl
    Example: dialoom lint corpora/sgd --html findings.html

    Args:
        examples: Examples of each code on the page.
    """
    from dialoom.quality.lint import linter_for
    from dialoom.quality.lint.page import Examples, page

    samples = Examples(examples)
    firsts: dict[str, Finding] = {}
    with rejecting(rejects) as load, _lines(json) as write:
        corpus = load(path, format)
        if not corpus.schemas:
            typer.echo("dialoom: no task schema here: rules that need one are left out", err=True)
        linter = linter_for(corpus)
        for file in track(corpus.files, "files", len(corpus.files)):
            for dialogue in corpus.read_file(file):
                for finding in linter.check(dialogue, str(file)):
                    firsts.setdefault(finding.code, finding)
                    if html is not None:
                        samples.add(finding, dialogue)
                    write(finding)
    if html is not None:
        write_out(page(path.name or str(path), linter, samples).encode(), html)
    if STDOUT not in (json, html):
        _print(linter, firsts)
    if linter.errors:
        raise typer.Exit(1)


@contextmanager
def _lines(file: Path | None) -> Iterator[Callable[[Finding], None]]:
    """Yield a function that writes a finding as a line; after an error nothing is written."""
    import msgspec

    if file is None:
        yield lambda finding: None
        return
    with staged_output(file) as lines:
        yield lambda finding: lines.writelines((msgspec.json.encode(finding), b"\n"))


def _print(linter: Linter, firsts: dict[str, Finding]) -> None:
    from dialoom.quality.lint.linter import codes, found_rules, overview

    if firsts:
        print_table(codes(linter))
        typer.echo("The first of each:")
        for rule in found_rules(linter):
            typer.echo(f"  {clean(str(firsts[rule.code]))}")
    typer.echo(overview(linter))
