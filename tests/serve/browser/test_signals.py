"""Pasted text and absences reach the log from the page, and the admin looks for signals."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.log.record import Attention, assignment_stream
from dialoom.collect.settings import Settings, Stage
from tests.serve.browser.person import People
from tests.serve.served import served

pytestmark = pytest.mark.browser

WRITE = Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), least=2, pay=50)
PASTE = """() => {
  const data = new DataTransfer();
  data.setData("text", "x".repeat(240));
  document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}"""


@pytest.mark.parametrize("attention", [True, False])
def test_a_page_records_pasted_text_where_its_consent_says_so(
    people: People, tmp_path: Path, attention: bool
) -> None:
    settings = Settings(stages=(WRITE,), scenarios=3, seed=3, attention=attention)
    with served(tmp_path / "study.sqlite", settings) as study:
        one = people(study.own("w-1"))
        one.join()
        expect(one.page.get_by_text("Pasted text and your absences")).to_have_count(int(attention))
        one.agree()
        expect(one.page.locator("textarea").first).to_be_visible()
        one.page.evaluate(PASTE)
        one.page.locator("textarea").first.fill("A large latte, please.")
        one.page.keyboard.press("Enter")
        expect(one.page.get_by_text("A large latte, please.").first).to_be_visible()
        expect(one.page.locator(".line.pending")).to_have_count(0)
        records = study.opened.store.stream(assignment_stream(1))
        pasted = [each.body.pasted for each in records if isinstance(each.body, Attention)]
        assert pasted == ([240] if attention else [])
        if attention:
            admin = people(f"{study.base}/admin#{study.signer.admin_token('viewer')}")
            admin.turn_to("Workers")
            admin.button("Look for signals").click()
            row = admin.page.get_by_role("row").filter(has_text="pasted").last
            expect(row).to_contain_text("240")
            expect(admin.page.get_by_text("w-1")).to_have_count(0)  # a viewer sees numbers
