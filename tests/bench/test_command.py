"""`dialoom bench` from end to end, on a tiny native corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dialoom import formats
from dialoom.bench.evaluation import evaluate
from dialoom.cli.bench import bench, train
from dialoom.cli.command import Commands
from dialoom.errors import DialoomError, MissingDataError, OutputError, UsageError
from dialoom.registry import Registry
from tests.bench import tiny

app = Commands("dialoom")
app.command()(bench)
fitting = Commands("dialoom")
fitting.command()(train)

DOMAIN = "star-zero-shot-domain"


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {"frequency": "tests.bench.tiny:Frequency"}
    registry: Registry[object] = Registry("model", "dialoom.models", entries)
    monkeypatch.setattr("dialoom.models.MODELS", registry)
    monkeypatch.setattr("dialoom.bench.core.making.MODELS", registry)
    monkeypatch.setattr("dialoom.models.MODELS", registry)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "star"
    folder.mkdir(parents=True)
    formats.get("native").write(tiny.star(tmp_path).dialogues(), tiny.SCHEMAS, folder)
    return folder.parent


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def fails(*words: str | Path) -> DialoomError:
    error = call(*words).exception
    assert isinstance(error, DialoomError)
    return error


def test_a_run_prints_and_writes(corpus: Path, tmp_path: Path) -> None:
    out, rows = tmp_path / "run.json", tmp_path / "rows.jsonl"
    common = (DOMAIN, "--corpus", corpus, "--model", "frequency")
    done = call(*common, "--json", out, "--predictions", rows)
    assert done.exit_code == 0, done.output
    assert "mean without trivia" in done.output
    assert "by the published flags" in done.output
    assert "missing here: ride" in done.output
    record = json.loads(out.read_bytes())
    assert record["scores"]["f1"]["signature"] in done.output
    assert (record["options"]["form"], record["model"]) == ("published", "frequency")
    assert len(rows.read_bytes().splitlines()) == sum(h["n"] for h in record["holdouts"])
    again = call(*common, "--against", rows, "-M", "without=history", "--only", "weather")
    assert again.exit_code == 0, again.output
    assert "rows.jsonl" in again.output


def test_the_file_may_be_standard_output(corpus: Path) -> None:
    done = call(DOMAIN, "--corpus", corpus, "--model", "frequency", "--json", "-", "--seed", "5")
    assert json.loads(done.stdout)["settings"] == {"seed": 5}
    assert "mean" in done.stderr


def test_a_folder_of_its_own_for_training(corpus: Path, tmp_path: Path) -> None:
    (corpus / "star" / "sam_protocol.json").write_bytes(tiny.PROTOCOL)
    out = tmp_path / "run.json"
    where = ("--corpus", corpus, "--train-corpus", corpus / "star")
    done = call(DOMAIN, *where, "--model", "frequency", "--json", out)
    assert done.exit_code == 0, done.output
    assert json.loads(out.read_bytes())["options"]["form"] == "coded"


def test_another_stage_is_asked_about(tmp_path: Path) -> None:
    folder, out = tmp_path / "staged", tmp_path / "run.json"
    folder.mkdir()
    formats.get("native").write(tiny.staged(tmp_path).dialogues(), tiny.SCHEMAS, folder)
    common = (DOMAIN, "--corpus", folder, "--model", "frequency", "--json", out)
    done = call(*common, "-P", "test=unhappy")
    assert done.exit_code == 0, done.output
    record = json.loads(out.read_bytes())
    assert record["title"] == f"{DOMAIN}, published flags, test unhappy"
    signature = record["scores"]["f1"]["signature"]
    assert "|test:unhappy|train:happy,unhappy|" in signature
    assert {h["name"]: h["dialogues"] for h in record["holdouts"]} == {"weather": 1, "trivia": 1}
    assert record["published"] == []
    assert "SAM" not in done.output
    for name in ("test", "train"):
        wrong = fails(*common, "-P", f"{name}=hapy")
        assert "unknown stage 'hapy': did you mean" in str(wrong)


def test_settings_chosen_on_the_training_part(tmp_path: Path) -> None:
    folder, out = tmp_path / "three", tmp_path / "run.json"
    folder.mkdir()
    formats.get("native").write(tiny.three(tmp_path).dialogues(), {}, folder)
    common = (DOMAIN, "--corpus", folder, "--model", "frequency", "--nested")
    done = call(*common, "--cache", tmp_path / "cache", "--json", out)
    assert done.exit_code == 0, done.output
    record = json.loads(out.read_bytes())
    assert "|nested:leave-one-out/2|" in record["scores"]["f1"]["signature"]
    assert [v.get("without") for v in record["nested"]["variants"]] == [None, ["history"]]
    assert set(record["nested"]["holdouts"]) == {"hotel", "weather", "ride"}
    assert len(list((tmp_path / "cache").glob("*.json"))) == 6 + 3  # folds, then hold-outs


def test_a_model_is_trained_and_asked(corpus: Path, tmp_path: Path) -> None:
    def trained(*words: str | Path) -> Result:
        about = (DOMAIN, "--corpus", corpus, "--model", "frequency", *words)
        return CliRunner().invoke(fitting, [str(word) for word in about])

    file, out = tmp_path / "own.model", tmp_path / "run.json"
    done = trained("--only", "weather", "--out", file)
    assert done.exit_code == 0, done.output
    assert f"{file}: frequency, fitted on" in done.stdout
    own = (DOMAIN, "--corpus", corpus, "--only", "weather", "--json", out)
    assert call(*own, "--model", "frequency").exit_code == 0
    fitted = json.loads(out.read_bytes())
    done = call(*own, "--model", file)
    assert done.exit_code == 0, done.output
    read = json.loads(out.read_bytes())
    assert read["scores"]["f1"]["value"] == fitted["scores"]["f1"]["value"]
    assert read["options"]["overlap"].startswith("0-of-")
    assert "|file:" in read["scores"]["f1"]["signature"]
    assert "no test" not in done.output
    assert "exists already" in str(trained("--out", file).exception)
    file.unlink()
    assert trained("--out", file).exit_code == 0
    warning = "dialogues asked about were learnt from: these scores are no test"
    assert call(*own, "--model", file).output.count(warning) == 1
    run = evaluate(DOMAIN, corpus, only="weather", model=file, progress=False)
    assert any(warning in note for note in run.notes)
    assert "fitted already" in str(fails(*own, "--model", file, "--nested"))
    assert isinstance(trained("--model", file, "--out", out).exception, UsageError)
    assert isinstance(trained("--out", tmp_path).exception, OutputError)


def test_another_baseline_is_refused_before_the_first_answer(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"holdout": "weather", "dialogue": 2, "event": 3, "gold": "bye", "predicted": "bye"}
    file = tmp_path / "x.jsonl"
    file.write_text(json.dumps(row))
    monkeypatch.setattr("dialoom.bench.evaluation.run", lambda *_, **__: pytest.fail("asked"))
    error = fails(DOMAIN, "--corpus", corpus, "--model", "frequency", "--against", file)
    assert (error.code, "x.jsonl has another right answer" in str(error)) == ("mismatch", True)


def test_bad_usage_is_one_clear_error(corpus: Path, tmp_path: Path) -> None:
    common = (DOMAIN, "--corpus", corpus, "--model", "frequency")
    assert "unknown protocol" in str(fails("star-zero-shot-domian", "--corpus", corpus))
    assert "unknown model" in str(fails(DOMAIN, "--corpus", corpus, "--model", "majorty"))
    assert "unknown form" in str(fails(*common, "-P", "form=x"))
    assert "unknown setting" in str(fails(*common, "-M", "depth=3"))
    assert "expected NAME=VALUE" in str(fails(*common, "-M", "depth"))
    both = fails(*common, "--json", "-", "--predictions", "-")
    assert isinstance(both, UsageError)
    for missing in (
        fails(DOMAIN, "--corpus", tmp_path / "none", "--model", "frequency"),
        fails(*common, "--train-corpus", tmp_path / "none"),
        fails(*common, "--against", tmp_path / "none"),
        fails(*common, "-P", "form=coded"),
    ):
        assert isinstance(missing, MissingDataError)


def test_what_cannot_be_written_is_said_before_the_run(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    common = (DOMAIN, "--corpus", tmp_path / "none", "--model", "frequency")
    assert isinstance(fails(*common, "--json", tmp_path), OutputError)
    assert isinstance(fails(*common, "--json", file / "below.json"), OutputError)
