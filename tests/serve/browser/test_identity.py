"""What the pages show to somebody who brings an id that needs proof, and how they come in then."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.serve.browser.axe import violations
from tests.serve.browser.person import People
from tests.serve.served import Served

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("locale", "words", "go_on"),
    [
        ("en-GB", "ask the person who invited you", "Continue"),
        ("de-DE", "Ihren eigenen Link", "Weiter"),
    ],
)
def test_the_page_names_the_next_step(
    people: People, study: Served, locale: str, words: str, go_on: str
) -> None:
    study.page("user", worker="w-0100").close()
    other = people(f"{study.link('user')}?worker=w-0100", locale=locale)
    other.button(go_on).click()
    expect(other.page.get_by_role("alert")).to_contain_text(words)
    assert violations(other.page) == []
    other.complaints.clear()  # the browser tells of the 403


def test_the_admin_makes_a_link_by_which_a_worker_comes_back(people: People, study: Served) -> None:
    study.page("user", worker="w-0100").do("leave")
    admin = people(f"{study.base}/admin#{study.signer.admin_token()}")
    admin.turn_to("Links")
    admin.page.get_by_label("For these participant ids").fill("w-0100\n\nw-0101\n")
    admin.button("Make links").click()
    field = admin.page.get_by_label("2 new links")
    first, second = field.input_value().split("\n")
    assert violations(admin.page) == []
    back = people(first)
    back.button("Continue").click()
    expect(back.page.get_by_role("button", name="Withdraw and erase")).to_be_visible()
    people(second).join().agree()
    assert study.hub.study.assignment(2).worker == "w-0101"
