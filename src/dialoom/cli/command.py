"""The base of all commands: groups of commands and of options, and the check of output files.

    stats_app = Commands("stats", "Count things.")
    stats_app.command()(count)

A parameter whose type is a dataclass is a group of options: each field is an option, and the
command receives them as one value. A command describes its parameters at the end of its docstring,
a group its options likewise under `Attributes:`. A parameter without a default is an
argument, as is one with a name in brackets. `Help` in the type of a parameter describes it for
several commands.

    Args:
        source (SRC): A corpus folder or file.
        ids (--id): Only the dialogue with this id; repeatable.
        share: The share of dialogues that are kept.
        more ([OTHER]): A second corpus.

Output options are called `--json`, `--html`, `--out`, `--predictions` or
`--rejects`. An output file must be writable, must not be read by the same command, and must not
be named twice.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandFunctionType

OUTPUTS = ("out", "json", "html", "predictions", "rejects")
"""The options that name a file to write; `-` is standard output."""

FOLDER = "DIR"
"""The metavar of an option that names a new folder rather than a file."""

Mark = TypeVar("Mark")

_ENTRY = re.compile(r"^    (\w+)(?: \(([^)]*)\))?: (.*(?:\n {8}.*)*)", re.MULTILINE)


class Bounds(NamedTuple):
    """The least and the greatest number that an option takes."""

    least: float
    most: float

    def check(self, param: typer.CallbackParam, value: float | None) -> float | None:
        """Return the number; `UsageError` if it is out of bounds."""
        from dialoom.errors import UsageError, clip

        if value is not None and not self.least <= value <= self.most:
            option = f"{param.opts[-1]} {clip(str(value), 40)}"
            raise UsageError(f"{option}: should be a number from {self.least:,} to {self.most:,}")
        return value


class Help(NamedTuple):
    """The help of a parameter; `marks` are its flags and its name in help, with commas between."""

    text: str
    marks: str = ""


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
    """Return a command with described parameters, and each field of its groups as one of them."""
    groups: dict[str, type[Any]] = {}
    parameters: dict[str, inspect.Parameter] = {}
    for name, parameter in _described(command, "Args:").items():
        if isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation):
            groups[name] = parameter.annotation
            parameters |= _described(parameter.annotation, "Attributes:")
        else:
            parameters[name] = parameter

    @wraps(command)
    def run(**arguments: Any) -> None:
        bundles = {
            name: group(**{field.name: arguments.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**arguments, **bundles)

    run.__doc__ = (inspect.getdoc(command) or "").partition("\n\nArgs:\n")[0]
    run.__annotations__ = {name: each.annotation for name, each in parameters.items()}
    ordered = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters.values()]
    run.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    return run


def _described(owner: Callable[..., Any], heading: str) -> dict[str, inspect.Parameter]:
    """Return the parameters of a command or group; those with help as typer takes them."""
    parameters = dict(inspect.signature(owner, eval_str=True).parameters)
    helps = {name: each for name, one in parameters.items() for each in _marks_of(one, Help)}
    text = (inspect.getdoc(owner) or "").partition(f"\n\n{heading}\n")[2]
    for name, marks, help in _ENTRY.findall(text):
        helps[name] = Help(" ".join(help.split()), marks)
    return parameters | {name: _with_help(parameters[name], help) for name, help in helps.items()}


def _marks_of(parameter: inspect.Parameter, kind: type[Mark]) -> list[Mark]:
    annotated = get_origin(parameter.annotation) is Annotated
    marks = get_args(parameter.annotation)[1:] if annotated else ()
    return [each for each in marks if isinstance(each, kind)]


def _with_help(parameter: inspect.Parameter, help: Help) -> inspect.Parameter:
    marks = [mark for mark in help.marks.split(", ") if mark]
    flags = [mark for mark in marks if mark.startswith("-")]
    metavar = next((mark for mark in marks if mark not in flags), None)
    annotated = get_origin(parameter.annotation) is Annotated
    kind = get_args(parameter.annotation)[0] if annotated else parameter.annotation
    keywords: dict[str, Any] = {"help": help.text, "metavar": metavar}
    required = parameter.default is inspect.Parameter.empty and not flags
    if required or (metavar or "").startswith("["):
        return parameter.replace(annotation=Annotated[kind, typer.Argument(**keywords)])
    keywords["callback"] = next((each.check for each in _marks_of(parameter, Bounds)), None)
    flags = flags or [f"--{parameter.name.strip('_').replace('_', '-')}"]
    return parameter.replace(annotation=Annotated[kind, typer.Option(*flags, **keywords)])


class _Base:
    """Shows help as it is written, and names the extra that brings a missing library."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command or group; `MissingExtraError` for a library that an extra brings."""
        from dialoom.errors import missing_extra

        try:
            return super().invoke(ctx)  # type: ignore[misc]
        except ModuleNotFoundError as error:
            missing = missing_extra(" ".join(ctx.command_path.split()[:2]), error)
            if missing is None:
                raise
            raise missing from error

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the help with paragraphs joined, and with brackets that are no markup of rich."""
        command = _escaped(self)
        command.params = [*map(_escaped, command.params)]
        if hasattr(command, "commands"):
            command.commands = {name: _escaped(each) for name, each in command.commands.items()}
        super(_Base, command).format_help(ctx, formatter)  # type: ignore[misc]

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters; a flag takes no value, so that help shows no `<bool>`."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False) and param.metavar is None:
                param.metavar = ""
        return params


def _escaped(described: Any) -> Any:
    from rich.markup import escape

    twin = copy(described)
    twin.help = escape(_joined(inspect.cleandoc(getattr(twin, "help", None) or "")))
    return twin


def _joined(text: str) -> str:
    """Return a text with each paragraph, and each example, on one line."""
    return re.sub(r"(?<!\n)\n(?!\n|Example: )", " ", text)


class CommandGroup(_Base, TyperGroup):
    """A group of commands."""


class Command(_Base, TyperCommand):
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
    owners: dict[Path, str] = {}
    for name, path in outputs.items():
        place = path
        if path != Path("-"):
            check_writable(path)
            place = Path(os.path.realpath(path))
            if not is_stream(path) and place in inputs:
                raise UsageError(
                    f"--{name} {path}: is read by this command; name another file", code="conflict"
                )
        if place in owners:
            what = "standard output" if path == Path("-") else str(path)
            raise UsageError(
                f"--{owners[place]} and --{name} cannot both be written to {what}", code="conflict"
            )
        owners[place] = name


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
