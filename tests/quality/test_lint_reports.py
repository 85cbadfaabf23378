"""Error reports of other people about published corpora: found or not (docs/reference/lint.md)."""

from __future__ import annotations

import zipfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.quality.lint import lint

WOZ = "others/multiwoz21/val.json.zip"


class Report(NamedTuple):
    """A report, or a class of errors of a paper, with a dialogue of its kind.

    Attributes:
        source: The thread or paper.
        corpus: The file at hand.
        dialogue: The dialogue; empty if no rule is about the class.
        code: The code that lint finds there; empty if it finds none.
    """

    source: str
    corpus: str
    dialogue: str
    code: str


REPORTS = (
    Report("budzianowski/multiwoz#31", WOZ, "SNG1011", "W612"),
    Report("budzianowski/multiwoz#72", WOZ, "PMUL2711", "W612"),
    Report("budzianowski/multiwoz#62", WOZ, "PMUL0569", "E609"),
    Report("budzianowski/multiwoz#55", WOZ, "PMUL3320", "I603"),
    Report("MultiWOZ 2.1: typos", WOZ, "SNG0603", "I602"),
    Report("MultiWOZ 2.4: context mismatch", WOZ, "MUL1003", "E609"),
    Report("MultiWOZ 2.4: wrong time", WOZ, "MUL1831", "E609"),
    Report("dstc8-schema-guided-dialogue#14", "sgd/dev/dialogues_003.json", "3_00115", "I605"),
    Report("dstc8-schema-guided-dialogue#12", "sgd/dev/dialogues_003.json", "3_00042", "I604"),
    Report("ShishirPatil/gorilla#1267", "others/bfcl", "multi_turn_base_198", ""),
    Report("ShishirPatil/gorilla#1256", "others/bfcl", "multi_turn_base_199", ""),
)

MOST = {"E603": 145, "E609": 30, "E703": 0, "E711": 0, "E716": 55, "W612": 45, "I603": 5}
"""Most findings in MultiWOZ 2.1's val part: a few more than 138, 28, 0, 0, 52, 43 and 4, which were
counted when docs/reference/lint.md got its table of false alarms."""


@cache
def findings(path: Path, corpus: str) -> dict[str, Counter[str]]:
    """Return the codes that lint finds in each dialogue of a corpus."""
    codes: dict[str, Counter[str]] = {}
    opened: Corpus = formats.load(path / corpus)
    for finding in lint(opened):
        codes.setdefault(finding.dialogue, Counter())[finding.code] += 1
    return codes


@pytest.mark.corpus
@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.source)
def test_public_error_reports(report: Report, corpora: Path) -> None:
    codes = findings(corpora, report.corpus).get(report.dialogue, Counter())
    errors = {code for code in codes if not code.startswith("I60")}
    assert report.code in codes if report.code else not errors


@pytest.mark.corpus
def test_findings_in_multiwoz_are_few(corpora: Path) -> None:
    counts = sum(findings(corpora, WOZ).values(), Counter())
    assert {code: counts[code] for code in MOST if counts[code] > MOST[code]} == {}


@pytest.mark.corpus
def test_spellings_of_one_value_are_at_hand_and_not_found(corpora: Path) -> None:
    """thu-coai/CrossWOZ#23: both spellings are said, so that no rule is about one dialogue."""
    with zipfile.ZipFile(corpora / "others/crosswoz/val.json.zip") as archive:
        (name, *_) = archive.namelist()
        text = archive.read(name).decode()
    assert text.count('"高档型"') > text.count('"高档"') > 0
