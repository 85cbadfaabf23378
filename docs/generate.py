"""Write the generated pages: the command line, formats, keys and settings, README's picture.

python docs/generate.py          write them
python docs/generate.py --check  exit 1 if a page is out of date
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import keys
import msgspec
import overview
import typer.main
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields
from typer.core import TyperArgument, TyperGroup, TyperOption

from dialoom import errors
from dialoom.cli.app import app
from dialoom.collect.own_questions import OwnQuestion
from dialoom.collect.settings import (
    ConsentText,
    InstructionPlan,
    Pay,
    Settings,
    SpeechSettings,
    Stage,
    Times,
    Translation,
)
from dialoom.collect.settings_change import FIXED, GROWING
from dialoom.collect.settings_schema import described
from dialoom.collect.stage_rules import Acceptance, GoldItems, QuizLimits, QuizQuestion, QuizText
from dialoom.corpus.format import ExportOnly
from dialoom.dialogue.annotation import Struct
from dialoom.formats import FORMATS
from dialoom.schema.findings import FAMILIES, RULES

HERE = Path(__file__).parent
NOTE = "<!-- Written by docs/generate.py (make docs); edit the code it describes instead. -->\n"


def command_line() -> str:
    """Return the page of every command with its arguments, options and example."""
    group = typer.main.get_command(app)
    if not isinstance(group, TyperGroup):
        raise TypeError("the application is a group of commands")
    lines = [NOTE, "# Command line\n"]
    lines.append(
        "Exit codes, everywhere the same: 0 done; 1 a check found something; 2 bad input or usage;"
        "\n130 interrupted. `--json -` writes to standard output.\n"
    )
    for name, command in group.commands.items():
        lines += _command(f"dialoom {name}", command)
    return "\n".join(lines)


def _command(name: str, command: Any) -> Iterator[str]:
    """Yield the lines of a command, or of each command of a group of them."""
    yield f"## {name}\n"
    yield _examples(inspect.cleandoc(command.help or "")) + "\n"
    if isinstance(command, TyperGroup):
        if command.invoke_without_command:
            yield from _parameters(command)
        for inner, below in command.commands.items():
            yield from _command(f"{name} {inner}", below)
        return
    yield from _parameters(command)


def _examples(text: str) -> str:
    """Return the text with its examples as blocks of commands."""
    blocks = re.sub(
        r"^Example: (.+(?:\n(?!Example: ).+)*)",
        lambda found: "```sh\n" + found[1].replace("\n", " \\\n    ") + "\n```",
        text,
        flags=re.MULTILINE,
    )
    return re.sub(r"\n```\n+```sh\n", "\n", blocks)


def _parameters(command: Any) -> Iterator[str]:
    for parameter in command.params:
        if parameter.name != "help":
            yield _parameter(parameter)
    yield ""


def _parameter(parameter: TyperArgument | TyperOption) -> str:
    shown = ", ".join(f"`{option}`" for option in parameter.opts)
    if parameter.param_type_name == "argument":
        shown = f"`{getattr(parameter, 'metavar', None) or parameter.name}`"
    return f"- {shown}: {getattr(parameter, 'help', '') or ''}"


def errors_page() -> str:
    """Return the page of the errors and their codes."""
    tree = inspect.cleandoc(errors.__doc__ or "")
    lines = [NOTE, "# Errors\n", _as_markdown(tree)]
    lines += ["\n| code | what is wrong |", "|---|---|"]
    lines += [f"| `{code}` | {what} |" for code, what in errors.CODES.items()]
    return "\n".join(lines)


def formats() -> str:
    """Return the page of every format with what its module says of its layout."""
    lines = [NOTE, "# Formats\n"]
    lines.append(
        "`dialoom roundtrip PATH --format NAME` checks that files in a format that is read and"
        "\nwritten come back as they were. A format that is only read is converted to another one"
        "\n(`dialoom convert PATH OUT --to native`); what that one cannot hold is reported.\n"
    )
    texts = {n: inspect.cleandoc(import_module(FORMATS.module(n)).__doc__ or "") for n in FORMATS}
    lines += ["| format | corpora and layout | use |", "|---|---|---|"]
    for name, text in texts.items():
        first = " ".join(text.partition("\n\n")[0].split()).removesuffix(".")
        lines.append(f"| [{name}](#{name}) | {first} | {_use(name)} |")
    lines.append("")
    for name, text in texts.items():
        lines += [f"## {name}\n", _as_markdown(text)]
    return "\n".join(lines)


def _use(name: str) -> str:
    """Return whether a format is read, written, or both."""
    format = FORMATS.get(name)
    if isinstance(format, ExportOnly):
        return "written"
    return "read" if format.traits.read_only else "read and written"


def _as_markdown(text: str) -> str:
    out: list[str] = []
    inside = False
    for line in text.splitlines():
        indented = line.startswith("    ")
        if indented and not inside:
            out.append("```text")
        if inside and not indented and line:
            while out[-1] == "":
                out.pop()
            out += ["```", ""]
        inside = indented or (inside and not line)
        out.append(line[4:] if indented else line)
    return "\n".join([*out, "```"] if inside else out) + "\n"


STRUCTS: dict[str, type[Struct]] = {
    "": Settings,
    "stages": Stage,
    "stages.questions": QuizQuestion,
    "stages.asks": OwnQuestion,
    "stages.gold": GoldItems,
    "stages.accept": Acceptance,
    "pay": Pay,
    "quiz": QuizLimits,
    "times": Times,
    "speech": SpeechSettings,
    "translations": Translation,
    "translations.quizzes": QuizText,
    "guide": InstructionPlan,
    "consent": ConsentText,
}
"""Where settings of a study stand in its file, and what lists them."""


def settings() -> str:
    """Return the page of every setting of a study."""
    lines = [NOTE, "# Settings of a study\n"]
    lines.append(
        "`dialoom collect --settings FILE` reads them from YAML. The last column says whether a\n"
        "study that has begun may have another value.\n"
    )
    for place, struct in STRUCTS.items():
        lines += _settings(place, struct)
    return "\n".join(lines)


def _settings(place: str, struct: type[Struct]) -> Iterator[str]:
    """Yield the lines of a table of settings."""
    yield f"## `{place}`\n" if place else "## At the top\n"
    told = described(struct)
    heads = ["setting", "default", "what it is", *([] if place else ["later"])]
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for field in fields(struct):
        shown = _default(field)
        default = "see below" if shown.startswith("{") and shown != "{}" else f"`{shown}`"
        cells = [f"`{field.name}`", default, told.get(field.name, "")]
        yield f"| {' | '.join([*cells, *([] if place else [_later(field.name)])])} |"
    yield ""


def _default(field: FieldInfo) -> str:
    if field.required:
        return "none"
    value = field.default_factory() if field.default is NODEFAULT else field.default
    return msgspec.json.encode(value).decode()


def _later(name: str) -> str:
    if name in FIXED:
        return f"cannot be changed: {FIXED[name]}"
    return "grows" if name in GROWING else "may change"


def codes() -> str:
    """Return the page of every code of findings: in task files, dialogues and tasks in action."""
    lines = [NOTE, "# Codes of findings\n"]
    lines.append(
        "E is an error, W a warning, I information. `dialoom lint --explain CODE` prints one;\n"
        "[lint](lint.md) says what each of its rules needs, [the task file](task-file.md) what a\n"
        "task file holds.\n"
    )
    for digit, about in FAMILIES.items():
        lines += [
            f"## {digit}: {about}\n",
            "| code | severity | what is found | what is right | why |",
        ]
        lines.append("|---|---|---|---|---|")
        for rule in sorted(RULES.values(), key=lambda rule: rule.rank):
            if rule.code[1] == digit:
                words = (rule.code, rule.severity, rule.title, rule.right, rule.why)
                lines.append(f"| {' | '.join(words)} |")
        lines.append("")
    return "\n".join(lines)


PAGES = {
    "reference/codes.md": codes,
    "reference/command-line.md": command_line,
    "reference/errors.md": errors_page,
    "reference/formats.md": formats,
    "reference/experiment-settings.md": lambda: f"{NOTE}\n{keys.experiment_settings()}",
    "reference/settings.md": settings,
    "reference/task-keys.md": lambda: f"{NOTE}\n{keys.task_keys()}",
    "overview.svg": overview.picture,
}


def main() -> int:
    """Write or check the pages; return the exit code."""
    stale = []
    for name, page in PAGES.items():
        file = HERE / name
        text = page()
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.is_file() or file.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        print(f"out of date: {', '.join(stale)}; run `make docs`", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
