"""`schema import` of a domain of tau2-bench: files, checks, simulation, lint and play."""

from __future__ import annotations

from pathlib import Path

import dialoom
from dialoom.schema import pack
from dialoom.schema.yaml.reading import check
from tests.cli.runner import Run
from tests.formats.tau2_sample import DATABASE, POLICY, domain

__all__ = ["domain"]


def test_a_domain_is_simulated_linted_and_played(run: Run, domain: Path, tmp_path: Path) -> None:
    file = tmp_path / "out" / "library.yaml"
    file.parent.mkdir()
    assert run("schema", "import", str(domain), "--task", "library", "--out", str(file)).code == 0
    beside = {each.name for each in file.parent.iterdir()}
    tables = {f"library.{name}.csv" for name in ("readers", "loans", "fines")}
    assert beside == {"library.yaml", "library.policy.md", *tables}
    findings = check(file)
    assert {finding.code for finding in findings} == {"I301"}
    calls = {each.pointer for each in findings if each.pointer.startswith("/apis")}
    assert calls == {"/apis/modify_reader_address/drafted"}
    task = pack.resolve(str(file))
    assert task.texts["policy"] == POLICY
    assert task.tables["loans"].rows == len(DATABASE["loans"])
    out = tmp_path / "dialogues"
    assert run("simulate", "--tasks", str(file), "-n", "20", "--out", str(out)).code == 0
    assert run("lint", str(out)).code == 0
    played = dialoom.play("flow", tasks=str(file), n=20)
    assert (played.success or 0) >= 95


def test_rows_and_policy_need_a_place(run: Run, domain: Path, tmp_path: Path) -> None:
    command = ("schema", "import", str(domain), "--task", "library")
    assert run(*command).refused("--out")
    assert run(*command, "--out", str(tmp_path / "one.yaml")).code == 0
    (tmp_path / "one.yaml").unlink()
    assert run(*command, "--out", str(tmp_path / "one.yaml")).refused("exists already")
    assert not (tmp_path / "one.yaml").exists()
