"""`dialoom convert` and `dialoom roundtrip`: moving corpora between formats without loss."""

from __future__ import annotations

import typer

from dialoom.cli.options import (
    CorpusPath,
    FormatName,
    JsonFile,
    RejectsFile,
    SourceFormat,
    SourcePath,
    TargetFolder,
    Workers,
)
from dialoom.cli.output import not_held, print_lines, rejecting, report, write_json
from dialoom.render.progress import track


def convert(
    source: SourcePath,
    target: TargetFolder,
    from_: SourceFormat = None,
    to: str = "native",
    strict: bool = False,
    workers: Workers = 1,
    rejects: RejectsFile = None,
    json: JsonFile = None,
) -> None:
    """Convert a corpus to another format, and report what that format cannot hold.

    Several workers help with formats that have many dialogues in a file (such as sgd, chat, babi);
    others, such as native, are written by one process.

    Example: dialoom convert corpora/star out/star --to native

    Args:
        to: Format of DST.
        strict: Write nothing and exit 1 if anything would be lost.
    """
    with rejecting(rejects) as load, load(source, from_).converting(to, target, workers) as export:
        write_json(export.record, json)
        if strict and export.loss:
            losses = ", ".join(f"{field} ({n})" for field, n in export.loss.items())
            typer.echo(f"dialoom: {to} cannot hold: {losses}; nothing was written", err=True)
            raise typer.Exit(1)
    summary = f"{export.dialogues} dialogues and {export.schemas} task schemas written to {target}"
    print_lines((summary, *not_held(export.loss, to)), json)


def roundtrip(
    path: CorpusPath,
    format: FormatName = None,
    json: JsonFile = None,
) -> None:
    """Check that every file of a corpus is read and written unchanged; exits 1 if one differs.

    Example: dialoom roundtrip corpora/star --format star
    """
    from dialoom import formats
    from dialoom.quality.roundtrip import roundtrip as check

    corpus = formats.load(path, format)
    verdicts = {"bytes": 0, "values": 0, "differs": 0}
    pairs = check(corpus, formats.get(corpus.format))
    for file, verdict in track(pairs, "files", len(corpus.files)):
        verdicts[verdict] += 1
        if verdict == "differs":
            typer.echo(f"differs: {file}", err=True)
    lines = (
        f"equal byte for byte: {verdicts['bytes']}",
        f"equal value for value, in another layout: {verdicts['values']}",
        f"{len(corpus.files)} files, {verdicts['differs']} differ",
    )
    report({"files": len(corpus.files), **verdicts}, json, lines)
    if verdicts["differs"]:
        raise typer.Exit(1)
