"""Mechanical Turk's frame, form and signature."""

from __future__ import annotations

from dialoom.collect.recruiters.mturk import RECRUITER, signature

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
    found = signature(headers, b"", "us-east-1", "iam", key, secret, method="GET", query=query)
    wanted = "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
    assert found.endswith(f"Signature={wanted}")
    assert "SignedHeaders=content-type;host;x-amz-date" in found


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
