"""Pages of documentation as tests read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands(page: Path) -> Iterator[str]:
    """Yield what pages say to type after `dialoom`, a line at a time."""
    for block in BLOCK.finditer(page.read_text()):
        if block[1] == "sh":
            for line in block[2].replace("\\\n", " ").splitlines():
                if line.startswith("dialoom ") and "…" not in line:
                    yield line.removeprefix("dialoom ").partition(" # ")[0].partition(" > ")[0]
