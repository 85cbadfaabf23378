"""The digest of the code that a model's predictions depend on, as the key of kept fits."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from itertools import accumulate
from pathlib import Path

from dialoom.dialogue import digest
from dialoom.schema.flow import reachable

ROOT = Path(__file__).parents[1]

CHOSEN = ("dialoom.bench", "dialoom.metrics", "dialoom.models", "dialoom.learn.text")
"""Modules whose registry entries are not followed: the caller names the one that is used."""

DATA = (".json", ".yaml", ".txt")
"""The suffixes of data files that modules read."""

TARGET = re.compile(r"(dialoom(?:\.\w+)+):\w+")
"""Matches an entry of a registry: `module:attribute`."""

BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
"""Fields of a statement with other statements, which alone import."""

LIBRARIES = {
    "dialoom": "dialoom",
    "numpy": "numpy",
    "python-crfsuite": "pycrfsuite",
    "scikit-learn": "sklearn",
    "scipy": "scipy",
    "tokenizers": "tokenizers",
    "torch": "torch",
    "transformers": "transformers",
    "wordllama": "safetensors",  # which reads its vectors: no module of it is imported
}
"""Distribution to module of the libraries whose versions count for the modules that import them."""

NEURAL = ("torch", "transformers")
"""Those of `LIBRARIES` that only neural models need."""

NEURAL_MODULES = frozenset({"dialoom.models.neural", "dialoom.learn.encodings"})
"""The package and the module that need these libraries."""


version = cache(metadata.version)
"""Returns the version of an installed distribution."""


def code_digest(*modules: str) -> str:
    """Return the digest of modules and of all modules of dialoom that they import, transitively.

    It covers modules in their registries, data files of their packages, and the versions of dialoom
    and of imported `LIBRARIES`. From another package, only the file of the module itself counts.
    """
    own = {name: file.read_bytes() for name in modules if (file := _elsewhere(name))}
    names = sorted(_closure(frozenset(modules) - set(own)))
    files = [*map(_file, names), *(file for name in names for file in _data(name))]
    contents = [(file.relative_to(ROOT).as_posix(), _content(file)) for file in files if file]
    return digest((contents, sorted(own.items()), _versions(names)))


def environment(*modules: str) -> dict[str, str]:
    """Return code and libraries of a model and its encoder, for signatures.

    `code` is the beginning of the digest of all files of dialoom, which distinguishes commits and
    wheels of one version; `libraries` contains the versions of the installed `LIBRARIES`, those in
    `NEURAL` only for models that need `NEURAL_MODULES`.
    """
    needed = {name for module in modules for name in _needed(module)}
    left_out = {"dialoom", *(NEURAL if needed.isdisjoint(NEURAL_MODULES) else ())}
    libraries = {name: module for name, module in LIBRARIES.items() if name not in left_out}
    there = (f"{name}-{version(name)}" for name in libraries if _is_installed(name))
    return {"code": _package_digest()[:8], "libraries": ",".join(there)}


@cache
def _content(file: Path) -> str:
    return digest(file.read_bytes())


@cache
def _package_digest() -> str:
    files = sorted(each for each in ROOT.rglob("*") if each.suffix in (".py", *DATA))
    return digest([(file.relative_to(ROOT).as_posix(), file.read_bytes()) for file in files])


def _elsewhere(module: str) -> Path | None:
    if module.partition(".")[0] == "dialoom":
        return None
    path = getattr(sys.modules.get(module), "__file__", None)
    return Path(path) if path else None


@cache
def _closure(modules: frozenset[str]) -> frozenset[str]:
    return frozenset(reachable(filter(_file, modules), lambda name: filter(_file, _needed(name))))


@cache
def _needed(module: str) -> frozenset[str]:
    file = _file(module)
    source = file.read_text(encoding="utf-8") if file else ""
    tree = ast.parse(source)
    names = {module, *_imported(tree.body)}
    if module not in CHOSEN and TARGET.search(source):
        constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
        targets = (TARGET.fullmatch(value) for value in constants if isinstance(value, str))
        names.update(target[1] for target in targets if target is not None)
    # with the packages that they are in
    return frozenset(n for name in names for n in accumulate(name.split("."), "{}.{}".format))


def _imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the imported names, each of which may be a module; not those for type checkers."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            for part in BLOCKS:
                yield from _imported(getattr(node, part, ()))


@cache
def _file(module: str) -> Path | None:
    first, *parts = module.split(".")
    home = ROOT.joinpath(*parts)
    for file in (home / "__init__.py", home.with_suffix(".py") if parts else home):
        if first == "dialoom" and file.is_file():
            return file
    return None


def _data(module: str) -> list[Path]:
    """Return a package's data files; for dialoom, also those in folders without modules."""
    file = _file(module)
    if file is None or file.name != "__init__.py":
        return []
    files = list(file.parent.iterdir())
    for folder in list(files) if file.parent == ROOT else ():
        if folder.is_dir() and not (folder / "__init__.py").exists():
            files += folder.rglob("*")
    return sorted(each for each in files if each.suffix in DATA)


def _versions(modules: Iterable[str]) -> list[tuple[str, str]]:
    needed = {"dialoom"}.union(*map(_needed, modules))
    there = (n for n, module in LIBRARIES.items() if module in needed and _is_installed(n))
    return [(name, version(name)) for name in there]


@cache
def _is_installed(name: str) -> bool:
    return any(metadata.distributions(name=name))
