"""The digest of code changes with what answers depend on, and with nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core import run
from dialoom.errors import UnknownNameError
from dialoom.learn import code_digest
from dialoom.learn.text import encoder_modules
from dialoom.models import MODELS
from tests.make import refuses

FILES = {
    "__init__.py": "",
    "models/__init__.py": 'MODELS = {"a": "dialoom.models.a:A", "b": "dialoom.models.b:B"}',
    "models/a.py": "from dialoom.words import split\n\ndef late():\n    from dialoom import dates",
    "models/b.py": "import dialoom.words\nfrom numpy import linalg",
    "words/__init__.py": 'PARTS = {"short": "dialoom.words.short:Short"}\nsplit = str.split',
    "words/short.py": "class Short: ...",
    "words/list.json": "[]",
    "dates.py": "",
    "tasks/hotel.yaml": "name: hotel",
    "page/style.css": "a {}",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small package in place of dialoom's own."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    forget()
    monkeypatch.setattr(code_digest, "ROOT", tmp_path)
    yield tmp_path
    forget()


def forget() -> None:
    cached = code_digest._closure, code_digest._needed, code_digest._file, code_digest._content
    for cache in cached:
        cache.cache_clear()


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("models/a.py", True),
        ("dates.py", True),
        ("words/__init__.py", True),
        ("words/short.py", True),
        ("words/list.json", True),
        ("tasks/hotel.yaml", True),
        ("models/__init__.py", True),
        ("models/b.py", False),
        ("page/style.css", False),
    ],
)
def test_changes_with_what_a_module_needs(root: Path, file: str, changes: bool) -> None:
    before = code_digest.code_digest("dialoom.models.a")
    with (root / file).open("a") as opened:
        opened.write("\n# more")
    forget()
    assert (code_digest.code_digest("dialoom.models.a") != before) is changes


def versions(monkeypatch: pytest.MonkeyPatch, library: str, number: str) -> None:
    """Let every library be installed with version 1, one of them with another."""
    monkeypatch.setattr(code_digest, "_is_installed", lambda name: True)
    monkeypatch.setattr(code_digest, "version", lambda name: number if name == library else "1")


@pytest.mark.parametrize(("module", "changes"), [("a", False), ("b", True)])
def test_a_library_counts_where_it_is_imported(
    root: Path, monkeypatch: pytest.MonkeyPatch, module: str, changes: bool
) -> None:
    versions(monkeypatch, "numpy", "1")
    before = code_digest.code_digest(f"dialoom.models.{module}")
    versions(monkeypatch, "numpy", "2")
    assert (code_digest.code_digest(f"dialoom.models.{module}") != before) is changes


@pytest.mark.parametrize(
    ("model", "encoder", "changes"),
    [
        ("follower", "", False),
        ("follower", "tfidf", False),
        ("follower", "minilm", True),
        ("responder", "", False),
        ("schema-attention", "", True),
    ],
)
def test_torch_counts_for_models_that_use_it(
    monkeypatch: pytest.MonkeyPatch, model: str, encoder: str, changes: bool
) -> None:
    modules = MODELS.module(model), *encoder_modules({"encoder": encoder})
    versions(monkeypatch, "torch", "1")
    before = code_digest.code_digest(*modules, run.__name__)
    versions(monkeypatch, "torch", "2")
    assert (code_digest.code_digest(*modules, run.__name__) != before) is changes


@pytest.mark.parametrize(("model", "changes"), [("tracker", True), ("act-policy", False)])
def test_the_package_of_vectors_counts_for_models_that_use_them(
    monkeypatch: pytest.MonkeyPatch, model: str, changes: bool
) -> None:
    versions(monkeypatch, "wordllama", "1")
    before = code_digest.code_digest(MODELS.module(model))
    versions(monkeypatch, "wordllama", "2")
    assert (code_digest.code_digest(MODELS.module(model)) != before) is changes


def test_protocol_and_model_may_name_an_encoder_each() -> None:
    both = encoder_modules({"encoder": "minilm"}, {"encoder": "tfidf"}, {"encoder": ""}, {})
    assert both == ["dialoom.learn.encodings", "dialoom.learn.text"]
    with refuses(UnknownNameError, "unknown-name", "tfidf"):
        encoder_modules({"encoder": "tfid"})


def test_the_module_of_another_package_counts_alone(root: Path) -> None:
    own = code_digest.code_digest("dialoom.models.b")
    assert code_digest.code_digest("dialoom.models.b", __name__) != own
    assert code_digest.code_digest("dialoom.models.b", "no.such.module") == own


def test_a_model_of_states_does_not_depend_on_one_of_actions() -> None:
    needed = code_digest._closure(
        frozenset({MODELS.module("tracker"), PROTOCOLS.module("sgd-tracking")})
    )
    assert {"dialoom.learn.trees", "dialoom.metrics.state"} <= needed
    assert not [name for name in needed if name.startswith("dialoom.models.follower")]


def test_signatures_name_code_and_the_libraries_of_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions(monkeypatch, "torch", "1")
    plain = code_digest.environment(MODELS.module("follower"))
    neural = code_digest.environment(MODELS.module("schema-attention"))
    encoded = code_digest.environment(MODELS.module("follower"), "dialoom.learn.encodings")
    assert len(plain["code"]) == 8
    assert {each.partition("-")[0] for each in plain["libraries"].split(",")} >= {"numpy", "scipy"}
    assert "torch-1" not in plain["libraries"]
    assert "torch-1" in neural["libraries"]
    assert "torch-1" in encoded["libraries"]
