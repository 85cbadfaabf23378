"""The extras of the package bring every optional library that the source imports for them."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

from dialoom.errors import EXTRAS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OPTIONAL: dict[str, list[str]] = PROJECT["optional-dependencies"]

WHOLE = {"dialoom.collect": "collect", "dialoom.serve": "collect"}
"""Packages that one extra is for, to that extra."""

distributions = cache(packages_distributions)


def name_of(requirement: str) -> str:
    """Return the name of the distribution in a requirement, in one spelling."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


@cache
def required(distribution: str) -> frozenset[str]:
    """Return the distributions that one brings, with itself, as far as they are installed."""
    try:
        needed = [each for each in requires(distribution) or () if "extra ==" not in each]
    except PackageNotFoundError:
        needed = []
    return frozenset({distribution}).union(*(required(name_of(each)) for each in needed))


@cache
def brought(extra: str | None) -> set[str]:
    """Return the distributions of an installation with one extra, or with none."""
    packages = list(PROJECT["dependencies"])
    for each in OPTIONAL[extra] if extra else ():
        own = re.fullmatch(r"dialoom\[(\w+)\]", each)
        packages += OPTIONAL[own[1]] if own else [each]
    return set().union(*(required(name_of(each)) for each in packages))


@cache
def provided(module: str, extra: str | None) -> bool:
    """True if an installation with one extra has the distribution of a module."""
    packages = distributions().get(module) or [module]
    return bool({name_of(each) for each in packages} & brought(extra))


def imports(nodes: Iterator[ast.AST]) -> Iterator[tuple[str, int]]:
    """Yield the modules that statements import by absolute names, and the lines."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((each.name, node.lineno) for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node.lineno
            yield from ((f"{node.module}.{each.name}", node.lineno) for each in node.names)


def foreign(module: str) -> bool:
    top = module.partition(".")[0]
    return top not in sys.stdlib_module_names and top != "dialoom"


def checking(node: ast.AST) -> bool:
    """True for a block that only type checkers read."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def executed(node: ast.AST, *, inner: bool) -> Iterator[ast.AST]:
    """Yield the statements below a node that run: all, or only those of importing its module."""
    for child in ast.iter_child_nodes(node):
        function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        if not checking(child) and (inner or not function):
            yield child
            yield from executed(child, inner=inner)


@cache
def files() -> dict[str, ast.Module]:
    """Return each module of ours with its syntax."""
    return {
        ".".join(file.relative_to(SOURCE).with_suffix("").parts): ast.parse(file.read_text())
        for file in sorted(SOURCE.rglob("*.py"))
    }


@cache
def at_import(module: str) -> tuple[str, ...]:
    """Return the names that importing one module of ours imports; none if it is no module."""
    tree = files().get(module) or files().get(f"{module}.__init__")
    return tuple(name for name, _ in imports(executed(tree, inner=False))) if tree else ()


@cache
def loaded(module: str) -> frozenset[str]:
    """Return the libraries that importing one module of ours imports, through others of ours."""
    libraries: set[str] = set()
    queue, modules = [module], {""}
    while queue:
        one = queue.pop()
        if one not in modules:
            modules.add(one)
            queue.append(one.rpartition(".")[0])
            names = at_import(one)
            libraries |= {name.partition(".")[0] for name in names if foreign(name)}
            queue += [name for name in names if not foreign(name)]
    return frozenset(libraries)


@cache
def imported() -> list[tuple[str, str, int]]:
    """Return each import of another library: our module, the library, the line."""
    return [
        (module, name.partition(".")[0], line)
        for module, tree in files().items()
        for name, line in imports(executed(tree, inner=True))
        if foreign(name)
    ]


def test_each_optional_library_has_an_extra_that_brings_it() -> None:
    assert len(imported()) > 300
    libraries = {library for _, library, _ in imported()} - {"pytest"}  # pytest loads our plugin
    optional = {library for library in libraries if not provided(library, None)}
    assert optional - EXTRAS.keys() == set()
    assert {lib for lib, extra in EXTRAS.items() if not provided(lib, extra)} == set()


def test_the_extra_of_a_package_brings_all_that_it_imports() -> None:
    lacking = [
        f"{module}:{line} imports {library}, which [{extra}] does not bring"
        for module, library, line in imported()
        for package, extra in WHOLE.items()
        if module.startswith(package) and not provided(library, extra)
    ]
    assert lacking == []


def blocks() -> Iterator[tuple[str, str, ast.With]]:
    """Yield each block whose missing libraries an extra is named for: module, extra, block."""
    for module, tree in files().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.With) and isinstance(node.items[0].context_expr, ast.Call):
                call = node.items[0].context_expr
                if isinstance(call.func, ast.Name) and call.func.id == "needs_extra":
                    argument = call.args[-1]
                    extra = argument.value if isinstance(argument, ast.Constant) else None
                    yield module, str(extra or WHOLE.get("dialoom.serve")), node


def test_the_extra_that_a_message_names_brings_all_that_was_missing() -> None:
    guards = list(blocks())
    assert len(guards) > 3
    for module, extra, block in guards:
        extra = {"dialoom.formats.parquet.__init__": "scale"}.get(module, extra)
        for name, line in imports(executed(block, inner=True)):
            for library in {name.partition(".")[0]} if foreign(name) else loaded(name):
                assert provided(library, extra), f"{module}:{line}: {library} is not in [{extra}]"


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("bench", "sim-zero-shot", "--corpus", "{data}"), "models"),
        (("schema", "induce", "{data}", "--out", "induced"), "models"),
        (("play", "--tasks", "weather", "--agent", "follower", "--out", "played"), "models"),
        (("bench", "sim-zero-shot", "--corpus", "{data}", "--model", "schema-attention"), "models"),
        (("collect", "settle", "--db", "study.sqlite", "--out", "settled"), "collect"),
        (("play", "--tasks", "weather", "--user", "openai:x@http://[::1]:1", "--out", "p"), "llm"),
        (("convert", "{data}", "table", "--to", "parquet"), "scale"),
        (("mcp", "--tasks", "weather"), "mcp"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_a_command_without_its_libraries_names_the_extra(
    words: tuple[str, ...], extra: str, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        f"import sys\nfor name in {sorted(EXTRAS)}:\n    sys.modules[name] = None\n"
    )
    paths = [str(tmp_path), str(SOURCE)]
    command = [sys.executable, "-m", "dialoom"]
    command += [word.format(data=ROOT / "examples" / "sample") for word in words]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert f"pip install 'dialoom[{extra}]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
