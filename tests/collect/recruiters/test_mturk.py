"""Mechanical Turk's frame, form and signature."""

from __future__ import annotations

import json

import httpx
import pytest
from msgspec.structs import replace

from dialoom.collect.recruiters.mturk import APPROVAL, APPROVED, LOCALE, RECRUITER, signature
from dialoom.collect.recruiters.recruiter import RecruiterOrder, WorkOffer
from dialoom.collect.settings import Settings, Stage
from dialoom.errors import UsageError

WRITE = Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",))
STUDY = Settings(
    stages=(WRITE,),
    name="Talks & more",
    recruiter="mturk",
    reward=150,
    approval=96.5,
    approved=500,
    country="US",
)
OFFER = WorkOffer(
    address="https://study.example.org/join/a.b?x=1&y=2",
    reward=150,
    number=20,
    minutes=30,
    days=7,
)


def test_a_hit_has_the_link_the_reward_and_the_qualifications() -> None:
    request = RECRUITER.request(STUDY, OFFER)
    assert "join/a.b?x=1&amp;y=2</ExternalURL>" in request["Question"]
    assert (request["Reward"], request["MaxAssignments"]) == ("1.50", 20)
    assert (request["AssignmentDurationInSeconds"], request["LifetimeInSeconds"]) == (5400, 604_800)
    demands = {each["QualificationTypeId"]: each for each in request["QualificationRequirements"]}
    assert demands[APPROVAL]["IntegerValues"] == [97]
    assert demands[APPROVED]["IntegerValues"] == [500]
    assert demands[LOCALE]["LocaleValues"] == [{"Country": "US"}]
    assert {each["ActionsGuarded"] for each in demands.values()} == {"DiscoverPreviewAndAccept"}
    again = RECRUITER.request(STUDY, OFFER)
    other = RECRUITER.request(STUDY, replace(OFFER, number=21))
    assert again == request != other
    assert other["UniqueRequestToken"] != request["UniqueRequestToken"]


@pytest.mark.parametrize(
    ("settings", "offer"),
    [
        (STUDY, replace(OFFER, address="http://study.example.org")),
        (replace(STUDY, country="Atlantis"), OFFER),
    ],
)
def test_a_hit_that_cannot_be_is_refused(settings: Settings, offer: WorkOffer) -> None:
    with pytest.raises(UsageError):
        RECRUITER.request(settings, offer)


SOURCE = {"assignmentId": "A1", "turkSubmitTo": "https://workersandbox.mturk.com/"}


def test_a_signature_is_that_of_the_published_example() -> None:
    # "GET ListUsers" of AWS's general reference, Signature Version 4.
    headers = {
        "content-type": "application/x-www-form-urlencoded; charset=utf-8",
        "host": "iam.amazonaws.com",
        "x-amz-date": "20150830T123600Z",
    }
    key, secret = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    query = "Action=ListUsers&Version=2010-05-08"
    header = signature(headers, b"", "us-east-1", "iam", key, secret, method="GET", query=query)
    digest = "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
    assert header.endswith(f"Signature={digest}")
    assert "SignedHeaders=content-type;host;x-amz-date" in header


def test_the_work_is_handed_in_where_it_was_taken_on_and_nowhere_else() -> None:
    form = RECRUITER.form(SOURCE, "C-1")
    assert form is not None
    assert form.address == "https://workersandbox.mturk.com/mturk/externalSubmit"
    assert form.fields == {"assignmentId": "A1", "code": "C-1"}
    for other in ("https://evil.example", "https://worker.mturk.com.evil.example", ""):
        assert RECRUITER.form({**SOURCE, "turkSubmitTo": other}, "C-1") is None


def test_who_has_not_accepted_the_work_looks_at_a_preview() -> None:
    assert RECRUITER.is_preview({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    assert not RECRUITER.is_preview(SOURCE)


def test_an_approval_also_holds_after_a_rejection() -> None:
    sent: list[tuple[str, dict[str, object]]] = []

    def answered(request: httpx.Request) -> httpx.Response:
        sent.append(
            (request.headers["x-amz-target"].rpartition(".")[2], json.loads(request.content))
        )
        return httpx.Response(200, json={})

    order = RecruiterOrder(kind="approve", submission="A1", worker="W1", source={}, reward=100)
    keys = dict.fromkeys(RECRUITER.credentials, "key")
    with httpx.Client(transport=httpx.MockTransport(answered)) as web:
        RECRUITER.send(web, order, keys)
        RECRUITER.send(web, replace(order, kind="reject"), keys)
    assert sent == [
        ("ApproveAssignment", {"AssignmentId": "A1", "OverrideRejection": True}),
        ("RejectAssignment", {"AssignmentId": "A1"}),
    ]
