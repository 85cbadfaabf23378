"""Names for the parts a user can choose, imported only when chosen.

    formats = Registry("format", "dialoom.formats", {"star": "dialoom.formats.star:FORMAT"})
    formats.get("star")

A registry maps a name to a `module:attribute` string. Other packages add theirs through the entry
point group of the same name as the registry's.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Generic, TypeVar, cast

from dialoom.errors import UnknownNameError, UsageError, missing_extra

T = TypeVar("T")
Made = TypeVar("Made")


@lru_cache(maxsize=1)
def _installed(_path: tuple[str, ...]) -> Mapping[str, Mapping[str, str]]:
    """Return group to name to target of all installed packages: looking takes 40 ms."""
    points = entry_points()
    return {
        group: {point.name: point.value for point in points.select(group=group)}
        for group in points.groups
    }


class Registry(Generic[T]):
    """A family of parts by name, each imported on first use.

    Args:
        kind: The kind of the registered things, in the singular, for messages ("format").
        group: The entry point group in which other packages register theirs.
        builtin: Name to `module:attribute`.
    """

    def __init__(self, kind: str, group: str, builtin: Mapping[str, str]) -> None:
        self.kind, self.group = kind, group
        self._builtin = dict(builtin)

    def add(self, parts: Mapping[str, str]) -> None:
        """Add parts of a higher layer, name to `module:attribute`, when it is imported."""
        self._builtin.update(parts)

    def _targets(self) -> dict[str, str]:
        return {**_installed(tuple(sys.path)).get(self.group, {}), **self._builtin}

    def __iter__(self) -> Iterator[str]:
        """Yield the known names, sorted."""
        return iter(sorted(self._targets()))

    def module(self, name: str) -> str:
        """Return the name of the module that the part called `name` stands in.

        Raises:
            UnknownNameError: No part has this name.
        """
        target = self._targets().get(name)
        if target is None:
            raise UnknownNameError(self.kind, name, self)
        return target.partition(":")[0]

    def about(self, name: str) -> str:
        """Return the first line that the part called `name` says of itself; nothing is imported.

        Raises:
            UnknownNameError: No part has this name.
        """
        spec = find_spec(self.module(name))
        if spec is None or spec.origin is None:
            return ""
        tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
        attribute = self._targets()[name].partition(":")[2]
        parts = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == attribute]
        docstring = ast.get_docstring(parts[0] if parts else tree) or ""
        return docstring.partition("\n")[0].rstrip(".")

    def get(self, name: str) -> T:
        """Return the part called `name`.

        Raises:
            UnknownNameError: No part has this name.
            MissingExtraError: The part needs a library that is not installed.
            UsageError: It is another package's, and cannot be imported.
        """
        target = self._builtin.get(name) or self._targets().get(name)
        if target is None:
            raise UnknownNameError(self.kind, name, self)
        module, _, attribute = target.partition(":")
        try:
            return cast(T, getattr(import_module(module), attribute))
        except (ImportError, AttributeError) as error:
            if name not in self._builtin:
                raise UsageError(
                    f"{self.kind} {name} comes from another package, whose {target} cannot be "
                    f"imported: {error}"
                ) from error
            missing = missing_extra(f"{self.kind} {name}", error)
            if missing is None:
                raise
            raise missing from error

    def made(self: Registry[Callable[[str], Made]], choice: str | Made) -> Made:
        """Return what the part of `name:settings` makes of its settings; what is made, as it is.

        Raises:
            UnknownNameError: No part has this name.
            MissingExtraError: The part needs a library that is not installed.
            UsageError: The settings are none, or the part cannot be imported.
        """
        if not isinstance(choice, str):
            return choice
        name, _, settings = choice.partition(":")
        return self.get(name)(settings)
