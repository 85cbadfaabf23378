"""Model files: a line of JSON about the model and its training, then the pickled model.

The line (`head -1 FILE`) names the model, its settings, the versions it was saved with, and its
training: protocol with options, digests of corpora and schemas, numbers of examples by task. The
pickle may name only classes of dialoom, NumPy, SciPy, scikit-learn and the model's own package.
This detects mistakes, but does not protect against malice: load only files that you trust.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import read_bytes, write_atomic
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.question import kind_name
from dialoom.errors import FormatError, UsageError
from dialoom.learn.code_digest import version
from dialoom.learn.model import Model, settings_of

FORMAT = 1
"""The version of the file layout; later ones cannot be read."""

LIBRARIES = ("dialoom", "scikit-learn")
"""Distributions whose versions must be those that a file was saved with."""

PACKAGES = frozenset({"dialoom", "numpy", "scipy", "sklearn"})
"""The packages whose classes a model may hold, besides the model's own."""

PLAIN = {
    "builtins": {"bytearray", "complex", "dict", "frozenset", "list", "object", "set", "slice"},
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "msgspec._utils": {"rebuild"},
    "re": {"_compile"},
}
"""Module to its names that a pickle may have besides the packages' classes."""

MAKERS = {"_frombuffer", "_reconstruct", "scalar"}
"""NumPy's functions that rebuild arrays and numbers; those of other libraries end in `_ctor`, or
begin with `__pyx_unpickle_` (compiled classes)."""

DAMAGED = (
    pickle.UnpicklingError,
    ArithmeticError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    MemoryError,
    TypeError,
    ValueError,
)
"""The exceptions of reading a pickle that is truncated, changed, or of other code."""


class TrainingRecord(msgspec.Struct, frozen=True):
    """The training data of a model.

    `protocol` is empty for none; `digests` map corpora, and "schemas", to theirs.
    """

    protocol: str = ""
    options: dict[str, str] = {}
    digests: dict[str, str] = {}
    examples: int = 0
    tasks: dict[str, int] = {}


class Header(msgspec.Struct, frozen=True):
    """The first line of a model file.

    `dialoom_model` is the version of the layout, `versions` maps `LIBRARIES` to theirs; `bytes` and
    `sha256` (hexadecimal) are length and digest of the pickle. Settings omit defaults.
    """

    dialoom_model: int
    model: str
    settings: dict[str, Any]
    versions: dict[str, str]
    training: TrainingRecord
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class SavedModel:
    """A model that was read from a file; `dialogues` are digests of its training dialogues."""

    model: Model
    header: Header
    dialogues: frozenset[str]


def save(
    model: Model,
    path: Path,
    training: TrainingRecord,
    dialogues: Iterable[str] = (),
    *,
    outside: Sequence[Any] = (),
) -> None:
    """Write a fitted model to a file, whole or not at all.

    The model's `settle`, if any, is called first to finish deferred fitting, unless there are
    objects `outside`: these are not written, and `load` gets them again. `dialogues` are digests of
    training dialogues. `UsageError` if the model contains a forbidden object, `OutputError` if the
    file cannot be written.
    """
    if not outside and hasattr(model, "settle"):
        model.settle()
    body = io.BytesIO()
    try:
        _Pickler(body, outside).dump((model, sorted(dialogues)))
        data = body.getvalue()
        _Unpickler(data, type(model).__module__, outside).load()
    except (*DAMAGED, RecursionError) as error:
        raise UsageError(
            f"the model {model.name} cannot be saved: {error}", code="not-saved"
        ) from error
    header = Header(
        dialoom_model=FORMAT,
        model=model.name,
        settings=settings_of(model),
        versions=_versions(),
        training=training,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
    )
    write_atomic(path, msgspec.json.encode(header) + b"\n" + data)


def load(
    path: Path,
    lookup: Callable[[str], type[Any]],
    kind: type[Struct] | None = None,
    *,
    outside: Sequence[Any] = (),
) -> SavedModel:
    """Read a model that answers questions of a kind.

    `lookup` returns the class of a model by its name; `outside` are the objects of `save`, in the
    same order. `MissingDataError` without the file; `FormatError` for a damaged file, another
    format or other versions; `UsageError` for another kind; `UnknownNameError` for a missing model.
    """
    data = read_bytes(path)
    header, body = _header(data, path)
    model = lookup(header.model)
    if kind is not None and kind not in model.kinds:
        kinds = ", ".join(map(kind_name, model.kinds))
        raise UsageError(
            f"{path}: a model {header.model}, which answers questions of the kind {kinds}, not "
            f"{kind_name(kind)}",
            code="wrong-kind",
        )
    try:
        instance, dialogues = _Unpickler(body, model.__module__, outside).load()
    except (*DAMAGED, RecursionError) as error:
        raise FormatError(
            path, f"this dialoom cannot read the model: {error}", code="outside"
        ) from error
    if type(instance) is not model:
        raise FormatError(
            path, f"not a model {header.model}, as its first line says", code="mismatch"
        )
    return SavedModel(instance, header, frozenset(dialogues))


def _header(data: bytes, path: Path) -> tuple[Header, bytes]:
    line, _, body = data.partition(b"\n")
    try:
        layout = msgspec.json.decode(line, type=_Layout).dialoom_model
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FormatError(
            path, "not a model file; dialoom train writes them", code="other-format"
        ) from error
    if layout > FORMAT:
        message = f"a model file of layout {layout}, this dialoom reads up to {FORMAT}: update it"
        raise FormatError(path, message, code="wrong-version")
    try:
        header = msgspec.json.decode(line, type=Header)
    except msgspec.MsgspecError as error:
        raise FormatError(path, f"the first line is damaged: {error}", code="damaged") from error
    if len(body) != header.bytes:
        message = f"cut off or changed: {len(body):,} bytes after the first line"
        raise FormatError(
            path, f"{message}, not the {header.bytes:,} that were saved", code="damaged"
        )
    if hashlib.sha256(body).hexdigest() != header.sha256:
        raise FormatError(
            path, "changed: its bytes are not those that were saved (SHA-256)", code="damaged"
        )
    for name, here in _versions().items():
        if header.versions.get(name) != here:
            message = f"saved with {name} {header.versions.get(name, 'unknown')}, not {here}"
            raise FormatError(
                path, f"{message}: train it again (dialoom train)", code="wrong-version"
            )
    return header, body


class _Layout(msgspec.Struct, frozen=True):
    dialoom_model: int


def _versions() -> dict[str, str]:
    return {name: version(name) for name in LIBRARIES}


class _Pickler(pickle.Pickler):
    """Writes an index in place of each object outside the file."""

    def __init__(self, file: io.BytesIO, outside: Sequence[Any]) -> None:
        super().__init__(file, protocol=5)
        self._numbers: Mapping[int, int] = {id(each): n for n, each in enumerate(outside)}

    def persistent_id(self, obj: Any) -> int | None:
        return self._numbers.get(id(obj))


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, home: str, outside: Sequence[Any]) -> None:
        super().__init__(io.BytesIO(data))
        self._packages = PACKAGES | {home.partition(".")[0]}
        self._outside = outside

    def persistent_load(self, pid: Any) -> Any:
        return self._outside[pid]

    def find_class(self, module: str, name: str) -> Any:
        """Return the class or function of a name; `UnpicklingError` if it is not allowed."""
        if name in PLAIN.get(module, ()):
            return super().find_class(module, name)
        if module.partition(".")[0] in self._packages:
            member = super().find_class(module, name)
            home = getattr(member, "__module__", None) or module
            makes = name in MAKERS or name.startswith("__pyx_unpickle_") or name.endswith("_ctor")
            if home.partition(".")[0] in self._packages and (isinstance(member, type) or makes):
                return member
        raise pickle.UnpicklingError(f"it holds {module}.{name}, which no model file may")
