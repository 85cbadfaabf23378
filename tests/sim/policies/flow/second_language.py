"""The German tasks."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

FOLDER = Path(str(resources.files("dialoom").joinpath("tasks/de")))


FILES = sorted(FOLDER.glob("*.yaml"))
