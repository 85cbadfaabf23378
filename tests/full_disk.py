"""A disk that is soon full, for tests of what is left behind when it is."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


def full_disk(folder: Path, size: str = "64k") -> Iterator[Path]:
    """Yield a small file system of its own at `folder`; skips where none may be mounted."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        reason = f"may not mount a file system (uid {os.getuid()})"
        pytest.skip(reason)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
