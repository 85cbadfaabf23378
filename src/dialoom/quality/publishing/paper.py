"""The LaTeX of a published corpus for a paper: a table of its counts, and a paragraph.

\\begin{table} … Dialogues & 812 \\\\ … \\end{table}
\\paragraph{Data.} Ferry talks has 812 dialogues with 9,120 utterances …
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dialoom.render.tables import counted

ROWS = {
    "dialogues": "Dialogues",
    "domains": "Domains",
    "tasks": "Tasks",
    "acts": "Acts",
    "slots": "Slots",
    "values": "Values",
    "utterances": "Utterances",
    "utterances_per_dialogue": "Utterances a dialogue",
    "queries": "Queries",
    "tokens_per_utterance_white_space": "Tokens an utterance (parted at white space)",
    "unique_tokens": "Distinct tokens",
}
"""Count of `dialoom stats` to its row in the table; a row without a figure is left out."""

_SPECIAL = re.compile(r"[&%$#_{}~^\\]")
_SPELLED = {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}


def written(facts: Mapping[str, str], result: Mapping[str, Any], splits: Mapping[str, int]) -> str:
    """Return the LaTeX."""
    name, counts = escaped(facts["name"]), result.get("table_1") or {}
    rows = [(words, counts[key]) for key, words in ROWS.items() if counts.get(key)]
    rows += [(f"Dialogues in {part}", number) for part, number in splits.items()]
    lines = [
        f"% {facts['name']}: written by dialoom {facts['version']} from the files with the digest "
        f"{facts['digest']}; needs \\usepackage{{booktabs}}.",
        "\\begin{table}",
        "\\centering",
        "\\begin{tabular}{lr}",
        "\\toprule",
        *(f"{escaped(words)} & {_figure(number)} \\\\" for words, number in rows),
        "\\bottomrule",
        "\\end{tabular}",
        f"\\caption{{{name} in figures.}}",
        f"\\label{{tab:{re.sub(r'[^a-z0-9]+', '-', facts['name'].lower())}}}",
        "\\end{table}",
        "",
        f"\\paragraph{{Data.}} {_paragraph(name, facts, result, splits)}",
        "",
    ]
    return "\n".join(lines)


def _paragraph(
    name: str, facts: Mapping[str, str], result: Mapping[str, Any], splits: Mapping[str, int]
) -> str:
    sentences = [f"{name} has {counted(result['dialogues'], 'dialogue')} with "
            f"{counted(result['utterances'], 'utterance')}."]  # fmt: skip
    if len(splits) > 1:
        parts = ", ".join(f"{number:,} in {escaped(part)}" for part, number in splits.items())
        sentences.append(f"The splits have {parts}.")
    if licence := facts.get("licence"):
        sentences.append(f"Its licence is {escaped(licence)}.")
    sentences.append(f"Figures are those of dialoom {facts['version']} (digest {facts['digest']}).")
    return " ".join(sentences)


def escaped(text: str) -> str:
    """Return a text as LaTeX shows it."""
    return _SPECIAL.sub(lambda sign: _SPELLED.get(sign[0], f"\\{sign[0]}"), text)


def _figure(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"
