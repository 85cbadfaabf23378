"""Twenty simulated users talk to the bot; the database and what was reported say how it went."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dialoom.play.pytest_plugin import RunBot

BOT = Path(__file__).with_name("bot.py")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    command = [sys.executable, BOT, "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().strip()
        process.terminate()


def test_my_bot(dialoom_run: RunBot, url: str) -> None:
    run = dialoom_run(f"http:{url}", tasks="weather", goals=20, seed=7, at_least=95)
    assert run.figures["user_faults"] == 0
