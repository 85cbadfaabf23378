"""`dialoom schema variant`: dialogues and schemas under other names (SGD-X)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from dialoom.cli.command import Bounds
from dialoom.cli.options import JsonFile, Seed, SourceFormat, TargetFormat, Workers
from dialoom.cli.output import check_new, not_held, print_lines, staged_output, write_json
from dialoom.errors import MissingDataError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.schema.task import TaskSchema
    from dialoom.schema.variants import Renaming


def variant(
    source: str,
    target: Path,
    name: str | None = None,
    distance: Annotated[float | None, Bounds(0, 1)] = None,
    seed: Seed = 1,
    from_: SourceFormat = None,
    to: TargetFormat = None,
    workers: Workers = 1,
    json: JsonFile = None,
) -> None:
    """Rename services, slots and intents as a variant of SGD-X does, or by new names.

    The distance of two names is their edit distance divided by the length of the longer one; the
    distance of a variant is the mean over its names. The command prints the distance reached.

    Example: dialoom schema variant corpora/sgd/dev out/dev_v1 --variant v1

    Example: dialoom schema variant hotel_book far_hotel.yaml --distance 0.5 --seed 3

    Args:
        source (SRC): An SGD corpus, a schema.json, a task file, or the name of a bundled task.
        target (DST): A new folder; of a schema or task, a new file.
        name (--variant): A variant of SGD-X (v1 to v5), or its folder or schema.json.
        distance: Make a new variant with names at this mean edit distance, 0 to 1.
    """
    if (name is None) == (distance is None):
        raise UsageError("give one of --variant and --distance")
    path = Path(source)
    if _is_task(source):
        staged = _task_file(source, target, distance, seed)
    elif path.name == "schema.json" or (path.suffix == ".json" and "schema" in path.stem):
        staged = _schema_file(path, target, name, distance, seed)
    else:
        staged = _corpus(path, target, (name, distance, seed), (from_, to), workers)
    with staged as summary:
        write_json(summary, json)
    print_lines(_lines(summary, target), json)


def _lines(summary: dict[str, Any], target: Path) -> Iterator[str]:
    prefix = f"{summary['dialogues']} dialogues and " if "dialogues" in summary else ""
    unit = "task" if summary["schemas"] == 1 else "tasks"
    yield f"{prefix}{summary['schemas']} {unit} written to {target}"
    yield f"{summary['names']} names, mean distance {summary['distance']:.3f}"
    yield from (f"  {note}" for note in summary["notes"])
    yield from not_held(summary.get("loss", {}), summary.get("target", ""))


def _is_task(source: str) -> bool:
    """True if `source` is a task file or bundled task; `UnknownNameError` if it is no path."""
    from dialoom.corpus.files import exists
    from dialoom.schema import pack

    path = Path(source)
    if path.name == source and not path.suffix and source not in pack.names() and not exists(path):
        raise UnknownNameError("corpus or task", source, pack.names())
    return path.suffix in pack.SUFFIXES or (source in pack.names() and not path.exists())


@contextmanager
def _task_file(
    source: str, target: Path, distance: float | None, seed: int
) -> Iterator[dict[str, Any]]:
    from dialoom.schema import pack
    from dialoom.schema.rewording import distance as reached
    from dialoom.schema.rewording import vary_file
    from dialoom.schema.yaml.reading import refuse, review
    from dialoom.schema.yaml.writing import write

    if distance is None:
        raise UsageError("--variant is for SGD's services; a task file takes --distance")
    check_new(target, str(target))
    document = pack.document(source)
    refuse(review(document))
    value, names = vary_file(document.value, distance, seed)
    head = f"A variant of {document.value['task']}: distance {reached(names):.3f}, seed {seed}."
    with staged_output(target) as file:
        file.write(write(value, head).encode())
        yield {"schemas": 1, "names": len(names), "distance": reached(names), "notes": []}


@contextmanager
def _schema_file(
    path: Path, target: Path, name: str | None, distance: float | None, seed: int
) -> Iterator[dict[str, Any]]:
    from dialoom.formats.sgd.schemas import FILE, read_schema_file, schema_files

    if name is not None or distance is None:
        raise UsageError("--variant renames dialogues; name the corpus, or give --distance")
    check_new(target, str(target))
    tasks = {task.id: task for task in read_schema_file(path, FILE)}
    varied, renaming = _made(tasks, distance, seed)
    with staged_output(target) as file:
        file.write(schema_files(varied)[FILE])
        yield {"schemas": len(varied), **_reached(tasks, renaming), "notes": []}


def _made(
    tasks: Mapping[str, TaskSchema], distance: float, seed: int
) -> tuple[dict[str, TaskSchema], Renaming]:
    from dialoom.schema.rewording import vary_service
    from dialoom.schema.services import contract
    from dialoom.schema.variants import renaming

    services = {key: contract(task) for key, task in tasks.items() if task.is_service}
    if not services:
        raise UsageError(
            "there are no services to rename; SRC needs SGD's schema.json in its folder"
        )
    pairs = {key: vary_service(tasks[key], base, distance, seed) for key, base in services.items()}
    names = renaming({key: own_names for key, (_, own_names) in pairs.items()})
    return {task.id: task for task, _ in pairs.values()}, names


@contextmanager
def _corpus(
    path: Path,
    target: Path,
    options: tuple[str | None, float | None, int],
    between: tuple[str | None, str | None],
    workers: int,
) -> Iterator[dict[str, Any]]:
    from dialoom import formats
    from dialoom.formats.base.conversion import Conversion, staged_corpus
    from dialoom.schema.variants import in_order, pair, rename

    from_, to = between
    corpus = formats.load(path, from_)
    name, distance, seed = options
    if name is not None:
        tasks = _variant_schemas(corpus, name)
        renaming, notes = pair(corpus.schemas, tasks)
        used = {names.service for names in renaming.services.values()}
        varied = {key: task for key, task in tasks.items() if key in used}
    else:
        (varied, renaming), notes = _made(corpus.schemas, distance or 0.0, seed), []
    how = Conversion(lambda dialogue, _: in_order(rename(dialogue, renaming)), workers)
    format_ = formats.get(to or corpus.format)
    with staged_corpus(corpus.tracked, varied, format_, target, how, sources=[corpus]) as loss:
        yield {
            "target": format_.name,
            "dialogues": how.counts["dialogues"],
            "schemas": len(varied),
            **_reached(corpus.schemas, renaming),
            "notes": notes,
            "loss": loss,
        }


def _reached(tasks: Mapping[str, TaskSchema], renaming: Renaming) -> dict[str, Any]:
    from dialoom.schema.rewording import between
    from dialoom.schema.services import contract

    edits = []
    for key, task in tasks.items():
        names = renaming.services.get(key)
        if names is not None:
            service = contract(task)
            edits += [between(s.name, names.slots[s.name]) for s in service.slots]
            edits += [between(i.name, names.intents[i.name]) for i in service.intents]
    return {"names": len(edits), "distance": sum(edits) / len(edits) if edits else 0.0}


def _variant_schemas(corpus: Corpus, name: str) -> dict[str, TaskSchema]:
    from dialoom.formats.sgd.schemas import FILE, read_variant

    if not any(task.is_service for task in corpus.schemas.values()):
        raise UsageError(f"{corpus.path}: no schema.json here to pair the variant's with")
    tasks = read_variant(corpus.root, name)
    if not tasks:
        what = f"no variant {name} of the schema in the folder of {corpus.path}"
        raise MissingDataError(f"{what}; --variant takes v1 to v5, or a folder with a {FILE}")
    return tasks
