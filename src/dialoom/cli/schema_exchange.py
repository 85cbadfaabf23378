"""`dialoom schema import`, `induce`, `jsonschema` and `tools`: schemas of other formats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import CorpusPath, OutFile
from dialoom.cli.output import STDOUT, write_text
from dialoom.errors import DialoomError, UnknownNameError, UsageError, needs_extra
from dialoom.render.tables import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.dialogue import Dialogue
    from dialoom.schema.task import TaskSchema


def import_(
    source: str,
    task: str | None = None,
    everything: bool = False,
    unless: list[str] | None = None,
    out: Path | None = None,
) -> None:
    """Convert schemas of STAR, SGD (and SGD-X) and Taskmaster-1, tools and flows into task files.

    Tools are defined as for the OpenAI or Anthropic API, as MCP lists them, as in tau2-bench or as
    operations of OpenAPI; each becomes a task, as does each flow of Rasa CALM. A domain of
    tau2-bench is one task with its tools, database and policy. Comments in the file
    mark what a schema of STAR lacks: fill it in and run `schema check`. For a service, vertical,
    tool or flow the course of the dialogue is drafted from names and descriptions and marked so.
    The file can be used at once; `schema check` lists what a person has to write.

    Example: dialoom schema import corpora/sgd/dev --task Banks_2 --out banks.yaml

    Example: dialoom schema import corpora/taskmaster1 --all --out verticals

    Example: dialoom schema import openapi.yaml --all --out tasks

    Args:
        source (SOURCE): A folder with STAR's task schemas, SGD's schema.json or Taskmaster-1's
            ontology.json, one of these two files, a file of tools, of OpenAPI 3, of Rasa CALM's
            flows, an ontology of Taskmaster-2 or 3 or ABCD, a folder with domains of tau2-bench, or
            mcp:COMMAND for the tools of an MCP server.
        task: Name of the task, service or vertical.
        everything (--all): Import all tasks; --out is a new folder.
        unless (SLOT=OTHER): A required slot that is not needed if OTHER is given; repeatable.
        out (FILE|DIR): A new file; with --all a new folder.
    """
    from dialoom import formats
    from dialoom.schema.task import resolve

    if (task is None) != everything:
        raise UsageError("give one of --task and --all")
    tasks = _served(source[4:]) if source.startswith("mcp:") else formats.schemas(Path(source))
    pairs = _pairs(unless or [])
    if task is not None:
        _write_one(tasks[resolve(task, tasks)], pairs, out)
        return
    if out is None or out == STDOUT:
        raise UsageError("--all writes several files; name a new folder with --out")
    _write_all(tasks, pairs, out)


STARTING = 60.0
"""Seconds to wait for the tools of a server: one that is fetched when it is first started takes
long."""


def _served(server: str) -> dict[str, TaskSchema]:
    from dialoom.formats.chat.tools import schemas_of
    from dialoom.schema.environment import EnvironmentSpec

    if not server.strip():
        raise UsageError("mcp: name the command that starts the server, as mcp:COMMAND")
    with needs_extra("schema import mcp:…", "mcp"):
        from dialoom.play.environments.mcp import McpServer
    client = McpServer(EnvironmentSpec(at=f"mcp:{server}"), STARTING)
    entries = [each | {"response": each.get("outputSchema", {})} for each in client.definitions()]
    client.close()
    schemas = schemas_of(entries, Path("mcp"))
    if not schemas:
        raise UsageError(f"mcp:{server}: the server has no tools")
    return schemas


def _pairs(options: list[str]) -> dict[str, str]:
    pairs = {}
    for each in options:
        slot, sign, other = each.partition("=")
        if not (slot and sign and other):
            raise UsageError(f"--unless {each}: write the two slots as name.pizza=type.topping")
        pairs[slot] = other
    return pairs


def _files(task: TaskSchema, stem: str, unless: Mapping[str, str]) -> dict[str, str]:
    from dialoom.flow.importing import to_task_file
    from dialoom.schema.services import task_files

    if not task.flow:
        return task_files(task, stem, unless)
    if unless:
        raise UsageError("--unless is for services and verticals, whose flow is derived")
    return {f"{stem}.yaml": to_task_file(task)}


def _write_one(task: TaskSchema, unless: Mapping[str, str], out: Path | None) -> None:
    place = out or STDOUT
    (_, text), *others = _files(task, place.stem, unless).items()
    if others and place == STDOUT:
        raise UsageError("its rows and its policy are files of their own; name one with --out")
    for name, content in others:
        write_text(content, place.parent / name, fresh=True)
    write_text(text, place, fresh=True)


def _write_all(tasks: Mapping[str, TaskSchema], unless: Mapping[str, str], out: Path) -> None:
    from dialoom.corpus.files import staged_folder, write_synced
    from dialoom.schema.service_words import snake

    empty = [key for key, task in tasks.items() if not (task.calls or task.flow)]
    left_out = f"neither calls nor a flow: {_some(empty)}"
    if len(empty) == len(tasks):
        raise UsageError(f"no task can be imported; {left_out}")
    names: set[str] = set()
    with staged_folder(out) as stage:
        for key, task in tasks.items():
            if key in empty:
                continue
            own = {s: o for s, o in unless.items() if {s, o} <= task.slots.keys()}
            name = snake(key)
            while name in names:
                name += "_2"
            names.add(name)
            for file, text in _files(task, name, own).items():
                write_synced(stage / file, text.encode())
    typer.echo(f"{len(names)} task files written to {out}")
    if empty:
        typer.echo(f"left out: {left_out}", err=True)


def tools(tasks: list[str], out: OutFile = None) -> None:
    """Print the calls of tasks as tool definitions in the form of the OpenAI API.

    The tools of a task with an environment are those that its server publishes.

    Example: dialoom schema tools hotel_book weather --out tools.json

    Args:
        tasks (FILE_OR_TASK…): Task files, names of bundled tasks, `all` of those, or a published
            schema.
    """
    from dialoom.play.environments.opening import with_tools
    from dialoom.schema.tools import toolbox

    schemas = {name: with_tools(task)[0] for name, task in several(tasks).items()}
    write_text(_spelled(toolbox(schemas)), out)


def jsonschema(task: str | None = None, out: OutFile = None) -> None:
    """Print the JSON Schema of task files, for editors, or that of the calls of one task.

    Example: dialoom schema jsonschema > task-file.schema.json

    Example: dialoom schema jsonschema hotel_book

    Args:
        task ([FILE_OR_TASK]): A task file or the name of a bundled task; none for the schema of
            task files.
    """
    from dialoom.schema.yaml.grammar import spell

    if task is None:
        write_text(spell(), out)
        return
    from dialoom.schema.tools import arguments_schema

    schemas = several([task])
    if len(schemas) != 1:
        raise UsageError(f"{task} holds {len(schemas)} tasks; name a single one")
    write_text(_spelled(arguments_schema(next(iter(schemas.values())))), out)


def _spelled(value: object) -> str:
    import json

    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def several(names: list[str]) -> dict[str, TaskSchema]:
    """Return the tasks that arguments name: task files, bundled ones, published schemas."""
    from dialoom import formats
    from dialoom.schema import pack

    tasks: dict[str, TaskSchema] = {}
    for name in names:
        path = Path(name)
        if name in pack.PACKS:
            new = {each: pack.load(each) for each in pack.names(name)}
        elif path.is_dir() or path.suffix == ".json":
            new = formats.schemas(path)
        else:
            task = pack.resolve(name)
            new = {task.id: task}
        for key in new.keys() & tasks.keys():
            raise UsageError(f"two tasks are called {key}", code="twice")
        tasks |= new
    return tasks


def induce(
    dialogues: CorpusPath,
    out: Path | None = None,
    task: str | None = None,
    labels: Literal["yes", "no"] | None = None,
    support: Annotated[float, Bounds(0, 1)] = 0.1,
    language: str | None = None,
) -> None:
    """Induce a task file from dialogues (replies, flow, slots, calls), to be edited by hand.

    A few dialogues are simulated with the file; exit code 1 if that fails.

    Example: dialoom schema induce corpora/star --task hotel_book --out hotel.yaml

    Example: dialoom schema induce chats --task support --labels no --support 0.2 --out support.yaml

    Args:
        out (TASK.yaml): A new file.
        task (NAME): Name of the task, if the corpus has several.
        labels: Take annotated actions (yes) or groups of similar replies (no); when absent,
            yes where a fifth of the replies have one.
        support: Least share of the transitions from an action that makes an edge.
        language: Language of the dialogues; when absent, that of the corpus's schemas, else en.
    """
    from dialoom import formats
    from dialoom.models.induction import Induction, induce
    from dialoom.models.induction.turns import about, topics
    from dialoom.schema.lexicon import lexicon

    corpus = formats.load(dialogues)
    if language is not None:
        lexicon(language)  # an unknown one is refused before the dialogues are read
    all_dialogues = list(corpus.tracked())
    name = _task(all_dialogues, task)
    own = about(all_dialogues, name) or all_dialogues
    has_labels = None if labels is None else labels == "yes"
    schemas = [s for key, s in corpus.schemas.items() if key == name] or [*corpus.schemas.values()]
    languages = {schema.language for schema in schemas if language is None}
    spoken = language or (languages.pop() if len(languages) == 1 else "en")
    settings = Induction(labels=has_labels, support=support, language=spoken)
    draft = induce(own, name or corpus.path.stem, settings)
    write_text(draft.text, out, fresh=True)
    nodes, slots = len(draft.task.flow.nodes), len(draft.task.slots)
    scopes = {0: "", 1: f" about {name} alone"}
    scope = scopes.get(len(topics(own[0])), f" about {name} and others")
    size = f"{counted(nodes, 'node')}, {counted(slots, 'slot')}, language {spoken}"
    size += "" if language or schemas else " (assumed)"
    typer.echo(f"{counted(len(draft.paths), 'dialogue')}{scope}: {size}", err=True)
    _try_out(draft.task)


TRIALS = 20
"""Dialogues that are simulated with an induced file."""


def _try_out(task: TaskSchema) -> None:
    from dialoom.sim.policies.flow.simulator import Simulator

    try:
        simulator = Simulator(task, 0)
        for number in range(TRIALS):
            simulator.dialogue(number)
    except DialoomError as error:
        typer.echo(f"the file is written, but no dialogues can be simulated: {error}", err=True)
        raise typer.Exit(1) from error


def _task(dialogues: Sequence[Dialogue], choice: str | None) -> str:
    from dialoom.models.induction.turns import topics

    names = sorted({name for dialogue in dialogues for name in topics(dialogue)})
    if choice is not None and choice not in names and (names or not dialogues):
        raise UnknownNameError("task", choice, names)
    if choice is None and len(names) > 1:
        listing = _some(names)
        raise UsageError(f"the dialogues are about several tasks; name one with --task: {listing}")
    return choice or "".join(names)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
