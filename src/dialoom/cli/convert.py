"""`dialoom convert`, `filter`, `sample`, `split` and `merge`: corpora made of other corpora.

All keep the task schemas and split lists, write any format, read a corpus as a stream, and say what
a format could not hold. `dialoom roundtrip` checks that files are written as they were read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import (
    CorpusPath,
    FilterOptions,
    FormatName,
    JsonFile,
    RejectsFile,
    Seed,
    SourceFormat,
    SourcePath,
    TargetFolder,
    TargetFormat,
    Workers,
)
from dialoom.cli.output import not_held, print_lines, rejecting, report, write_json
from dialoom.errors import UsageError
from dialoom.render.progress import track
from dialoom.render.tables import counted

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.dialogue import Dialogue
    from dialoom.schema.task import TaskSchema


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


def roundtrip(path: CorpusPath, format: FormatName = None, json: JsonFile = None) -> None:
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


def filter_(
    source: SourcePath,
    target: TargetFolder,
    filters: FilterOptions,
    ids: list[str] | None = None,
    users: list[str] | None = None,
    from_: SourceFormat = None,
    to: TargetFormat = None,
    rejects: RejectsFile = None,
    json: JsonFile = None,
) -> None:
    """Write the dialogues of a corpus that meet all options, with their schemas.

    Example: dialoom filter examples/sample out/tours --task museum_tour --where 'turns >= 10'

    Args:
        ids (--id): Only the dialogue with this id; repeatable.
        users (--user): Only dialogues of this user, by worker id; repeatable.
    """
    with rejecting(rejects) as load:
        selection = filters.of(load(source, from_)).filter(ids=ids or (), users=users or ())
        _write(selection, target, to, json)


def sample(
    source: SourcePath,
    target: TargetFolder,
    size: Annotated[int, Bounds(1, 10**9)],
    seed: Seed = 0,
    from_: SourceFormat = None,
    to: TargetFormat = None,
    rejects: RejectsFile = None,
    json: JsonFile = None,
) -> None:
    """Write a random sample of the dialogues of a corpus; all of them where it has fewer.

    Example: dialoom sample examples/sample out/few -n 4 --seed 7

    Args:
        size (-n, --number): How many dialogues.
    """
    with rejecting(rejects) as load:
        _write(load(source, from_).sample(size, seed), target, to, json)


def split(
    source: SourcePath,
    target: TargetFolder,
    parts: str = "train=0.8,dev=0.1,test=0.1",
    seed: Seed = 0,
    from_: SourceFormat = None,
    to: TargetFormat = None,
    rejects: RejectsFile = None,
    json: JsonFile = None,
) -> None:
    """Split the dialogues of a corpus at random into parts; each part is a folder of DST.

    Example: dialoom split examples/sample out/parts --parts train=0.8,test=0.2 --seed 7

    Args:
        parts (NAME=SHARE,…): The parts and their shares, such as train=0.8,test=0.2.
    """
    from dialoom import formats
    from dialoom.corpus.files import staged_folder
    from dialoom.formats.base.conversion import staged_corpus

    shares = shares_of(parts)
    summary: dict[str, Any] = {}
    with rejecting(rejects) as load, staged_folder(target) as stage:
        corpus = load(source, from_)
        divided = corpus.split(shares, seed)
        for name, part in divided.items():
            format, stream = formats.get(to or part.format), _Kept(part.dialogues, part.splits)
            write_more = partial(stream.write_splits, format.name)
            with staged_corpus(
                *(stream, part.schemas, format, stage / name),
                sources=[part],
                write_more=write_more,
            ) as loss:
                summary[name] = {"dialogues": stream.count, "loss": loss}
        index = formats.get(to or corpus.format).traits.write_index
        if index is not None:
            index(stage, list(summary))
        write_json({"seed": seed, "parts": summary}, json)
    lines = [f"{name}: {each['dialogues']:,} dialogues" for name, each in summary.items()]
    print_lines([*lines, f"written to {target}"], json)


def merge(
    paths: list[Path],
    prefix: bool = False,
    to: str = "native",
    json: JsonFile = None,
) -> None:
    """Write the dialogues of several corpora, and their schemas, as one corpus.

    Ids that two corpora share, and schemas of one name that differ, are refused.

    Example: dialoom merge out/parts/train out/parts/test out/whole

    Args:
        paths (SRC… DST): Corpora, and the new folder.
        prefix: Prefix each id with the name of its corpus.
        to: Format of DST.
    """
    from dialoom import formats

    *sources, target = paths
    if not sources:
        raise UsageError("merge needs one corpus or more, and after them the new folder")
    corpora = {name: formats.load(path) for name, path in _named(sources).items()}
    dialogues = partial(_together, corpora, prefix=prefix)
    stream = _Kept(dialogues, _splits(corpora, prefix=prefix))
    _report(stream, corpora.values(), _schemas(corpora), to, target, json)


def _named(paths: Sequence[Path]) -> dict[str, Path]:
    """Return paths by as many of their last parts as make names that differ."""
    parts = [path.resolve().parts[1:] for path in paths]
    for size in range(1, max(map(len, parts)) + 1):
        places = {"-".join(each[-size:]): path for each, path in zip(parts, paths, strict=True)}
        if len(places) == len(paths):
            return places
    raise UsageError("merge: a corpus is named twice; name each once", code="twice")


def shares_of(text: str) -> dict[str, float]:
    """Read the parts of a split; `UsageError` for others."""
    from dialoom.corpus.listing import is_name

    shares: dict[str, float] = {}
    for each in text.split(","):
        name, _, share = each.partition("=")
        try:
            value = float(share)
        except ValueError:
            value = 0.0
        if not (is_name(name) and 0 < value < 1e9) or name in shares:
            what = "write different names, each with a share above 0, as train=0.8,test=0.2"
            raise UsageError(f"--parts {text}: {what}")
        shares[name] = value
    return shares


def _write(corpus: Corpus, target: Path, to: str | None, json: Path | None) -> None:
    stream = _Kept(corpus.tracked, corpus.splits)
    _report(stream, [corpus], corpus.schemas, to or corpus.format, target, json)


class _Kept:
    """The dialogues to write, which it counts, with the split lists of their corpora."""

    def __init__(
        self, dialogues: Callable[[], Iterator[Dialogue]], splits: Mapping[str, Sequence[str]]
    ) -> None:
        self._dialogues, self._splits = dialogues, splits
        self._ids: set[str] = set()
        self.count = 0

    def __call__(self) -> Iterator[Dialogue]:
        self._ids, self.count = set(), 0
        for dialogue in self._dialogues():
            self._ids.add(dialogue.id)
            self.count += 1
            yield dialogue

    def write_splits(self, format: str, folder: Path) -> None:
        """Write the split lists of the written dialogues, if the format has such lists."""
        from dialoom import formats

        write = formats.get(format).traits.write_splits
        if self._splits and write is not None:
            lists = self._splits.items()
            write({name: [id for id in ids if id in self._ids] for name, ids in lists}, folder)


def _splits(corpora: Mapping[str, Corpus], *, prefix: bool) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    for name, corpus in corpora.items():
        for split, ids in corpus.splits.items():
            full_ids = (f"{name}-{id}" if prefix else id for id in ids)
            parts.setdefault(split, []).extend(full_ids)
    return parts


def _report(
    stream: _Kept,
    sources: Collection[Corpus],
    schemas: Mapping[str, TaskSchema],
    to: str,
    target: Path,
    json: Path | None,
) -> None:
    from dialoom import formats
    from dialoom.formats.base.conversion import staged_corpus

    def several() -> Iterator[Dialogue]:
        yield from stream()
        if not stream.count:
            raise UsageError("no dialogue is left; nothing was written")

    more: dict[str, Any] = {"sources": sources, "write_more": partial(stream.write_splits, to)}
    with staged_corpus(several, schemas, formats.get(to), target, **more) as loss:
        summary = {"dialogues": stream.count, "schemas": len(schemas), "target": to, "loss": loss}
        write_json(summary, json)
    lines = [f"{counted(stream.count, 'dialogue')} written to {target}", *not_held(loss, to)]
    print_lines(lines, json)


def _together(corpora: Mapping[str, Corpus], *, prefix: bool) -> Iterator[Dialogue]:
    from msgspec.structs import replace

    owner: dict[str, str] = {}
    for name, corpus in corpora.items():
        for dialogue in corpus.tracked(name):
            if prefix:
                yield replace(dialogue, id=f"{name}-{dialogue.id}")
                continue
            if owner.setdefault(dialogue.id, name) != name:
                first = owner[dialogue.id]
                raise UsageError(
                    f"{first} and {name} both have a dialogue {dialogue.id}; --prefix puts the "
                    "corpus before each id",
                    code="twice",
                )
            yield dialogue


def _schemas(corpora: Mapping[str, Corpus]) -> dict[str, TaskSchema]:
    union: dict[str, TaskSchema] = {}
    for name, corpus in corpora.items():
        for task, schema in corpus.schemas.items():
            if union.setdefault(task, schema) != schema:
                raise UsageError(
                    f"{name}: its schema of {task} differs from that of another corpus",
                    code="mismatch",
                )
    return union
