"""The page of codes is complete: a row for each, in the words of its rule."""

from __future__ import annotations

import re
from pathlib import Path

from dialoom.quality import lint
from dialoom.quality.doctor import rules
from dialoom.schema import findings
from dialoom.schema.findings import CODES

RULES = [*lint.RULES, *(findings.RULES[code] for code in rules.CHECKS)]
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "lint.md"
ROW = re.compile(r"^\| ([EWI]\d{3}) \| (\w+) \| (.*) \| (.*) \|$", re.MULTILINE)


def test_every_code_has_its_row() -> None:
    rows = {match[1]: match.groups()[1:] for match in ROW.finditer(PAGE.read_text())}
    assert rows == {rule.code: (rule.severity, rule.title, rule.right) for rule in RULES}


def test_every_code_has_its_remedy_and_reason() -> None:
    for rule in findings.RULES.values():
        assert rule.right
        assert rule.why in rule.explanation


def test_a_code_means_one_thing() -> None:
    codes = [rule.code for rule in RULES]
    assert len(codes) == len(set(codes))
    assert {*codes, *CODES} == set(findings.RULES)
    assert not set(codes) & set(CODES)
    assert all(rule.code[1] in "56789" for rule in RULES)
