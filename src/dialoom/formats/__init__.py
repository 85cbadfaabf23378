"""Published file formats, each read and written without loss.

corpus = load(Path("star"))             # the format is detected
corpus = load(Path("out"), "native")
corpus = load(Path("sgd.zip"))
"""

from __future__ import annotations

from pathlib import Path

from dialoom.corpus.archive import opened
from dialoom.corpus.corpus import Corpus
from dialoom.corpus.files import exists, read_json
from dialoom.corpus.format import Format
from dialoom.corpus.listing import GZIP
from dialoom.corpus.traits import NO_TRAITS, Traits
from dialoom.errors import FormatError, MissingDataError
from dialoom.formats.base.multi_file import head
from dialoom.registry import Registry
from dialoom.schema.task import TaskSchema

FORMATS: Registry[Format] = Registry(
    "format",
    "dialoom.formats",
    {
        "babi": "dialoom.formats.babi:FORMAT",
        "dstc6": "dialoom.formats.dstc6:FORMAT",
        "chat": "dialoom.formats.chat:FORMAT",
        "html": "dialoom.formats.html:FORMAT",
        "frames": "dialoom.formats.frames:FORMAT",
        "frames-text": "dialoom.formats.frames_text:FORMAT",
        "iob": "dialoom.formats.iob:FORMAT",
        "gem": "dialoom.formats.gem:FORMAT",
        "gem-generation": "dialoom.formats.gem.generation:FORMAT",
        "native": "dialoom.formats.native:FORMAT",
        "parquet": "dialoom.formats.parquet:FORMAT",
        "star": "dialoom.formats.star:FORMAT",
        "taskmaster1": "dialoom.formats.taskmaster1:FORMAT",
        "text": "dialoom.formats.text:FORMAT",
        "sgd": "dialoom.formats.sgd:FORMAT",
    },
)

ZIP = ".zip"


def get(name: str) -> Format:
    """Return the format called `name`; an unknown name lists the known ones."""
    return FORMATS.get(name)


def traits(name: str) -> Traits:
    """Return what the format called `name` promises; nothing where there is no such format."""
    return FORMATS.get(name).traits if name in FORMATS else NO_TRAITS


def detect(path: Path | str) -> Format:
    """Return the format that `path` looks like.

    Raises:
        MissingDataError: There is nothing at `path`.
        FormatError: It looks like none of the known formats.
    """
    place = _present(path)
    if place.suffix == GZIP and place.is_file():
        head(place)  # tells what is wrong with it
    for name in FORMATS:
        candidate = FORMATS.get(name)
        if candidate.detect(place):
            return candidate
    known = ", ".join(FORMATS)
    raise FormatError(path, f"looks like none of the known formats ({known}); name one of them")


def others(path: Path | str, format: str) -> list[str]:
    """Return what other formats there are files of in a folder; they are left alone.

    Args:
        path: The corpus.
        format: The format it is read in.

    Raises:
        MissingDataError: There is nothing at `path`.
    """
    place = _present(path)
    if not place.is_dir():
        return []
    return [name for name in FORMATS if name != format and FORMATS.get(name).detect(place)]


def load(path: Path | str, name: str | None = None) -> Corpus:
    """Open the corpus at `path`, in the named format or the one it looks like.

    Raises:
        MissingDataError: There is nothing at `path`, or none of the format's files.
        FormatError: No format fits.
    """
    format = get(name) if name else detect(path)
    corpus = Corpus(_present(path), format)
    _ = corpus.files
    return corpus


def schemas(path: Path | str) -> dict[str, TaskSchema]:
    """Read the task schemas of a corpus, or those that a folder or a file holds on their own.

    Raises:
        MissingDataError: There are none at `path`.
        SchemaError: A file is not what it should be.
    """
    place = _present(path)
    if place.is_file():
        return _schemas_of_file(place)
    names = ("native",) if get("native").detect(place) else ("star", "taskmaster1", "sgd")
    found = next(filter(None, (get(name).schemas(place) for name in names)), None)
    if found is None:
        wanted = "tasks/ (STAR), schema.json (SGD) or ontology.json (Taskmaster-1)"
        raise MissingDataError(f"{path}: no such folder of task schemas: it needs {wanted}")
    return found


def _schemas_of_file(file: Path) -> dict[str, TaskSchema]:
    from dialoom.formats.sgd.schemas import read_schema_file
    from dialoom.formats.taskmaster1.ontology import tasks

    value = read_json(file)
    if isinstance(value, list):
        return {task.id: task for task in read_schema_file(file)}
    return tasks(value, file)


def _present(path: Path | str) -> Path:
    path = Path(path)
    if not exists(path):
        raise MissingDataError(f"{path}: no such file or folder")
    return opened(path) if path.suffix == ZIP and path.is_file() else path


def locate(root: Path, name: str) -> Path:
    """Return where the corpus `name` lies: `root/name`, or `root` itself where that is absent.

    Raises:
        MissingDataError: There is no folder `root`.
    """
    if not exists(root):
        raise MissingDataError(f"{root}: no such folder; --corpus names a corpus root")
    below = root / name
    return below if below.is_dir() else root
