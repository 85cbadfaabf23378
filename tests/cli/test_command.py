"""Parameters of commands are described in docstrings: help, flags, metavars, bounds, groups."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer.main
from typer.testing import CliRunner

from dialoom.cli.command import Bounds, Commands
from dialoom.errors import UsageError

made = Commands("made", "A program.", no_args_is_help=False)
given: list[object] = []


@dataclass(frozen=True)
class Cut:
    """How much is kept.

    Attributes:
        share: The share that is kept,
            from 0 to 1.
    """

    share: Annotated[float, Bounds(0, 1)] = 1.0


@made.command()
def cut(source: Path, how: Cut, ids: list[str] | None = None, dry: bool = False) -> None:
    """Cut a corpus with 'made[models]'.

    Needs `pip install 'made[models]'`, unless
    you cut one.

    Example: made cut corpus --id 3
    --dry

    Args:
        source (SRC): A corpus of 'made[models]'.
        ids (--id, NAME): Only this dialogue.
        dry: Write nothing.
    """
    given[:] = [source, how, ids, dry]


@made.command()
def other() -> None:
    """Do nothing."""


def test_descriptions_are_the_help_of_arguments_and_options() -> None:
    command = typer.main.get_command(made).commands["cut"]  # type: ignore[attr-defined]
    assert command.help.startswith("Cut a corpus with 'made[models]'.\n\nNeeds ")
    assert command.help.endswith("\n\nExample: made cut corpus --id 3\n--dry")
    parameters = {p.name: (p.param_type_name, p.opts, p.metavar, p.help) for p in command.params}
    assert parameters["source"][2:] == ("SRC", "A corpus of 'made[models]'.")
    assert parameters["ids"] == ("option", ["--id"], "NAME", "Only this dialogue.")
    assert parameters["dry"][1::2] == (["--dry"], "Write nothing.")
    assert parameters["share"][1::2] == (["--share"], "The share that is kept, from 0 to 1.")


def test_help_shows_extras_and_joins_the_lines_of_a_paragraph() -> None:
    text = CliRunner().invoke(made, ["cut", "--help"], env={"COLUMNS": "200"}).output
    assert "Needs `pip install 'made[models]'`, unless you cut one." in text
    assert "Example: made cut corpus --id 3 --dry" in text
    assert "A corpus of 'made[models]'." in text
    assert "Cut a corpus with 'made[models]'." in CliRunner().invoke(made, ["--help"]).output


def test_values_reach_the_command_and_its_group() -> None:
    CliRunner().invoke(made, ["cut", "x", "--id", "3", "--id", "4", "--share", "0.5", "--dry"])
    assert given == [Path("x"), Cut(0.5), ["3", "4"], True]


def test_numbers_out_of_bounds_are_refused() -> None:
    result = CliRunner().invoke(made, ["cut", "x", "--share", "1.5"])
    assert isinstance(result.exception, UsageError)
