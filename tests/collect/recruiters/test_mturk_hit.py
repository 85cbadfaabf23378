"""A HIT has the study's link, reward, time and qualifications, and is created at the platform."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.collect.recruiters.mturk_hit import APPROVAL, APPROVED, LOCALE, hit
from dialoom.collect.recruiters.recruiter import WorkOffer
from dialoom.collect.settings import Settings, Stage
from dialoom.errors import UsageError

WRITE = Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",))
STUDY = Settings(
    stages=(WRITE,),
    name="Talks & more",
    recruiter="mturk",
    reward=150,
    approval=97,
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
    found = hit(STUDY, OFFER)
    assert "join/a.b?x=1&amp;y=2</ExternalURL>" in found["Question"]
    assert (found["Reward"], found["MaxAssignments"]) == ("1.50", 20)
    assert (found["AssignmentDurationInSeconds"], found["LifetimeInSeconds"]) == (5400, 604_800)
    held = {each["QualificationTypeId"]: each for each in found["QualificationRequirements"]}
    assert held[APPROVAL]["IntegerValues"] == [97]
    assert held[APPROVED]["IntegerValues"] == [500]
    assert held[LOCALE]["LocaleValues"] == [{"Country": "US"}]
    assert {each["ActionsGuarded"] for each in held.values()} == {"DiscoverPreviewAndAccept"}
    again = hit(STUDY, OFFER)
    other = hit(STUDY, replace(OFFER, number=21))
    assert again == found != other
    assert other["UniqueRequestToken"] != found["UniqueRequestToken"]


@pytest.mark.parametrize(
    ("settings", "offer"),
    [
        (STUDY, replace(OFFER, address="http://study.example.org")),
        (replace(STUDY, country="Atlantis"), OFFER),
    ],
)
def test_a_hit_that_cannot_be_is_refused(settings: Settings, offer: WorkOffer) -> None:
    with pytest.raises(UsageError):
        hit(settings, offer)
