"""Every page as people see it: contrast of all text, and WCAG 2.2 A and AA by axe-core.

axe-core leaves undecided what it cannot tell; the contrast of what is drawn is measured here too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.serve.browser.axe import FAINT, complaints, violations
from tests.serve.browser.person import People
from tests.serve.browser.scenes import scenes

pytestmark = pytest.mark.browser


def test_faint_text_is_found(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content(
        "<p style='color: #888'>faint</p><p style='color: #666'>plain</p>"
        "<p style='opacity: 0.5'>half</p><p style='color: #fff; background: #0008'>veiled</p>"
        "<input><input value='typed' style='color: #888'><input placeholder='hint'>"
        "<style>::placeholder { color: #999 }</style>"
    )
    faint = ["3.54 faint", "3.98 half", "4.47 veiled", "3.54 typed", "2.85 hint"]
    assert page.evaluate(FAINT) == faint
    report = " ".join(violations(page))
    assert "color-contrast" in report
    assert "label" in report
    page.close()


@pytest.mark.long
def test_every_page_is_accessible(people: People, tmp_path: Path) -> None:
    reports = {name: complaints(name, page) for name, page in scenes(people, tmp_path)}
    assert {name: bad for name, bad in reports.items() if bad} == {}
    assert len(reports) > 25
