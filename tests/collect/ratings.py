"""Rating items of tests."""

from __future__ import annotations

from pathlib import Path

import msgspec

OUTPUTS = {"nearest": "At seven.", "transformer": "For how many?", "n-gram": "For for many?"}

CONTEXT = [{"agent": "user", "text": "A table, please."}]


def written(path: Path, *, items: int = 2) -> Path:
    """Write a file of outputs."""
    lines = [{"id": f"i-{n}", "context": CONTEXT, "outputs": OUTPUTS} for n in range(items)]
    for number, line in enumerate(lines):  # nobody gets the same twice
        line["outputs"] = {name: f"{text} ({number})" for name, text in OUTPUTS.items()}
    path.write_bytes(msgspec.json.Encoder().encode_lines(lines))
    return path
