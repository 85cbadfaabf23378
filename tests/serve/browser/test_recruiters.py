"""Work in Mechanical Turk's frame, from the preview to the form that hands it in."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest
from msgspec.structs import replace
from playwright.sync_api import FrameLocator, Route, expect

from dialoom.collect.recruiters.mturk import PREVIEW
from tests.serve.browser.axe import violations
from tests.serve.browser.person import People
from tests.serve.conftest import SINGLE
from tests.serve.served import served

pytestmark = pytest.mark.browser

SITE = "https://workersandbox.mturk.com"


def test_work_in_the_frame_of_mechanical_turk(people: People, tmp_path: Path) -> None:
    handed_in: list[dict[str, list[str]]] = []
    with served(tmp_path / "study.sqlite", replace(SINGLE, recruiter="mturk")) as study:

        def turk(route: Route) -> None:
            """Show the work in a frame, as accepted or not, and take it back."""
            if route.request.method == "POST":
                handed_in.append(parse_qs(route.request.post_data or ""))
                route.fulfill(body="<p>Submitted</p>", content_type="text/html")
                return
            is_live = route.request.url.endswith("/tasks/accepted")
            ids = {
                "assignmentId": "A1" if is_live else PREVIEW,
                "hitId": "H1",
                **({"workerId": "w1", "turkSubmitTo": SITE} if is_live else {}),
            }
            frame = f'<iframe src="{study.link("user")}?{urlencode(ids)}" height=900></iframe>'
            route.fulfill(body=frame.replace("&", "&amp;"), content_type="text/html")

        worker = people("about:blank")
        worker.context.route(f"{SITE}/**", turk)
        work: FrameLocator = worker.page.frame_locator("iframe")
        worker.page.goto(f"{SITE}/tasks/preview")
        expect(work.get_by_role("heading", name="This is a preview")).to_be_visible()
        assert violations(worker.page.frames[1]) == []
        worker.page.goto(f"{SITE}/tasks/accepted")
        expect(work.get_by_label("Your participant id")).not_to_be_editable()
        work.get_by_role("button", name="Continue").click()
        work.get_by_role("button", name="No, thank you").click()
        work.locator("dialog button.main").click()
        expect(work.get_by_role("button", name="Hand the work in")).to_be_visible()
        assert violations(worker.page.frames[1]) == []
        work.get_by_role("button", name="Hand the work in").click()
        expect(work.get_by_text("Submitted")).to_be_visible()
        one = study.hub.study.assignment(1)
    assert handed_in == [{"assignmentId": ["A1"], "code": [one.code]}]
    assert (one.worker, one.outcome) == ("w1", "left")
