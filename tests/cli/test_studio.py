"""`dialoom studio` in a process of its own: it prints a link, serves it, and stops at once."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import httpx

from tests.cli.runner import PROGRAM, Run


def test_the_printed_link_leads_to_the_folder(tmp_path: Path) -> None:
    (tmp_path / "pizza.yaml").write_text("task: pizza\n")
    command = [*PROGRAM, "studio", str(tmp_path), "--no-browser"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        name, link = process.stdout.readline().split()
        assert (name, link.partition(":")[2].startswith("//127.0.0.1:")) == ("studio", True)
        with httpx.Client(follow_redirects=True, timeout=30) as client:
            assert client.get(link).status_code == 200
            listing = client.get(link.partition("?")[0] + "api/folder").json()
        assert [each["path"] for each in listing["entries"]] == ["pizza.yaml"]
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("", "")
        assert process.returncode in (0, -signal.SIGINT)


def test_a_folder_that_is_not_there_is_one_line(run: Run, tmp_path: Path) -> None:
    assert run("studio", tmp_path / "none", "--no-browser").refused("no such folder")
