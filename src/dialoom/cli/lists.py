"""`dialoom tasks`, `formats`, `models` and the other commands that list names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

from dialoom.cli.options import JsonFile
from dialoom.cli.output import report

REGISTRIES = {
    "formats": ("dialoom.formats:FORMATS", "the formats of corpora (`--from`, `--to`, `--format`)"),
    "presets": ("dialoom.sim.core.plan:PRESETS", "what can be simulated (`simulate --preset`)"),
    "models": ("dialoom.bench:MODELS", "the models (`bench --model`)"),
    "protocols": ("dialoom.bench:PROTOCOLS", "the experiments (`bench NAME`)"),
    "agents": ("dialoom.play.agents.base:AGENTS", "the agents (`play --agent`)"),
    "users": ("dialoom.play.users.base:USERS", "the users they play against (`play --user`)"),
    "metrics": ("dialoom.metrics:METRICS", "the metrics (`bench --metric`)"),
}


def listing(name: str) -> Callable[..., None]:
    """Return the command that lists a registry, or the bundled tasks."""

    def command(json: JsonFile = None) -> None:
        entries = dict(_tasks() if name == "tasks" else _registered(name))
        wide = max(map(len, entries))
        lines = (f"{key:<{wide}}  {about}" for key, about in entries.items())
        report([{"name": key, "about": about} for key, about in entries.items()], json, lines)

    what = "the bundled tasks (`--tasks`)" if name == "tasks" else REGISTRIES[name][1]
    others = "" if name == "tasks" else ", with those of other packages"
    command.__doc__ = f"List {what}{others}.\n\nExample: dialoom {name} --json -"
    return command


def _registered(name: str) -> Iterator[tuple[str, str]]:
    module, _, attribute = REGISTRIES[name][0].partition(":")
    registry = getattr(import_module(module), attribute)
    return ((each, registry.about(each)) for each in registry)


def _tasks() -> Iterator[tuple[str, str]]:
    from dialoom.schema import pack

    for name in (name for each in pack.PACKS for name in pack.names(each)):
        task = pack.load(name)
        about = str(task.domain) if task.language == "en" else f"{task.domain} ({task.language})"
        yield name, f"{about}: {task.description}" if task.description else about
