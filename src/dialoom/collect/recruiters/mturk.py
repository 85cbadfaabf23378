"""The recruiter Amazon Mechanical Turk, with an ExternalQuestion (docs.aws.amazon.com/AWSMechTurk).

Mechanical Turk shows the study's link in a frame, with the parameters assignmentId, hitId, workerId
and turkSubmitTo. In a preview, before a worker accepts the work, assignmentId is
ASSIGNMENT_ID_NOT_AVAILABLE. The study's last page posts a form to
`{turkSubmitTo}/mturk/externalSubmit`. Requests to the API are signed (Signature Version 4); orders
for workers of the sandbox go to the sandbox.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from math import ceil
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

import msgspec

from dialoom.collect.recruiters.recruiter import (
    OrderKind,
    PostForm,
    Recruiter,
    RecruiterOrder,
    Source,
    WorkOffer,
    accepted,
    amount,
)
from dialoom.collect.settings import Settings
from dialoom.errors import UsageError

if TYPE_CHECKING:
    from httpx import Client

QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/'
    'AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd">'
    "<ExternalURL>{address}</ExternalURL><FrameHeight>0</FrameHeight></ExternalQuestion>"
)

APPROVAL = "000000000000000000L0"
APPROVED = "00000000000000000040"
LOCALE = "00000000000000000071"
"""Ids of Amazon's own qualifications: per cent approved, number approved, country."""

DAY = 86_400

PATIENCE = 30 * DAY
"""Seconds after which Mechanical Turk approves by itself, the most it takes."""


def _qualifications(settings: Settings) -> list[dict[str, Any]]:
    country = settings.country
    if country is not None and not (len(country) == 2 and country.isalpha()):
        raise UsageError(f"country {country!r}: right would be a code of two letters, such as US")
    least = {APPROVAL: ceil(settings.approval), APPROVED: settings.approved}
    rules: list[dict[str, Any]] = [
        {"QualificationTypeId": id, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [value]}
        for id, value in least.items()
        if value is not None
    ]
    if country is not None:
        place = {"Comparator": "EqualTo", "LocaleValues": [{"Country": country.upper()}]}
        rules.append({"QualificationTypeId": LOCALE, **place})
    return [{**each, "ActionsGuarded": "DiscoverPreviewAndAccept"} for each in rules]


SITES = (
    "https://worker.mturk.com",
    "https://www.mturk.com",
    "https://workersandbox.mturk.com",
    "https://requester.mturk.com",
    "https://requestersandbox.mturk.com",
)
"""The origins of the sites for workers and requesters, and of their sandboxes."""

SANDBOX = "https://workersandbox.mturk.com"

REGION = "us-east-1"

API = "https://mturk-requester.us-east-1.amazonaws.com"
SANDBOX_API = "https://mturk-requester-sandbox.us-east-1.amazonaws.com"

SERVICE = "MTurkRequesterServiceV20170117"

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


class MTurk(Recruiter):
    """Mechanical Turk as a study's recruiter."""

    worker = "workerId"
    submission = "assignmentId"
    required: tuple[str, ...] = ("assignmentId", "hitId", "workerId", "turkSubmitTo")
    credentials: tuple[str, ...] = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
    repeatable: tuple[OrderKind, ...] = ("approve", "reject", "bonus")
    sites = SITES
    currency = "USD"

    def is_preview(self, source: Source) -> bool:
        """True if the page is a preview, before the worker has accepted the work."""
        return source.get(self.submission) == PREVIEW

    def request(self, settings: Settings, offer: WorkOffer) -> dict[str, Any]:
        """Return the request that creates a HIT, with the qualifications of the settings.

        Workers have three times the expected minutes, at least an hour.

        Raises:
            UsageError: The address is not HTTPS, or `country` is no code of two letters.
        """
        address = offer.address
        if not address.startswith("https://"):
            what = "Mechanical Turk shows pages over https:// alone; see --url"
            raise UsageError(f"{address}: {what}")
        fields: dict[str, Any] = {
            "Title": settings.name,
            "Description": settings.purpose or settings.name,
            "Reward": amount(offer.reward),
            "MaxAssignments": offer.number,
            "AssignmentDurationInSeconds": max(3600, 3 * 60 * offer.minutes),
            "LifetimeInSeconds": offer.days * DAY,
            "AutoApprovalDelayInSeconds": PATIENCE,
            "Question": QUESTION.format(address=escape(address)),
            "QualificationRequirements": list(_qualifications(settings)),
        }
        token = hashlib.sha256(repr(sorted(fields.items())).encode()).hexdigest()
        return {**fields, "UniqueRequestToken": token}

    def create(
        self, web: Client, request: Mapping[str, Any], credentials: Mapping[str, str], *, test: bool
    ) -> str:
        """Create the HIT (as of `Recruiter.create`)."""
        answer = ask(web, "CreateHIT", request, credentials, sandbox=test)
        return f"HIT {answer.get('HIT', {}).get('HITId', '?')}"

    def form(self, source: Source, code: str) -> PostForm | None:
        """Return the form that submits the work; None unless it goes to Mechanical Turk."""
        site = source.get("turkSubmitTo", "").rstrip("/")
        if site not in self.sites or not source.get(self.submission):
            return None
        fields = {self.submission: source[self.submission], "code": code}
        return PostForm(f"{site}/mturk/externalSubmit", fields)

    def files(self, orders: Iterable[RecruiterOrder]) -> dict[str, list[list[str]]]:
        """Return a table of results for upload on the requester's page, and one of bonuses."""
        review = [["AssignmentId", "Approve", "Reject"]]
        bonus = [["WorkerId", "AssignmentId", "BonusAmount", "Reason"]]
        for order in orders:
            if order.kind == "bonus":
                bonus.append([order.worker, order.submission, order.amount, order.reason])
            else:
                marks = ["x", ""] if order.kind == "approve" else ["", order.reason]
                review.append([order.submission, *marks])
        return {"review.csv": review, "bonus.csv": bonus}

    def send(self, web: Client, order: RecruiterOrder, credentials: Mapping[str, str]) -> None:
        """Send an order to the API (as of `Recruiter.send`)."""
        action, body = _request(order)
        sandbox = order.source.get("turkSubmitTo", "").rstrip("/") == SANDBOX
        ask(web, action, body, credentials, sandbox=sandbox)


RECRUITER = MTurk()


def ask(
    web: Client,
    action: str,
    body: Mapping[str, Any],
    credentials: Mapping[str, str],
    *,
    sandbox: bool,
) -> dict[str, Any]:
    """Return the API's answer to a signed request; `OrderRefusedError` if it refuses."""
    url, data = SANDBOX_API if sandbox else API, msgspec.json.encode(body)
    headers = {
        "content-type": "application/x-amz-json-1.1",
        "host": urlsplit(url).netloc,
        "x-amz-date": datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ"),
        "x-amz-target": f"{SERVICE}.{action}",
    }
    key, secret = (credentials[name] for name in RECRUITER.credentials)
    headers["authorization"] = signature(headers, data, REGION, "mturk-requester", key, secret)
    return accepted(web.post(f"{url}/", content=data, headers=headers))


def _request(order: RecruiterOrder) -> tuple[str, dict[str, Any]]:
    fields: dict[str, Any] = {"AssignmentId": order.submission}
    if order.kind == "bonus":
        token = hashlib.sha256(order.key.encode()).hexdigest()
        paid = {"WorkerId": order.worker, "BonusAmount": order.amount, "Reason": order.reason}
        return "SendBonus", {**fields, **paid, "UniqueRequestToken": token}
    if order.reason:
        fields["RequesterFeedback"] = order.reason
    if order.kind == "approve":  # what was rejected may be approved after all
        return "ApproveAssignment", {**fields, "OverrideRejection": True}
    return "RejectAssignment", fields


def signature(
    headers: Mapping[str, str],
    data: bytes,
    region: str,
    service: str,
    key: str,
    secret: str,
    *,
    method: str = "POST",
    query: str = "",
) -> str:
    """Return the header `Authorization` of a request to an AWS service at the path `/`.

    The algorithm is AWS4-HMAC-SHA256 (Signature Version 4). All `headers` are signed; their names
    must be in lower case, and `x-amz-date` must be among them.
    """
    names = sorted(headers)
    lines = "".join(f"{name}:{headers[name].strip()}\n" for name in names)
    signed, digest = ";".join(names), hashlib.sha256(data).hexdigest()
    request = "\n".join((method, "/", query, lines, signed, digest))
    moment = headers["x-amz-date"]
    scope = f"{moment[:8]}/{region}/{service}/aws4_request"
    string_to_sign = "\n".join(
        ("AWS4-HMAC-SHA256", moment, scope, hashlib.sha256(request.encode()).hexdigest())
    )
    derived = f"AWS4{secret}".encode()
    for part in (*scope.split("/"), string_to_sign):
        derived = hmac.digest(derived, part.encode(), "sha256")
    credential = f"Credential={key}/{scope}"
    return f"AWS4-HMAC-SHA256 {credential}, SignedHeaders={signed}, Signature={derived.hex()}"
