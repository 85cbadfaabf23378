"""The examples of docs/how-to/extending.md, run from a package of somebody else's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dialoom import formats
from dialoom.cli.bench import bench
from dialoom.cli.command import Commands
from dialoom.cli.simulate import simulate
from dialoom.errors import UsageError
from dialoom.quality.lint import lint
from dialoom.quality.roundtrip import roundtrip

ROOT = Path(__file__).parents[2]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The page, whose examples are installed as a package."""
    page = (ROOT / "docs" / "how-to" / "extending.md").read_text()
    blocks = dict(re.findall(r"^```(toml)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))
    code = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "outside.py").write_text("\n".join(code))
    installed = tmp_path / "outside-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: outside\nVersion: 1\n")
    points = re.sub(r'project\.entry-points\."([^"]+)"', r"\1", blocks["toml"]).replace('"', "")
    (installed / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path)
    return page


def test_a_format_from_outside(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "held"
    folder.mkdir()
    (folder / "a.tsv").write_text("hi\thello\nbye\tgood day\n")
    corpus = formats.load(folder, "lines")
    assert [len(dialogue.events) for dialogue in corpus.dialogues()] == [2, 2]
    assert [verdict for _, verdict in roundtrip(corpus, formats.get("lines"))] == ["bytes"]
    assert formats.traits("lines").alternates
    assert not list(lint(corpus))


def test_a_metric_a_model_and_a_protocol_from_outside(
    page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Commands("dialoom")
    app.command()(bench)
    (command,) = re.findall(r"^dialoom bench (.*)$", page, re.MULTILINE)
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(app, [*command.split(), "-P", "most=5", "--json", "-"])
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert list(record["scores"]) == ["f1", "accuracy", "top3"]
    assert (record["holdouts"][0]["n"], record["settings"]) == (5, {"label": "hello"})


def test_a_simulation_policy_from_outside(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Commands("dialoom")
    app.command()(simulate)
    (command,) = re.findall(r"^dialoom simulate (.*)$", page, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [*command.split(), "--workers", "1"])
    assert done.exit_code == 0, done.output
    corpus = formats.load(tmp_path / "haggled")
    assert len(list(corpus.dialogues())) == 100
    assert not list(lint(corpus))
    refused = CliRunner().invoke(app, [*command.split(), "--scenario", "happy"])
    assert isinstance(refused.exception, UsageError)
