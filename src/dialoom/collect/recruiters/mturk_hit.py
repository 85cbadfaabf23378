"""A HIT of Mechanical Turk that shows a study, with its qualifications.

    hit(settings, WorkOffer(address="https://study.example.org/join/…", reward=150, …))
    # {"Title": …, "Reward": "1.50", "Question": "<ExternalQuestion …>", …}, a CreateHIT request

Qualifications are the settings `approval`, `approved` and `country`. Workers have three times the
expected minutes, at least an hour.
"""

from __future__ import annotations

import hashlib
from typing import Any
from xml.sax.saxutils import escape

from dialoom.collect.recruiters.recruiter import WorkOffer, amount
from dialoom.collect.settings import Settings
from dialoom.errors import UsageError

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


def hit(settings: Settings, offer: WorkOffer) -> dict[str, Any]:
    """Return the request that creates a HIT.

    Raises:
        UsageError: The address is not HTTPS, or the setting `country` is no code of two letters.
    """
    address = offer.address
    if not address.startswith("https://"):
        raise UsageError(f"{address}: Mechanical Turk shows pages over https:// alone; see --url")
    wanted: dict[str, Any] = {
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
    token = hashlib.sha256(repr(sorted(wanted.items())).encode()).hexdigest()
    return {**wanted, "UniqueRequestToken": token}


def _qualifications(settings: Settings) -> list[dict[str, Any]]:
    country = settings.country
    if country is not None and not (len(country) == 2 and country.isalpha()):
        raise UsageError(f"country {country!r}: right would be a code of two letters, such as US")
    least = {APPROVAL: int(settings.approval), APPROVED: settings.approved}
    found: list[dict[str, Any]] = [
        {"QualificationTypeId": id, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [value]}
        for id, value in least.items()
        if value is not None
    ]
    if country is not None:
        place = {"Comparator": "EqualTo", "LocaleValues": [{"Country": country.upper()}]}
        found.append({"QualificationTypeId": LOCALE, **place})
    return [{**each, "ActionsGuarded": "DiscoverPreviewAndAccept"} for each in found]
