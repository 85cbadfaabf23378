"""The base of all commands: groups of commands and of options, and the check of output files.

    stats_app = Commands("stats", "Count things.")
    stats_app.command()(count)

A parameter whose type is a dataclass is a group of options: each field is an option, and the
command receives them as one value. Output options are called `--json`, `--html`, `--out` or
`--predictions`. An output file must be writable, must not be read by the same command, and must not
be named twice.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandFunctionType

OUTPUTS = ("out", "json", "html", "predictions")
"""The options that name a file to write; `-` is standard output."""

FOLDER = "DIR"
"""The metavar of an option that names a new folder rather than a file."""


class Commands(typer.Typer):
    """A group of commands; its help is by default that of its callback."""

    def __init__(self, name: str, help: str | None = None, **settings: Any) -> None:
        settings = {
            "no_args_is_help": True,
            "add_completion": False,
            "cls": CommandGroup,
            **settings,
        }
        context = {"help_option_names": ["-h", "--help"]}
        if help is not None:  # else that of its callback
            settings["help"] = help
        super().__init__(name=name, context_settings=context, **settings)

    def command(
        self, name: str | None = None, **settings: Any
    ) -> Callable[[CommandFunctionType], CommandFunctionType]:
        """Return a decorator that makes a function a command of this group."""
        register = super().command(name, cls=Command, **settings)
        return lambda command: _registered(register, command)

    def callback(self, **settings: Any) -> Callable[[CommandFunctionType], CommandFunctionType]:
        """Return a decorator that makes a function run for the group itself."""
        register = super().callback(**settings)
        return lambda command: _registered(register, command)


def _registered(register: Callable[..., Any], command: CommandFunctionType) -> CommandFunctionType:
    register(ungrouped(command))
    return command


def ungrouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with each field of its groups of options as a parameter of its own."""
    known = getattr(command, "__globals__", {})
    named = {
        name: str(each.annotation) for name, each in inspect.signature(command).parameters.items()
    }
    groups = {name: known[text] for name, text in named.items() if is_dataclass(known.get(text))}
    if not groups:  # annotations are evaluated only where they have to be: it takes time
        return command
    parameters: dict[str, inspect.Parameter] = {}
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        if name in groups:
            parameters |= inspect.signature(groups[name], eval_str=True).parameters
        else:
            parameters[name] = parameter

    @wraps(command)
    def run(**given: Any) -> None:
        chosen = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **chosen)

    run.__annotations__ = {name: each.annotation for name, each in parameters.items()}
    ordered = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters.values()]
    run.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    return run


class _PlainFlags:
    """Shows an option that takes no value as one, not as `<bool>`."""

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False) and param.metavar is None:
                param.metavar = ""
        return params


class CommandGroup(_PlainFlags, TyperGroup):
    """A group of commands."""


class Command(_PlainFlags, TyperCommand):
    """A command that checks where its results go before it starts."""

    def invoke(self, ctx: Any) -> Any:
        """Check the outputs, then run the command."""
        folders = {
            str(param.name)
            for param in self.params
            if FOLDER in (getattr(param, "metavar", "") or "")
        }
        check_outputs(ctx.params, folders)
        return super().invoke(ctx)


def check_outputs(given: Mapping[str, Any], folders: set[str]) -> None:
    """Raise `OutputError` for unwritable outputs, `UsageError` for files with two uses."""
    from dialoom.corpus.files import check_writable, is_stream
    from dialoom.errors import UsageError

    outputs = {
        name: value
        for name in OUTPUTS
        if isinstance(value := given.get(name), Path) and name not in folders
    }
    inputs = {
        value for name, each in given.items() if name not in outputs for value in _paths(each)
    }
    taken: dict[Path, str] = {}
    for name, path in outputs.items():
        place = path
        if path != Path("-"):
            check_writable(path)
            place = Path(os.path.realpath(path))
            if not is_stream(path) and place in inputs:
                raise UsageError(f"--{name} {path}: is read by this command; name another file")
        if place in taken:
            what = "standard output" if path == Path("-") else str(path)
            raise UsageError(f"--{taken[place]} and --{name} cannot both be written to {what}")
        taken[place] = name


def _paths(value: Any) -> Iterator[Path]:
    if isinstance(value, list | tuple):
        for each in value:
            yield from _paths(each)
    elif isinstance(value, Path) or (isinstance(value, str) and len(value) < 4096):
        path = Path(value)
        try:
            if path.is_file():
                yield path.resolve()
        except (OSError, ValueError):  # no path at all
            return
